import { fold } from '../layout/text.ts'
import type { ParsedValue } from './parsed-values.ts'

/** The words of a language for 2 to 19 and for the tens, and how a ten and a unit are joined. */
interface Words {
  readonly small: string
  readonly tens: string
  readonly join: (ten: string, unit: string) => readonly string[]
}

/** In the order of the numbers. Words behind a `-` mean something else in another language, and count only within longer ones: `ventidue`. */
const languages: readonly Words[] = [
  {
    small:
      'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    tens: 'twenty thirty forty fifty sixty seventy eighty ninety',
    join: (ten, unit) => [`${ten}-${unit}`],
  },
  {
    small:
      'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
    tens: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
    join: (ten, unit) => [`${unit}und${ten}`],
  },
  {
    small:
      'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf',
    tens: 'vingt trente quarante cinquante soixante -septante quatre-vingts -nonante',
    join: (ten, unit) => [`${ten.replace(/vingts$/, 'vingt')}-${unit}`],
  },
  {
    small:
      '-dos tres cuatro cinco seis siete ocho nueve diez -once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve',
    tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    join: (ten, unit) => (ten === 'veinte' ? [`veinti${unit}`] : [`${ten} y ${unit}`]),
  },
  {
    small:
      '-due tre quattro cinque -sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
    tens: 'venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
    join: (ten, unit) => [unit === 'otto' ? `${ten.slice(0, -1)}${unit}` : `${ten}${unit}`],
  },
  {
    small:
      'twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien',
    tens: 'twintig dertig veertig vijftig zestig zeventig tachtig negentig',
    join: (ten, unit) => [`${unit}${unit.endsWith('e') ? 'ën' : 'en'}${ten}`],
  },
  {
    small:
      'dois três quatro cinco seis sete oito nove dez -onze doze treze catorze quinze dezasseis dezassete dezoito dezanove',
    tens: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
    join: (ten, unit) => [`${ten} e ${unit}`],
  },
]

const valueOfWords: ReadonlyMap<string, number> = new Map(
  languages.flatMap(({ small, tens, join }) => {
    const units = small.split(' ').map((word, at) => ({ word, value: at + 2 }))
    const ofTens = tens.split(' ').map((word, at) => ({ word, value: at * 10 + 20 }))
    const joined = ofTens.flatMap((ten) =>
      units
        .filter(({ value }) => value < 10)
        .flatMap((unit) =>
          join(ten.word.replace('-', ''), unit.word.replace('-', '')).map((word) => ({
            word,
            value: ten.value + unit.value,
          })),
        ),
    )
    return [...units, ...ofTens, ...joined]
      .filter(({ word }) => !word.startsWith('-'))
      .map(({ word, value }) => [fold(word), value] as const)
  }),
)

const wordPattern = /(?<![\p{L}\d-])\p{L}{3,}(?:-\p{L}{2,}){0,2}(?![\p{L}\d])/gu
/** What joins a ten and a unit: `treinta y cinco`, `quarenta e cinco`. */
const joint = /^ [ye] \p{L}{3,}/u

/** The whole numbers from 2 to 99 that a text spells out in one of seven languages. */
export function readNumberWords(text: string): ParsedValue[] {
  let last = 0
  return [...text.matchAll(wordPattern)].flatMap(({ index, 0: word }) => {
    if (index < last) return []
    const end = index + word.length
    const more = joint.exec(text.slice(end, end + jointMax))?.[0] ?? ''
    const printed = [word + more, word].find((one) => valueOfWords.has(fold(one)))
    const value = printed === undefined ? undefined : valueOfWords.get(fold(printed))
    if (printed === undefined || value === undefined) return []
    last = index + printed.length
    return [{ start: index, end: last, value, printed, fit: 0.5, derived: true }]
  })
}

/** The length of a joint and a unit. */
const jointMax = 12
