import { type Match, readField } from '../labels/label-match.ts'
import { fits } from '../values/values.ts'
import { cellsRight } from './candidates.ts'

const shownMax = 60

/** True for a label that is the field's own name, with its value behind it. */
export const isOwnName = ({ field, hit }: Match): boolean =>
  hit.startsCell &&
  hit.coverage >= 1 &&
  (hit.isWhole || hit.hasColon) &&
  hit.targets.some(({ target, weight }) => target === `f:${field.id}` && weight >= 0.9)

/**
 * Why a field has no value, where the one behind its own name is none that the schema allows, such as 120 where the most is 100; null
 * elsewhere. Another value on the page would then be that of something else.
 */
export function refusalAt(match: Match): string | null {
  const { field, hit, sheet } = match
  if (!isOwnName(match) || field.plan.choices.length > 0) return null
  const text = (hit.isWhole ? cellsRight(match)[0]?.text : hit.rest.text)?.trim() ?? ''
  const readings = text === '' ? [] : readField(field, text, sheet)
  if (readings.length === 0 || readings.some((reading) => fits(field.plan, reading))) return null
  return `The schema does not allow the value at this name: ${JSON.stringify(text.slice(0, shownMax))}.`
}
