import { APOSTROPHE, COMMA_DOT, DOT_COMMA, type Locale, SPACE_COMMA } from './locale.ts'
import { britishEnglish, canadianEnglish } from './locales-english.ts'
import { franceFrench, italyItalian, spainSpanish } from './locales-romance.ts'
import { releasedDutch } from './released-dutch.ts'
import { releasedEnglish } from './released-english.ts'
import { releasedFrench } from './released-french.ts'
import { releasedGerman } from './released-german.ts'
import { releasedItalian } from './released-italian.ts'
import { releasedPortuguese } from './released-portuguese.ts'
import { releasedSpanish } from './released-spanish.ts'
import { type SecondWords, withRoundWords } from './round-words.ts'

const words: Readonly<Record<string, SecondWords>> = {
  en: releasedEnglish,
  de: releasedGerman,
  fr: releasedFrench,
  es: releasedSpanish,
  it: releasedItalian,
  nl: releasedDutch,
  pt: releasedPortuguese,
}

/** What was kept out before in the language of a locale. */
export const releasedWordsOf = (locale: Locale): SecondWords => words[locale.id.slice(0, 2)] ?? releasedEnglish

/** The locale as the released part has it: words of its round beside the common ones, firms of its own. */
export const withReleasedWords = (locale: Locale): Locale =>
  withRoundWords(locale, releasedWordsOf(locale), { isOwnPlace: places.some(({ id }) => id === locale.id) })

const newZealandEnglish: Locale = {
  ...britishEnglish,
  id: 'en-NZ',
  country: 'New Zealand',
  dateForms: ['DD/MM/YYYY', 'D MMMM YYYY', 'DD MMM YYYY', 'D/MM/YYYY'],
  currency: { code: 'NZD', symbol: 'NZ$', places: ['before', 'code-after', 'code-before'] },
  taxRates: [15],
  labels: {
    tax: 'GST|GST 15 %|GST content',
    vatId: 'GST No.|GST number|GST Reg.',
    taxColumn: 'GST',
    includedTax: 'GST incl.|GST inclusive',
  },
  vatIds: ['###-###-###'],
  phones: ['09 555 ####', '+64 4 555 ####', '0800 555 ###'],
  iban: null,
  domain: 'co.nz',
  cities: 'Auckland 10##|Wellington 60##|Christchurch 80##|Dunedin 90##|Hamilton/32##|Nelson 70##',
  firms: '{word} Power NZ Ltd|{last} Builders Limited|{word} District Council|{word} Lodge Ltd|{last} Farm Supplies',
  cashStepCents: 10,
}

const southAfricanEnglish: Locale = {
  ...britishEnglish,
  id: 'en-ZA',
  country: 'South Africa',
  numberForms: [COMMA_DOT, { group: ' ', decimal: '.' }],
  dateForms: ['YYYY/MM/DD', 'DD MMM YYYY', 'D MMMM YYYY', 'YYYY-MM-DD'],
  currency: { code: 'ZAR', symbol: 'R', places: ['before', 'before-space', 'code-before'] },
  taxRates: [15],
  vatIds: ['4#########'],
  phones: ['+27 21 555 ####', '011 555 ####'],
  iban: null,
  domain: 'co.za',
  cities: 'Cape Town/8001|Sandton, 2196|Durban/4001|Pretoria, 0002|Gqeberha, 6001',
  firms: '{word} (Pty) Ltd|{last} Electrical CC|University of {word}|{word} Mining Supplies (Pty) Ltd',
}

const belgianFrench: Locale = {
  ...franceFrench,
  id: 'fr-BE',
  country: 'Belgique',
  numberForms: [DOT_COMMA, SPACE_COMMA],
  taxRates: [21, 21, 6],
  vatIds: ['BE 0###.###.###', 'BE0#########'],
  phones: ['02 555 ## ##', '+32 4 555 ## ##'],
  iban: { code: 'BE', bban: '############' },
  domain: 'be',
  streets: 'Rue de la Loi {n}|Chaussée de {last} {n}|Avenue Louise {n}|Place Saint-{last} {n}|Quai des Usines {n}',
  cities: '1000 Bruxelles|4000 Liège|5000 Namur|1300 Wavre|7000 Mons',
  firms: '{word} SA|{last} & Fils SRL|Imprimerie {last} SRL|{word} Énergie SA|Université de {word}',
}

