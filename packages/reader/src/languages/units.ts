import { namePhrase, phraseOf } from '../layout/text.ts'
import type { LeafPlan } from '../schema/plan.ts'
import type { Kind } from './concept.ts'
import { type CurrencyMatch, dollars, findCurrencies, isCurrencyCode, isDollarSign } from './currencies.ts'

/** Units of numbers in sentences, one word each. Numerals such as `million` and `dozen` are not units. */
const units = new Set(
  (
    'kg kilos kilograms g grams mg t tons tonnes lb lbs pounds oz ounces km kilometers kilometres m meters metres cm mm mi miles ft feet inches ' +
    'l liters litres ml kwh kw w v hours hour h minutes minute min seconds second days day weeks week months month years year ' +
    'pieces piece pcs units unit items item pages page people persons person ' +
    'stuck tage tag wochen monate jahre stunden seiten personen jours jour semaines mois ans heures pieces personnes ' +
    'dias dia semanas meses anos horas piezas personas giorni ore mesi anni pezzi persone dagen dag uren maanden jaar stuks personen pecas pessoas'
  ).split(' '),
)

/** True for a unit of numbers in sentences. */
export const isUnit = (text: string): boolean => units.has(phraseOf(text))

/** True when a text is a unit that a field's numbers may have: the unit that the field names, else any. */
export function isUnitFor(plan: LeafPlan, text: string): boolean {
  if (plan.meaning.kind !== 'number' && plan.meaning.kind !== 'integer') return false
  const unit = phraseOf(text)
  if (!units.has(unit)) return false
  const { description } = plan.schema
  const named = `${plan.meaning.path} ${typeof description === 'string' ? phraseOf(description) : ''}`
    .split(' ')
    .filter((word) => units.has(word))
  return named.length === 0 || named.includes(unit)
}

/** Measures as names of fields write them: `net_t`, `surface_m2`. */
const measures = new Set('kg g mg t km m cm mm m2 m3 l ml kwh kw kmh lux lb oz'.split(' '))
/** Other words for them: `net_weight_tonnes`. A meter also counts, and a pound is also money. */
const spelled: ReadonlyMap<string, string> = new Map(
  Object.entries({
    t: 'tonne tonnes ton tons tonnen toneladas tonnellate',
    kg: 'kilo kilos kilogram kilograms kilogramm kilogrammes',
    g: 'grams gramm grammes',
    l: 'litre litres liter liters litros litri',
    km: 'kilometre kilometres kilometer kilometers',
    m: 'metre metres',
    lb: 'lbs',
    oz: 'ounces',
    m2: 'm²',
    m3: 'm³',
    kmh: 'km/h',
  }).flatMap(([measure, words]) => words.split(' ').map((word) => [word, measure])),
)
const asMeasure = (word: string): string | null => (measures.has(word) ? word : (spelled.get(word) ?? null))

const measureWords = [...measures, ...spelled.keys()].toSorted((a, b) => b.length - a.length).join('|')
const measurePattern = new RegExp(`^\\s?(${measureWords})(?![\\p{L}\\p{N}²³/])`, 'iu')
/** What a label says of the values: `Weight (kg)`, `net_kg`, `Poids en kg`, `Gewicht kg`; a single letter only in brackets. */
const labelMeasurePattern = new RegExp(
  `(?:[([_]\\s?(${measureWords})\\s?[)\\]]?|(?:\\s|\\b(?:in|en|em)\\s)((?!.(?!\\p{L}))(?:${measureWords})))\\s*:?\\s*$`,
  'iu',
)

const figures: ReadonlySet<Kind> = new Set(['number', 'integer', 'money', 'percent'])

/** Words of fields whose numbers are money for a measure: `price_kg`, `cost_per_km`. */
const rateWords = new Set('per price rate cost fee tariff'.split(' '))

/** The measure, `%` or currency that the name of a field ends with; null for money by a measure, such as `price_per_m2`. */
export function measureNamed({ meaning: { kind, path } }: LeafPlan): string | null {
  const words = path.split(' ')
  const last = words.at(-1) ?? ''
  if (!figures.has(kind) || words.length < 2) return null
  if (last === 'pct' || last === 'percent') return '%'
  // A price may be in a currency and for a measure: `price_usd`, `price_kg`.
  if (isCurrencyCode(last.toUpperCase())) return last.toUpperCase()
  // Behind a currency `m` is for millions.
  if (isCurrencyCode(words.at(-2)?.toUpperCase() ?? '')) return null
  const measure = asMeasure(last)
  return measure === null || kind === 'money' || words.some((word) => rateWords.has(word)) ? null : measure
}

/** The measure that a text begins with. */
export function measureAt(text: string): string | null {
  const found = measurePattern.exec(text)?.[1]?.toLowerCase()
  return found === undefined ? null : asMeasure(found)
}

/** `$` where nothing says which dollars. */
const anyDollar = '$'

const currencyOf = (text: string, one: CurrencyMatch): string => (isDollarSign(text, one) ? anyDollar : one.code)

/** The measure, `%` or currency that a label or a heading states; null for none, and for more than one. */
export function measureOfLabel(label: string): string | null {
  const tail = label.split(/\d(?!\s*$)/).at(-1) ?? ''
  // `VAT 20%:` states a rate of the amount behind it, not in what it is.
  if (/%\W*$/.test(tail) && !/\d\s?%\W*$/.test(label)) return '%'
  const last = namePhrase(tail).split(' ').at(-1)?.toUpperCase() ?? ''
  const stated = new Set(findCurrencies(tail).map((one) => currencyOf(tail, one)))
  if (isCurrencyCode(last)) stated.add(last)
  const [currency, another] = stated
  if (another !== undefined) return null
  const [, marked, written] = labelMeasurePattern.exec(tail) ?? []
  return currency ?? asMeasure((marked ?? written ?? '').toLowerCase())
}

/** A currency is at most so many characters away from its number. */
const besideMax = 24

/** The measure, `%` or currency in which a number is printed. */
export function measurePrinted(text: string, { start, end }: { start: number; end: number }): string | null {
  if (/^\s?%/.test(text.slice(end)) || text.slice(start, end).endsWith('%')) return '%'
  const isBeside = (from: number, to: number): boolean => to >= from && text.slice(from, to).trim() === ''
  const from = Math.max(0, start - besideMax)
  const near = text.slice(from, end + besideMax)
  const money = findCurrencies(near).find(
    (one) =>
      isBeside(from + one.end, start) ||
      isBeside(end, from + one.start) ||
      (from + one.start >= start && from + one.end <= end),
  )
  return money === undefined ? measureAt(text.slice(end)) : currencyOf(near, money)
}

/** Whether what is asked for in one measure is stated in another. A letter behind a price is no measure, but often the class of its tax. */
export function differs(named: string, stated: string): boolean {
  if (stated === named || (stated === anyDollar && dollars.has(named))) return false
  return !(isCurrencyCode(named) && /^\p{L}$/u.test(stated))
}

/** True for a number in another measure than the field's: `25.260 kg` for `net_t`, `EUR 12.50` for `surcharge_pct`. */
export function isOtherMeasure(plan: LeafPlan, text: string, place: { start: number; end: number }): boolean {
  const named = measureNamed(plan)
  const printed = named === null ? null : measurePrinted(text, place)
  return named !== null && printed !== null && differs(named, printed)
}
