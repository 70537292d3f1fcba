import { lineWithWord } from '../layout/layout.ts'
import type { Candidate } from '../layout/sheet.ts'
import { sameAmount, toMinorUnit } from '../values/amounts.ts'

/** The tax rate printed on the line of a candidate's label, or null. */
function rateOf({ page, label }: Candidate): string | null {
  const [name] = label
  const line = name && lineWithWord(page, name)
  const text = line?.cells.map((cell) => cell.text).join(' ') ?? ''
  return /\d+(?:[.,]\d+)?(?=\s?%)/.exec(text)?.[0] ?? null
}

const isBeside = ({ relation }: Candidate): boolean => relation === 'same-cell' || relation === 'right'

const amountOf = ({ reading }: Candidate): number => (typeof reading.value === 'number' ? reading.value : Number.NaN)

/** Taxes of several rates, each on its own line: parts of the total tax. Empty when fewer than two rates are printed. */
export function taxParts(taxes: readonly Candidate[]): Candidate[] {
  const parts = new Map<string, Candidate>()
  const rates = new Set<string>()
  for (const tax of taxes) {
    const rate = isBeside(tax) ? rateOf(tax) : null
    if (rate === null) continue
    rates.add(rate)
    const key = `${rate} ${amountOf(tax)}`
    if (!parts.has(key)) parts.set(key, tax)
  }
  return rates.size < 2 ? [] : [...parts.values()]
}

export const sumOfParts = (parts: readonly Candidate[]): number =>
  toMinorUnit(parts.reduce((sum, part) => sum + amountOf(part), 0))

/**
 * Removes parts of a tax from the candidates for the whole tax, and adds their sum where `isConfirmed` confirms it. A
 * candidate that equals the sum stays, as beside a tax of zero.
 */
export function withoutTaxParts(candidates: readonly Candidate[], isConfirmed: (tax: number) => boolean): Candidate[] {
  const taxes = candidates.filter(({ field }) => field.plan.meaning.concept?.id === 'tax')
  const dropped = new Set<Candidate>()
  const added: Candidate[] = []
  for (const field of new Set(taxes.map((tax) => tax.field))) {
    const own = taxes.filter((tax) => tax.field === field)
    const parts = taxParts(own)
    const [first] = parts
    if (first === undefined) continue
    const sum = sumOfParts(parts)
    const isWhole = (tax: Candidate): boolean => sameAmount(amountOf(tax), sum)
    const partWords = new Set(parts.flatMap(({ words }) => words))
    for (const tax of own) if (!isWhole(tax) && tax.words.some((word) => partWords.has(word))) dropped.add(tax)
    if (own.some(isWhole) || !isConfirmed(sum)) continue
    added.push({
      ...first,
      reading: { ...first.reading, value: sum, printed: String(sum), derived: true },
      words: parts.flatMap(({ words }) => words),
      label: parts.flatMap(({ label }) => label),
      relation: 'sum',
      note: `The sum of the taxes at ${parts.length} rates.`,
      isSum: true,
    })
  }
  return [...candidates.filter((candidate) => !dropped.has(candidate)), ...added]
}

/** Removes rates where several are printed with a tax each: none of them is the rate of the document. */
export function withoutPartRates(candidates: readonly Candidate[], taxes: readonly Candidate[]): readonly Candidate[] {
  const parts = taxParts(taxes)
  const sum = sumOfParts(parts)
  if (parts.length === 0 || parts.some((part) => sameAmount(amountOf(part), sum))) return candidates
  return candidates.filter(({ field }) => field.plan.meaning.concept?.id !== 'tax_rate')
}
