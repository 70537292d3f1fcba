import { fold } from '../layout/text.ts'
import { readNumberWords } from './number-words.ts'

/** The units of spans of time in seven languages, folded, by what they are. */
const unitWords: Readonly<Record<string, string>> = {
  minute: 'minutes minute minuten minuti minuto minutos minuut',
  hour: 'hours hour stunden stunde heures heure horas hora ore ora uren uur',
  day: 'days day tagen tage tag jours jour dias dia giorni giorno dagen dag',
  week: 'weeks week wochen woche semaines semaine semanas semana settimane settimana weken week',
  month: 'months month monaten monate monat mois meses mes mesi mese maanden maand',
  year: 'years year jahren jahre jahr ans an annees annee anos ano anni anno jaren jaar',
}
const unitOf: ReadonlyMap<string, string> = new Map(
  Object.entries(unitWords).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit] as const)),
)

/** Words for one, which are also articles. */
const one = /(?<![\p{L}\d])(?:one|eine[mrns]?|ein|une?|una|uno|een|één|uma?)(?![\p{L}\d])/giu
/** Figures that no other figures, points or dashes belong to. */
const figures = /(?<![\p{L}\d.,/-])\d{1,3}(?:[.,]\d)?(?![\d/]|[.,]\d)/gu
/** What may stand between the number and its unit: the number again in brackets, a dash, a word that says which days count. */
const toUnit =
  /^(?:\s*[([]\s*[\p{L}\d -]{1,20}\s*[)\]])?[\s-]+(?:(?:calendar|business|working|consecutive|full|clear|additional|further|vollen?|weiteren?|volledige|opeenvolgende)\s+)?(\p{L}{2,14})(?!\p{L})/iu
/** Days that compounds name: `Werktage`, `werkdagen`. */
const daysPattern = /^(?:kalender|werk|arbeits|bank|geschafts)(?=tage?n?$|dagen$)/u
/** Hundreds and thousands before a word for a number, which then is only a part of it. */
const largePattern =
  /(?:hundred|hundert|cents?|cento|cientos?|honderd|thousand|tausend|mille?|duizend)(?:\s(?:and|et|y|e|und|en))?\s$/iu
const anyWord = /(?<!\p{L})\p{L}{2,14}(?!\p{L})/gu

const unitNamed = (word: string): string | undefined => unitOf.get(fold(word).replace(daysPattern, ''))

/** A span of time: characters `[start, end)` of a text, its length, and the unit that is counted. */
export interface Duration {
  readonly start: number
  readonly end: number
  readonly length: number
  readonly unit: string
}

/** The spans of time that a text states in one of seven languages: `two (2) years`, `30 Tage`, `dix-huit mois`. */
export function findDurations(text: string): Duration[] {
  if (![...text.matchAll(anyWord)].some(([word]) => unitNamed(word) !== undefined)) return []
  const numbers = [
    ...[...text.matchAll(figures)].map(({ index, 0: printed }) => ({
      ...{ start: index, end: index + printed.length },
      length: Number(printed.replace(',', '.')),
    })),
    ...readNumberWords(text).map(({ start, end, value }) => ({ start, end, length: Number(value) })),
    ...[...text.matchAll(one)].map(({ index, 0: word }) => ({ start: index, end: index + word.length, length: 1 })),
  ].toSorted((a, b) => a.start - b.start)
  const found: Duration[] = []
  for (const { start, end, length } of numbers) {
    if (start < (found.at(-1)?.end ?? 0) || goesOnFrom(text.slice(Math.max(0, start - beforeMax), start))) continue
    const [whole, word = ''] = toUnit.exec(text.slice(end, end + spanMax)) ?? []
    const unit = unitNamed(word)
    if (whole !== undefined && unit !== undefined) found.push({ start, end: end + whole.length, length, unit })
  }
  return found
}

/** Characters that are looked at before a number. */
const beforeMax = 24
/** Characters from the end of a number to the end of its unit. */
const spanMax = 50

/** Whether words before a number are a part of it, or begin a range: `twenty four`, `1 300`, `two hundred`, `5 to 7`. */
function goesOnFrom(before: string): boolean {
  const last = /\p{L}+(?=[\s-](?:(?:and|und|et|y|e|en)\s)?$)/u.exec(before)?.[0]
  const isPart = last !== undefined && readNumberWords(last).length > 0
  return isPart || largePattern.test(before) || rangePattern.test(before)
}

const rangePattern = /\d(?:[\s’'.,]|\s?(?:to|and|bis|und|à|et|a|al|e|y|tot|en|até|or|oder|ou|o|of|[-–—])\s?)$/u

/** The span of time that a text is as a whole, or null. */
export function durationOf(text: string): Pick<Duration, 'length' | 'unit'> | null {
  const [found, ...more] = findDurations(text)
  const isWhole = found !== undefined && !/[\p{L}\d]/u.test(text.slice(0, found.start) + text.slice(found.end))
  return isWhole && more.length === 0 ? { length: found.length, unit: found.unit } : null
}
