import { dutch } from './dutch.ts'
import { DOT_COMMA, type Locale, NONE_COMMA } from './locale.ts'

export const netherlandsDutch: Locale = {
  id: 'nl-NL',
  lexicon: dutch,
  country: 'Nederland',
  numberForms: [DOT_COMMA, DOT_COMMA, NONE_COMMA],
  dateForms: ['DD-MM-YYYY', 'DD-MM-YYYY', 'D MMMM YYYY', 'DD/MM/YYYY', 'D-M-YYYY', 'DD-MM-YY', 'DD MMM YYYY'],
  currency: { code: 'EUR', symbol: '€', places: ['before-space', 'before-space', 'before', 'none', 'code-before'] },
  taxRates: [21, 21, 9],
  vatIds: ['NL#########B01', 'NL ######### B 01'],
  phones: ['020-555 ####', '+31 (0)10 555 ####', '030 555 ## ##'],
  iban: { code: 'NL', bban: '@@@@##########' },
  domain: 'nl',
  streets:
    'Keizersgracht {n}|Dorpsstraat {n}|{last}straat {n}|Industrieweg {n}|Stationsplein {n}|Molenlaan {n}|Havenkade {n}',
  cities:
    '1015 @@ Amsterdam|3011 @@ Rotterdam|3511 @@ Utrecht|5611 @@ Eindhoven|9711 @@ Groningen|2511 @@ Den Haag|6811 @@ Arnhem',
  houseNumbers: [1, 420],
  firms:
    '{word} B.V.|{last} Bouw B.V.|Van der {word} Advies|{last} & Zonen B.V.|{word} Techniek BV|Administratiekantoor {last}',
  shops: 'Bakkerij {last}|Café {word}|{word} Supermarkt|Eetcafé {last}|Drogisterij {last}|Bouwmarkt {word}',
  banks: '{word}bank N.V.|{word} Bank',
  cashStepCents: 5,
}

export const belgianDutch: Locale = {
  ...netherlandsDutch,
  id: 'nl-BE',
  country: 'België',
  dateForms: ['DD/MM/YYYY', 'D MMMM YYYY', 'DD.MM.YYYY'],
  currency: { code: 'EUR', symbol: '€', places: ['after', 'code-after', 'none'] },
  taxRates: [21, 6, 12],
  vatIds: ['BE 0###.###.###', 'BE0#########'],
  phones: ['03 555 ## ##', '+32 9 555 ## ##'],
  iban: { code: 'BE', bban: '############' },
  streets: '{last}straat {n}|Grote Markt {n}|Kerkstraat {n} bus 2|Steenweg {n}',
  cities: '2000 Antwerpen|9000 Gent|3000 Leuven|8000 Brugge|1000 Brussel',
  firms: '{word} NV|{last} BV|Gebroeders {last} BV',
  domain: 'be',
}
