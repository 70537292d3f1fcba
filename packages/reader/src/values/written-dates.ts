import { dayOf, isoDay, monthOf } from './dates.ts'
import { readNumberWords } from './number-words.ts'
import type { ParsedValue } from './parsed-values.ts'

/** English ordinals of days, and the words for the first of a month elsewhere. */
const ordinals: ReadonlyMap<string, number> = new Map([
  ...'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
    .split(' ')
    .map((word, at) => [word, at + 1] as const),
  ...'first second third fourth fifth sixth seventh eighth ninth'
    .split(' ')
    .map((word, at) => [`twenty-${word}`, at + 21] as const),
  ...([
    ['thirtieth', 30],
    ['thirty-first', 31],
  ] as const),
  ...([
    ['veintiuno', 21],
    ['ventuno', 21],
    ['ventotto', 28],
    ['treinta y uno', 31],
    ['trentuno', 31],
  ] as const),
  ...'ersten erste premier primero primo eerste primeiro um uno'.split(' ').map((word) => [word, 1] as const),
])

/** A day in words or figures, the words that may follow it, the month, and the year in words or figures. */
const datePattern =
  /(?<![\p{L}\d])(\d{1,2}(?:st|nd|rd|th)?|\p{L}{2,12}(?:[- ](?:y |e )?\p{L}{2,9})?),?\s(?:(?:days?|d[ií]as|jours|giorni|dagen|dias)\s)?(?:(?:of|the|month|de|del|di|du|do|des|mes|mês|mois|mese|van|der|maand)\s|d['’]){0,5}(\p{L}{3,10}),?\s(?:(?:of|in|the|year|de|del|do|ano|año|anno|l['’]an)\s){0,4}(\d{4}(?![\d.,]\d|\d)|(?:two thousand|zweitausend|deux mille|dos mil|duemila|tweeduizend|dois mil)(?:[ -]?(?:and |und |e )?[\p{L}-]{2,}(?: [ye] \p{L}{3,})?)?)/giu
const thousands =
  /^(?:two thousand|zweitausend|deux mille|dos mil|duemila|tweeduizend|dois mil)[ -]?(?:and |und |e )?/iu

/** The number that a text is in words, from 2 to 99, or null. */
function numberOf(words: string): number | null {
  const [found] = readNumberWords(words)
  return found?.start === 0 && found.end === words.length ? Number(found.value) : null
}

const dayNumberOf = (word: string): number | null =>
  Number.parseInt(word, 10) || (ordinals.get(word.toLowerCase()) ?? numberOf(word))

/** The day that one or two words name, where another word may stand beside it: `this third`, `third day`. Null where both are numbers. */
function dayIn(text: string): { readonly word: string; readonly day: number } | null {
  const words = text.split(' ')
  const joined = dayNumberOf(text) ?? dayNumberOf(words.join('-'))
  if (joined !== null) return { word: text, day: joined }
  const found = words.flatMap((word) => {
    const day = dayNumberOf(word)
    return day === null ? [] : [{ word, day }]
  })
  return found.length === 1 && !words.some((word) => hundreds.test(word)) ? (found[0] ?? null) : null
}

const hundreds = /^(?:hundred|hundert|cent|cento|ciento|cem|honderd)$/iu
/** Hundreds, units and tens in words. */
const isNumberWord = (word: string): boolean => word !== '' && (dayNumberOf(word) !== null || hundreds.test(word))
const beforeMax = 24

/** Dates whose day or year is in words: `the third day of March, 2025`, `a once de junio de dos mil veinticinco`. */
export function readWrittenDates(text: string): ParsedValue[] {
  return [...text.matchAll(datePattern)].flatMap(
    ({ index, 0: whole, 1: dayText = '', 2: monthText = '', 3: yearText = '' }) => {
      const month = monthOf(monthText)
      if (month === 0 || (/^\d/.test(dayText) && /^\d/.test(yearText))) return []
      const known = dayIn(dayText)
      // A day or year that goes on with another number is not all here: `two thousand twenty five`.
      const [, next = ''] = /^[ -](?:and |y |e |et |und )?(\p{L}+)/u.exec(text.slice(index + whole.length)) ?? []
      const [, before = ''] =
        /(\p{L}+)[ -](?:(?:and|und|y|e|et|en) )?$/u.exec(text.slice(Math.max(0, index - beforeMax), index)) ?? []
      if (isNumberWord(next) || isNumberWord(before)) return []
      const tens = yearText.replace(thousands, '')
      const year = /^\d/.test(yearText) ? Number(yearText) : 2000 + (tens === '' ? 0 : (numberOf(tens) ?? Number.NaN))
      const day = known === null || Number.isNaN(year) ? null : dayOf(year, month, known.day)
      if (known === null || day === null) return []
      const start = index + dayText.lastIndexOf(known.word)
      const end = index + whole.length
      return [{ start, end, value: isoDay(day), printed: text.slice(start, end), fit: 0.9, derived: true }]
    },
  )
}
