/** How numbers are written: thousands separator (may be empty) and decimal mark. */
export interface NumberForm {
  readonly group: string
  readonly decimal: string
}

/** Where the currency is printed relative to an amount. */
export type CurrencyPlace = 'before' | 'before-space' | 'after' | 'code-before' | 'code-after' | 'none'

export interface MoneyForm extends NumberForm {
  readonly place: CurrencyPlace
  readonly code: string
  readonly symbol: string
}

/** A number with a fixed number of decimals and grouped thousands. Negative numbers have a leading minus. */
function writeNumber(value: number, decimals: number, form: NumberForm): string {
  const [whole = '0', part] = Math.abs(value).toFixed(decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, form.group)
  return `${value < 0 ? '-' : ''}${grouped}${part === undefined ? '' : form.decimal + part}`
}

/** Formats cents as money in the document's form. */
export function writeMoney(cents: number, form: MoneyForm): string {
  const digits = writeNumber(Math.abs(cents) / 100, 2, form)
  const sign = cents < 0 ? '-' : ''
  switch (form.place) {
    case 'before':
      return `${sign}${form.symbol}${digits}`
    case 'before-space':
      return `${form.symbol} ${sign}${digits}`
    case 'after':
      return `${sign}${digits} ${form.symbol}`
    case 'code-before':
      return `${form.code} ${sign}${digits}`
    case 'code-after':
      return `${sign}${digits} ${form.code}`
    case 'none':
      return `${sign}${digits}`
  }
}

/** Formats a quantity or rate with as few decimals as possible, at most three. */
export function writeQuantity(value: number, form: NumberForm): string {
  const needed = [0, 1, 2, 3].find((n) => Math.abs(Number(value.toFixed(n)) - value) < 1e-9) ?? 3
  return writeNumber(value, needed, form)
}
