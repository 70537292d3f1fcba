const initials = /\b(?:api|bic|ean|gst|iban|id|po|sku|url|vat)\b/gi

/** A JSON Pointer for people: `/vendor/vat_id` → `Vendor · VAT ID`; of a field of rows, `*` stands for each. */
export const pathLabel = (path: string): string =>
  path
    .split('/')
    .slice(1)
    .filter((step) => step !== '*')
    .map((step) => label(step.replaceAll('~1', '/').replaceAll('~0', '~')))
    .join(' · ') || 'Answer'

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
