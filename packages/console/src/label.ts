const initials = /\b(?:api|bic|ean|gst|iban|id|po|sku|url|vat)\b/gi

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
