const locale = navigator.language
// Whole numbers are grouped from five digits on, so that years are not; amounts as the locale does.
const whole = new Intl.NumberFormat(locale, { useGrouping: 'min2' })
const amount = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })

/** A number that nobody takes for another: its groups are parted by spaces. */
export const exactNumber = (value: number): string =>
  amount
    .formatToParts(value)
    .map(({ type, value: text }) => (type === 'group' ? '\u202f' : text))
    .join('')

/** A localised number; at least `fractionDigits`, so that the figures of a column align. */
export function numberText(value: number, fractionDigits = 0): string {
  if (fractionDigits === 0) return (Number.isInteger(value) ? whole : amount).format(value)
  return new Intl.NumberFormat(locale, { minimumFractionDigits: fractionDigits, maximumFractionDigits: 20 }).format(
    value,
  )
}
