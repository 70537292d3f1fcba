import { keptOutLabels } from './kept-out-labels.ts'
import { moreKeptOutLabels } from './kept-out-labels-more.ts'
import { keptOutThings } from './kept-out-things.ts'
import type { LabelKey, Labels } from './lexicon.ts'
import { COMMA_DOT, DOT_COMMA, type Locale, SPACE_COMMA } from './locale.ts'
import { britishEnglish } from './locales-english.ts'
import { germanyGerman } from './locales-german.ts'
import { franceFrench, portugalPortuguese, spainSpanish } from './locales-romance.ts'
import { type RoundWords, withRoundWords } from './round-words.ts'
import { trainWordings } from './train-wordings.ts'

const labels = { ...keptOutLabels, ...moreKeptOutLabels }

/** What the kept-out part has for itself in the language of a locale. */
export function keptOutWordsOf(locale: Locale): RoundWords {
  const language = locale.id.slice(0, 2)
  const things = keptOutThings[language]
  if (things === undefined) throw new Error(`no words are kept out in ${language}`)
  return { labels: unseen(locale, labels[language] ?? {}), ...things }
}

/** Wordings that the train part has come to print are not the kept-out part's own any more. */
function unseen(locale: Locale, own: Partial<Labels>): Partial<Labels> {
  const kept: Partial<Record<LabelKey, string>> = {}
  for (const [key, wordings] of Object.entries(own) as [LabelKey, string][]) {
    const known = trainWordings(locale, key).map((wording) => wording.toLowerCase())
    const left = wordings.split('|').filter((wording) => !known.includes(wording.toLowerCase()))
    if (left.length > 0) kept[key] = left.join('|')
  }
  return kept
}

/** The locale with the words of the kept-out part beside the common ones, and firms of its own. */
export const withKeptOutWords = (locale: Locale): Locale =>
  withRoundWords(locale, keptOutWordsOf(locale), { isOwnPlace: false })

const singaporeEnglish: Locale = {
  ...britishEnglish,
  id: 'en-SG',
  country: 'Singapore',
  numberForms: [COMMA_DOT],
  dateForms: ['DD MMM YYYY', 'DD/MM/YYYY', 'D MMMM YYYY'],
  currency: { code: 'SGD', symbol: 'S$', places: ['before', 'code-before', 'none'] },
  taxRates: [9],
  labels: {
    tax: 'GST|GST payable',
    vatId: 'GST Reg. No.|GST registration',
    taxColumn: 'GST',
    includedTax: 'GST included',
  },
  vatIds: ['M9-#######-#', '20########'],
  phones: ['+65 6555 ####', '6555 ####'],
  iban: null,
  domain: 'com.sg',
  streets: '{n} Orchard Road|Blk {n} Ang Mo Kio Avenue 3|{n} Jalan Besar|{n} Tuas South Street 2',
  cities: 'Singapore 2#####|#0#-1##/Singapore 56####',
}

const luxembourgGerman: Locale = {
  ...germanyGerman,
  id: 'de-LU',
  country: 'Luxemburg',
  numberForms: [DOT_COMMA, SPACE_COMMA],
  taxRates: [17, 14, 8],
  vatIds: ['LU########'],
  phones: ['+352 26 55 ## ##', '26 55 ## ##'],
  iban: { code: 'LU', bban: '################' },
  domain: 'lu',
  streets: '{n}, Esplanade|{n}, Neudorfstraße|Zum Weiher {n}',
  cities: 'L-4#20 Esch-sur-Alzette|L-92## Diekirch|L-66## Wasserbillig',
}

const luxembourgFrench: Locale = {
  ...franceFrench,
  id: 'fr-LU',
  country: 'Luxembourg',
  numberForms: [DOT_COMMA, SPACE_COMMA],
  taxRates: [17, 14, 8],
  vatIds: ['LU########'],
  phones: ['+352 26 55 ## ##', '26 55 ## ##'],
  iban: { code: 'LU', bban: '################' },
  domain: 'lu',
  streets: '{n}, Grand-Rue|{n}, boulevard Royal|{n}, rue de {last}',
  cities: 'L-2#20 Luxembourg|L-8### Bertrange|L-34## Dudelange',
}

const peruSpanish: Locale = {
  ...spainSpanish,
  id: 'es-PE',
  country: 'Perú',
  numberForms: [COMMA_DOT],
  dateForms: ['DD/MM/YYYY', 'D de MMMM de YYYY', 'DD-MM-YYYY'],
  currency: { code: 'PEN', symbol: 'S/', places: ['before-space', 'code-before', 'none'] },
  taxRates: [18],
  labels: { tax: 'IGV|I.G.V.', vatId: 'RUC|R.U.C. N.º', taxColumn: 'IGV', includedTax: 'IGV incluido' },
  vatIds: ['20#########'],
  phones: ['(01) 555-####', '+51 54 555 ###'],
  iban: null,
  domain: 'pe',
  streets: 'Jr. {last} {n}|Av. Arequipa {n}|Calle Los Olivos {n}, Urb. {last}',
  cities: 'Miraflores, Lima|Cercado/Arequipa|San Isidro, Lima 27',
}

const angolaPortuguese: Locale = {
  ...portugalPortuguese,
  id: 'pt-AO',
  country: 'Angola',
  numberForms: [DOT_COMMA, SPACE_COMMA],
  currency: { code: 'AOA', symbol: 'Kz', places: ['after', 'code-after', 'none'] },
  taxRates: [14, 7],
  vatIds: ['54########'],
  phones: ['+244 222 555 ###', '222 555 ###'],
  iban: { code: 'AO', bban: '#####################' },
  domain: 'co.ao',
  streets: 'Rua Amílcar Cabral, {n}|Avenida 4 de Fevereiro, {n}|Rua Kwame Nkrumah n.º {n}',
  cities: 'Ingombota/Luanda|Lobito, Benguela|Lubango - Huíla',
}

/** Locales that no document of the other parts is written in, with their weights. */
export const keptOutLocales: readonly (readonly [number, Locale])[] = [
  singaporeEnglish,
  luxembourgGerman,
  luxembourgFrench,
  peruSpanish,
  angolaPortuguese,
].map((locale) => [1.6, locale] as const)

/** Pairs of languages on one form that no other part has. */
export const keptOutPairs: readonly (readonly [Locale, Locale])[] = [
  [luxembourgGerman, luxembourgFrench],
  [portugalPortuguese, britishEnglish],
]
