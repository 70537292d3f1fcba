import { phraseOf } from '../layout/text.ts'
import type { LeafPlan } from '../schema/plan.ts'
import type { Kind } from './concept.ts'
import { dollars, findCurrencies, isCurrencyCode, isDollarSign } from './currencies.ts'

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
const measures = new Set('kg g mg t km m cm mm m2 m3 l ml kwh kw kmh lux'.split(' '))
const measurePattern = /^\s?(kg|g|mg|t|km\/h|km|m|cm|mm|m2|m²|m3|m³|l|ml|kwh|kw|lux)(?![\p{L}\p{N}²³/])/iu
const spelled: Readonly<Record<string, string>> = { 'm²': 'm2', 'm³': 'm3', 'km/h': 'kmh' }

const figures: ReadonlySet<Kind> = new Set(['number', 'integer', 'money', 'percent'])

/** Words of fields whose numbers are money for a measure: `price_kg`, `cost_per_km`. */
const rateWords = new Set('per price rate cost fee tariff'.split(' '))

/** The measure, `%` or currency that the name of a field ends with; null for money by a measure, such as `price_per_m2`. */
export function measureNamed({ meaning: { kind, path } }: LeafPlan): string | null {
  const words = path.split(' ')
  const last = words.at(-1) ?? ''
  if (!figures.has(kind) || words.length < 2) return null
  if (last === 'pct' || last === 'percent') return '%'
  if (words.some((word) => rateWords.has(word))) return null
  // Money is in no measure: `price_kg`.
  if (measures.has(last)) return kind === 'money' ? null : last
  return isCurrencyCode(last.toUpperCase()) ? last.toUpperCase() : null
}

/** The measure that a text begins with. */
export function measureAt(text: string): string | null {
  const found = measurePattern.exec(text)?.[1]?.toLowerCase()
  return found === undefined ? null : (spelled[found] ?? found)
}

/** True for a number in another measure than the field's: `25.260 kg` for `net_t`, `EUR 12.50` for `surcharge_pct`. */
export function isOtherMeasure(plan: LeafPlan, text: string, { start, end }: { start: number; end: number }): boolean {
  const named = measureNamed(plan)
  if (named === null) return false
  const isPercent = /^\s?%/.test(text.slice(end)) || text.slice(start, end).endsWith('%')
  const printed = isPercent ? '%' : measureAt(text.slice(end))
  if (printed === named) return false
  const isBeside = (from: number, to: number): boolean => to >= from && text.slice(from, to).trim() === ''
  const money = findCurrencies(text).find(
    (one) => isBeside(one.end, start) || isBeside(end, one.start) || (one.start >= start && one.end <= end),
  )
  if (money !== undefined) return money.code !== named && !(isDollarSign(text, money) && dollars.has(named))
  return printed !== null
}
