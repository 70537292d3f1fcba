/** An exact number: a whole numerator over a whole denominator above zero, in lowest terms. */
export interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

/** The fraction of two whole numbers. `under` must not be zero. */
export function fraction(over: bigint, under = 1n): Fraction {
  const divisor = greatestCommon(over, under)
  const sign = under < 0n ? -1n : 1n
  return { over: (sign * over) / divisor, under: (sign * under) / divisor }
}

function greatestCommon(left: bigint, right: bigint): bigint {
  let [a, b] = [left < 0n ? -left : left, right < 0n ? -right : right]
  while (b !== 0n) [a, b] = [b, a % b]
  return a === 0n ? 1n : a
}

/** A decimal as written, `12.50`, exactly. */
export function fractionOf(decimal: string): Fraction {
  const [whole = '0', part = ''] = decimal.split('.')
  return fraction(BigInt(whole + part), 10n ** BigInt(part.length))
}

export const add = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.over * b.under + b.over * a.under, a.under * b.under)
export const subtract = (a: Fraction, b: Fraction): Fraction => add(a, { over: -b.over, under: b.under })
export const multiply = (a: Fraction, b: Fraction): Fraction => fraction(a.over * b.over, a.under * b.under)
export const divide = (a: Fraction, b: Fraction): Fraction => fraction(a.over * b.under, a.under * b.over)
export const isLess = (a: Fraction, b: Fraction): boolean => a.over * b.under < b.over * a.under

/** Rounded to this many decimal places, halves away from zero. */
export function round(value: Fraction, places: number): Fraction {
  const scale = 10n ** BigInt(places)
  const doubled = value.over * scale * 2n
  const half = value.over < 0n ? -value.under : value.under
  return fraction((doubled + half) / (value.under * 2n), scale)
}

/** Written as a decimal of at most `places` places, without zeros at its end. */
export function decimalOf(value: Fraction, places: number): string {
  const { over, under } = round(value, places)
  const scaled = (over * 10n ** BigInt(places)) / under
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const part = digits.slice(digits.length - places).replace(/0+$/, '')
  return `${scaled < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`
}
