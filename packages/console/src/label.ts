import { pointerSteps } from '@skillrun/core/json.ts'

const initials = /\b(?:api|bic|ean|gst|iban|id|po|sku|url|vat)\b/gi

/** A JSON Pointer for people: `/vendor/vat_id` → `Vendor · VAT ID`; of a field of rows, `*` stands for each. */
export const pathLabel = (path: string): string =>
  pointerSteps(path)
    .filter((step) => step !== '*')
    .map(label)
    .join(' · ') || 'Answer'

/** The JSON Pointer of a value for people, with rows counted from 1: `/line_items/0/amount` → `Line items 1 · Amount`. */
export const valueLabel = (pointer: string): string =>
  pointerSteps(pointer)
    .map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : label(step)))
    .join(' · ') || 'The answer'

/** A wire name for people: `invoice_number` → `Invoice number`. */
export function label(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  if (words === '') return name
  const spelled = words.replaceAll(initials, (word) => word.toUpperCase())
  return spelled[0]?.toUpperCase() + spelled.slice(1)
}
