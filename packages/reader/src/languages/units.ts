import { phraseOf } from '../layout/text.ts'
import type { LeafPlan } from '../schema/plan.ts'

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
