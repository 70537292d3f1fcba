import { english } from './english.ts'
import { COMMA_DOT, type Locale, NONE_DOT } from './locale.ts'

export const americanEnglish: Locale = {
  id: 'en-US',
  lexicon: english,
  country: 'United States',
  numberForms: [COMMA_DOT, COMMA_DOT, NONE_DOT],
  dateForms: ['MM/DD/YYYY', 'M/D/YYYY', 'MMMM D, YYYY', 'MMM D, YYYY', 'MM/DD/YY', 'YYYY-MM-DD', 'MMM DD, YYYY'],
  currency: { code: 'USD', symbol: '$', places: ['before', 'before', 'before', 'code-after', 'none'] },
  taxRates: [6, 6.25, 7, 7.25, 8.25, 8.875, 4],
  labels: {
    tax: 'Sales Tax|Tax|State tax ~ Tax payable|Local tax',
    vatId: 'Tax ID|EIN|Federal Tax ID|Tax ID No. ~ TIN|FEIN',
    taxColumn: 'Tax|Tax rate',
    includedTax: 'Tax incl.|Tax included',
    receipt: 'Receipt|RECEIPT|SALES RECEIPT|*** RECEIPT *** ~ CUSTOMER COPY|Cash Receipt',
    invoice: 'Invoice|INVOICE|Sales Invoice ~ Bill|Commercial Invoice',
  },
  vatIds: ['##-#######'],
  phones: ['(###) 555-01##', '###-555-01##', '+1 ### 555 01##'],
  iban: null,
  domain: 'com',
  streets:
    '{n} Oak Street|{n} Maple Avenue|{n} Industrial Parkway|{n} {last} Road|{n} Commerce Drive|{n} W. {last} Blvd|{n} Lakeview Court|{n} N Main St|{n} Harbor Way',
  cities:
    'Portland, OR 97###|Austin, TX 787##|Columbus, OH 432##|Denver, CO 802##|Raleigh, NC 276##|Madison, WI 537##|Tucson, AZ 857##|Albany, NY 122##|Boise, ID 837##|Nashville, TN 372##',
  houseNumbers: [12, 9800],
  extraLines: 'Suite ###|Unit #|Floor #|Bldg @',
  firms:
    '{word} Inc.|{last} & {last} LLC|{word} Supply Co.|{word} Industries, Inc.|{last} Manufacturing Corp.|{word} Systems LLC|{last} Brothers Inc.|{word} Medical Group',
  shops:
    "{last}'s Hardware|{word} Market|THE {word} GRILL|{word} Coffee Roasters|{last}'s Diner|{word} Pharmacy #12|{word} FOODS",
  banks: 'First {word} Bank|{word} Federal Credit Union|{word} National Bank',
}

export const britishEnglish: Locale = {
  id: 'en-GB',
  lexicon: english,
  country: 'United Kingdom',
  numberForms: [COMMA_DOT, COMMA_DOT, NONE_DOT],
  dateForms: [
    'DD/MM/YYYY',
    'D MMMM YYYY',
    'DD MMM YYYY',
    'DD/MM/YY',
    'DD-MM-YYYY',
    'Do MMMM YYYY',
    'DD.MM.YYYY',
    'YYYY-MM-DD',
  ],
  currency: { code: 'GBP', symbol: '£', places: ['before', 'before', 'code-before', 'none'] },
  taxRates: [20, 20, 20, 5],
  labels: {
    tax: 'VAT|VAT amount|Total VAT|V.A.T. ~ Tax payable|VAT total',
    vatId: 'VAT No.|VAT Reg. No.|VAT ID|VAT number|VAT Registration ~ VAT reg',
    taxColumn: 'VAT|VAT %|VAT rate',
  },
  vatIds: ['GB#########', 'GB ### #### ##', '### #### ##'],
  phones: ['+44 (0)1632 960###', '020 7946 0###', '0161 496 0###', '01632 960 ###'],
  iban: { code: 'GB', bban: '@@@@##############' },
  domain: 'co.uk',
  streets:
    '{n} High Street|{n} Station Road|{n} {last} Lane|Unit {n}, {last} Business Park|{n} Church Road|{n} Victoria Street|{n} Queensway|The Old Mill, {n} Mill Lane|{n} Kings Parade',
  cities:
    'Leeds/LS# #@@|Bristol/BS# #@@|Manchester M# #@@|Norwich NR# #@@|Sheffield, S1# #@@|London/EC#@ #@@|Exeter EX# #@@|Derby/DE2# #@@|York YO# #@@',
  houseNumbers: [1, 240],
  firms:
    '{word} Ltd|{last} & Sons Ltd|{word} Services Limited|{last} {last} LLP|{word} Engineering Ltd|{word} Trading plc|{last} Joinery Ltd|{word} Media Ltd',
  shops: 'The {word} Arms|{last} & Daughter|{word} Stores|{word} Convenience|{word} CAFE|{last} DIY CENTRE',
  banks: '{word} Bank plc|{word} Building Society|Royal {word} Bank',
}