const canadianFrench: Locale = {
  ...franceFrench,
  id: 'fr-CA',
  country: 'Canada',
  numberForms: [SPACE_COMMA],
  dateForms: ['YYYY-MM-DD', 'D MMMM YYYY'],
  currency: { code: 'CAD', symbol: '$ CA', places: ['after', 'after', 'code-after'] },
  taxRates: [15],
  labels: {
    tax: 'TVH|Montant TVH',
    vatId: 'N° de TVH|No d’inscription TVH',
    taxColumn: 'TVH',
    includedTax: 'TVH incluse',
  },
  vatIds: ['######### RT0001'],
  phones: ['506 555-01##', '(506) 555-01##'],
  iban: null,
  domain: 'ca',
  streets: '{n}, rue Main|{n}, boul. Acadie|{n}, chemin {last}|{n}, rue Champlain, bureau 2',
  cities: 'Moncton (N.-B.) E1C #@#|Dieppe NB E1A #@#|Edmundston (Nouveau-Brunswick) E3V #@#',
  firms: '{word} ltée|{last} et fils inc.|Groupe {word} inc.|Plomberie {last} inc.',
  cashStepCents: 5,
}

const swissItalian: Locale = {
  ...italyItalian,
  id: 'it-CH',
  country: 'Svizzera',
  numberForms: [APOSTROPHE],
  dateForms: ['DD.MM.YYYY', 'D MMMM YYYY', 'DD.MM.YY'],
  currency: { code: 'CHF', symbol: 'Fr.', places: ['code-before', 'none', 'before-space', 'code-after'] },
  taxRates: [8.1, 2.6, 3.8],
  vatIds: ['CHE-###.###.### IVA'],
  phones: ['+41 91 555 ## ##', '091 555 ## ##'],
  iban: { code: 'CH', bban: '#################' },
  domain: 'ch',
  streets: 'Via Nassa {n}|Via {last} {n}|Piazza Grande {n}|Viale Stazione {n}',
  cities: '6900 Lugano|6600 Locarno|6500 Bellinzona|6850 Mendrisio',
  firms: '{word} SA|{last} Sagl|Fiduciaria {last} SA|Falegnameria {last} Sagl',
  cashStepCents: 5,
}

const mexicanSpanish: Locale = {
  ...spainSpanish,
  id: 'es-MX',
  country: 'México',
  numberForms: [COMMA_DOT],
  dateForms: ['DD/MM/YYYY', 'D de MMMM de YYYY', 'DD-MMM-YYYY'],
  currency: { code: 'MXN', symbol: 'MX$', places: ['before', 'code-after', 'code-after'] },
  taxRates: [16, 16, 8],
  labels: { vatId: 'RFC|R.F.C.' },
  vatIds: ['@@@######@##'],
  phones: ['55 5555 ####', '+52 33 5555 ####'],
  iban: null,
  domain: 'mx',
  streets: 'Av. Insurgentes Sur {n}|Calle {last} No. {n}|Blvd. Díaz Ordaz {n}|Paseo de la Reforma {n}, Piso 4',
  cities:
    'Col. Roma Norte/06700 Ciudad de México|Col. Centro, 64000 Monterrey, N.L.|44100 Guadalajara, Jal.|76000 Querétaro, Qro.',
  firms: '{word}, S.A. de C.V.|{last} y Asociados, S.C.|Grupo {word}, S.A. de C.V.|Hotel {word}',
}

const places = [newZealandEnglish, southAfricanEnglish, belgianFrench, canadianFrench, swissItalian, mexicanSpanish]

/** Locales that were kept out in the second round, with their weights. */
export const releasedLocales: readonly (readonly [number, Locale])[] = places.map((locale) => [1.1, locale] as const)

/** Pairs of languages on one form that were kept out in the second round. */
export function releasedPairs(partners: Readonly<Record<'dutch' | 'swissGerman', Locale>>): [Locale, Locale][] {
  return [
    [belgianFrench, partners.dutch],
    [swissItalian, partners.swissGerman],
    [canadianFrench, canadianEnglish],
  ]
}
