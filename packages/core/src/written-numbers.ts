/** The sign before decimals. */
export type Decimal = '.' | ','

// A text with one number: its sign or brackets, and words or a currency around it.
const oneNumber = /^(\(?)([^\d()]*?)((?:(?<!\p{L})[.,])?\d(?:[\d.,'’\s]*\d)?)([^\d()]*)(\)?)$/u

const digitsWith: Readonly<Record<Decimal, RegExp>> = {
  // The second way of grouping is that of India.
  '.': /^(?:\d+|[1-9]\d{0,2}([,'’\s])\d{3}(?:\1\d{3})*|[1-9]\d?(?:,\d\d)+,\d{3})?(?:\.\d+)?$/,
  ',': /^(?:\d+|[1-9]\d{0,2}([.'’\s])\d{3}(?:\1\d{3})*)?(?:,\d+)?$/,
}

/** The number that a text means where decimals follow this sign; undefined: none. */
export function numberWith(decimal: Decimal, text: string): number | undefined {
  const [, open, before = '', digits = '', after = '', close] =
    oneNumber.exec(text.trim().replaceAll(/[−–]/g, '-')) ?? []
  if (Boolean(open) !== Boolean(close) || digits === '' || !digitsWith[decimal].test(digits)) return undefined
  const signs = before.split('-').length - 1 + (after.trimStart().startsWith('-') ? 1 : 0) + (open ? 1 : 0)
  const other = decimal === '.' ? ',' : '.'
  const value = Number(
    digits
      .replaceAll(/['’\s]/g, '')
      .replaceAll(other, '')
      .replace(decimal, '.'),
  )
  return signs > 1 ? undefined : signs === 1 && value !== 0 ? -value : value
}

export interface NumberHabits {
  /** How the document writes decimals; undefined: nothing in it says so. */
  readonly decimal?: Decimal | undefined
  readonly isWhole?: boolean
}

/** The numbers that a typed text can mean, the likelier first. More than one: only its writer knows. */
export function readingsOf(text: string, { decimal, isWhole = false }: NumberHabits): readonly number[] {
  const known = decimal && numberWith(decimal, text)
  const signs = ['.', ','] as const
  const all = known !== undefined ? [known] : [...new Set(signs.flatMap((sign) => numberWith(sign, text) ?? []))]
  const whole = all.filter(Number.isInteger)
  return isWhole && whole.length > 0 ? whole : all
}

/** A number as a document writes it, without groups. */
export const writtenNumber = (value: number, decimal: Decimal = '.'): string => String(value).replace('.', decimal)
