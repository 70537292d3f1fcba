import type { ReviewItem } from '@skillrun/client/openapi.ts'
import { pointerSteps } from '@skillrun/core/json.ts'
import { label } from '../label.ts'

type Reason = ReviewItem['reasons'][number]

/** Reasons that are named; the others are counted. */
const namedMax = 4

const endings: Readonly<Record<string, string>> = {
  low_confidence: '',
  missing: ' is missing',
  no_evidence: ' has no evidence',
}

/** Why an execution needs a review, in one line: the fields by their names, those of a list together. */
export function reasonsText(reasons: readonly Reason[]): string {
  const counts = new Map<string, number>()
  for (const { path, code } of reasons) {
    const text = fieldName(path) + (endings[code] ?? `: ${code.replaceAll('_', ' ')}`)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const all = [...counts].map(([text, many]) => (many > 1 ? `${text} (${many})` : text))
  const rest = all.length - namedMax
  return all.slice(0, namedMax).join(', ') + (rest > 0 ? `, and ${rest} more` : '')
}

/** `/vendor/vat_id` → `Vendor VAT ID`; a place in a list → the name of the list. */
export function fieldName(path: string): string {
  const steps = pointerSteps(path)
  const list = steps.findIndex((step) => /^\d+$/.test(step))
  const named = list > 0 ? steps.slice(0, list) : steps
  return named.length === 0 ? 'The answer' : label(named.join('_'))
}