export const canadianEnglish: Locale = {
  ...americanEnglish,
  id: 'en-CA',
  country: 'Canada',
  dateForms: ['YYYY-MM-DD', 'MMMM D, YYYY', 'MMM D, YYYY', 'DD-MMM-YYYY'],
  currency: { code: 'CAD', symbol: 'CA$', places: ['before', 'code-after', 'code-before'] },
  taxRates: [5, 13, 15],
  labels: {
    ...americanEnglish.labels,
    tax: 'GST|HST|GST/HST',
    vatId: 'GST/HST No.|GST No.|Business No.',
    includedTax: 'GST incl.',
  },
  vatIds: ['######### RT0001'],
  cities:
    'Toronto ON M#@ #@#|Calgary, AB T#@ #@#|Halifax NS B#@ #@#|Victoria, BC V#@ #@#|Winnipeg MB R#@ #@#|Ottawa, ON K#@ #@#',
  domain: 'ca',
  cashStepCents: 5,
}

export const australianEnglish: Locale = {
  ...britishEnglish,
  id: 'en-AU',
  country: 'Australia',
  dateForms: ['DD/MM/YYYY', 'D MMM YYYY', 'DD MMMM YYYY', 'D/MM/YYYY'],
  currency: { code: 'AUD', symbol: 'A$', places: ['before', 'code-after', 'code-before'] },
  taxRates: [10],
  labels: { tax: 'GST|GST amount', vatId: 'ABN|A.B.N.', taxColumn: 'GST', includedTax: 'GST included|Includes GST of' },
  vatIds: ['## ### ### ###'],
  phones: ['(02) 5550 ####', '03 7010 ####', '+61 2 5550 ####'],
  iban: null,
  cities: 'Sydney NSW 2###|Geelong VIC 3###|Cairns QLD 4###|Fremantle WA 6###|Hobart TAS 7###|Adelaide SA 5###',
  firms: '{word} Pty Ltd|{last} & Co Pty Ltd|{word} Group Pty Limited|{last} Plumbing Pty Ltd',
  domain: 'com.au',
  cashStepCents: 5,
}

export const irishEnglish: Locale = {
  ...britishEnglish,
  id: 'en-IE',
  country: 'Ireland',
  currency: { code: 'EUR', symbol: '€', places: ['before', 'code-before', 'none'] },
  taxRates: [23, 13.5, 9],
  vatIds: ['IE#######@@', 'IE#######@'],
  phones: ['+353 1 555 ####', '(021) 555 ####', '01 555 ####'],
  iban: { code: 'IE', bban: '@@@@##############' },
  cities: 'Dublin #/D0# @@##|Cork T## @@##|Galway/H## @@##|Limerick V## @@##|Kilkenny',
  domain: 'ie',
}
