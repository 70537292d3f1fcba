import type { Line } from '../layout/layout.ts'
import { type Span, spanFrom, spanOfCells, spanUntil } from '../layout/spans.ts'
import { findNumbers, type NumberStyle } from '../values/numbers.ts'

/** The kind of a word in a receipt line. */
export type WordKind = 'number' | 'times' | 'unit' | 'currency' | 'class' | 'percent' | 'name'

/** A word in a receipt line, or part of one: `2x` is a number and a multiplication sign. */
export interface ReceiptWord {
  readonly kind: WordKind
  readonly text: string
  /** Offsets `[start, end)` in the text of the line. */
  readonly start: number
  readonly end: number
  /** The end of the printed word that this is a part of. */
  readonly wordEnd: number
  readonly cell: number
  readonly x0: number
  readonly x1: number
  readonly value: number
  readonly decimals: number
  /** The unit or mark attached to the number: `kg` in `0.5kg`, `/kg` in `3.99/kg`, `.` in `1.`; empty for a bare number. */
  readonly tail: string
}

/** A tokenised line of a receipt. */
export interface ReceiptLine {
  readonly line: Line
  readonly span: Span
  readonly words: readonly ReceiptWord[]
}

const timesPattern = /^(?:[x×*@]|[àá])$/iu
const unitNames =
  'kg|kgs|g|gr|l|lt|ltr|ltrs|liter|litre|litres|litro|litros|litri|lb|lbs|oz|gal|m|pc|pcs|pz|pza|stk|stck|st|stuks|ud|uds|un|und|ea|each|kwh'
const unitPattern = new RegExp(
  `^(?:${unitNames})\\.?$|^(?:eur|usd|gbp|chf|€|\\$|£|r\\$|brl|aud|cad|nzd)?/\\s?(?:${unitNames}|100g|100ml)\\.?$`,
  'iu',
)
const currencyPattern =
  /^(?:\p{Sc}|R\$|A\$|C\$|NZ\$|RM|[A-Z]{2}\$|EUR|USD|GBP|CHF|AUD|CAD|NZD|BRL|SGD|MYR|Fr\.|SFr\.)$/u
const classPattern = /^(?:[A-Z]{1,2}\d?|\*{1,2}|#|[*(]?[A-Z][*)]?|\d)$/u
/** A number with nothing else in its word but a currency, brackets, and a multiplication sign or unit. */
const numberPattern =
  /^(?<lead>[([]?(?:[x×*@]|à)?(?:\p{Sc}|R\$|A\$|C\$|NZ\$|RM|EUR|USD|GBP|CHF)?)(?<number>[-–−+]?(?:\p{Sc})?\d[\d.,'’]*[-–−]?)(?<tail>(?:\p{Sc}|EUR)?(?:\/?(?:kg|lb|ltr?|l|g|st|stk|ud|un|pz|pc|ea)\.?|[x×*@]|[.):]|%|[*#]|[A-Z]\*?)?[)\]]?)$/u

/** Tokenises a line, separating numbers from attached text. Digits of different words never form one number. */
export function receiptWords(line: Line, style: NumberStyle): ReceiptLine {
  const span = spanOfCells(line.cells)
  const words: ReceiptWord[] = []
  let at = 0
  for (const cell of line.cells)
    for (const placed of cell.words) {
      const start = span.starts[at] ?? 0
      at += 1
      const { text } = placed.word
      const place = { cell: cell.index, x0: placed.x0, x1: placed.x1 }
      words.push(...partsOf(text, style).map((part) => ({ ...part, ...place, ...shift(part, start) })))
    }
  return { line, span, words }
}

type Part = Omit<ReceiptWord, 'cell' | 'x0' | 'x1'>

const shift = (part: Part, by: number) => ({ start: part.start + by, end: part.end + by, wordEnd: part.wordEnd + by })

const plain = (kind: WordKind, text: string, start = 0): Part => ({
  kind,
  text,
  start,
  end: start + text.length,
  wordEnd: start + text.length,
  value: 0,
  decimals: 0,
  tail: '',
})

function partsOf(text: string, style: NumberStyle): Part[] {
  const match = numberPattern.exec(text)
  const groups = match?.groups
  const lead = groups?.['lead'] ?? ''
  const printed = groups?.['number']?.replace(/[.,]$/, '') ?? ''
  const [number, more] = match === null ? [] : findNumbers(printed, style)
  if (match === null || number === undefined || more !== undefined) return [plain(sortOf(text), text)]
  const tail = text.slice(lead.length + printed.length)
  if (tail.includes('%')) return [plain('percent', text)]
  const wordEnd = text.length
  const parts: Part[] = []
  if (/[x×*@à]/iu.test(lead)) parts.push(plain('times', lead))
  const start = lead.length
  // Brackets around an amount are its minus sign and belong to it.
  const close = lead.startsWith('(') ? text.indexOf(')', start) : -1
  parts.push({
    ...plain('number', printed, start),
    ...(close >= 0 && { start: 0, end: close + 1 }),
    wordEnd,
    value: close >= 0 ? -Math.abs(number.value) : number.value,
    decimals: number.decimals,
    tail: tail.replace(/[)\]*#\p{Sc}]|EUR/gu, (mark) => (mark === ')' && lead === '' ? mark : '')),
  })
  if (/[x×@]$/iu.test(tail)) parts.push(plain('times', tail, start + printed.length))
  return parts
}

function sortOf(text: string): WordKind {
  if (timesPattern.test(text)) return 'times'
  if (currencyPattern.test(text)) return 'currency'
  if (unitPattern.test(text)) return 'unit'
  if (/^[([]?[\d.,]+\s?%[)\]]?$|^%$/u.test(text)) return 'percent'
  return classPattern.test(text) ? 'class' : 'name'
}

/** The span from the first to the last of consecutive words, up to the last word's own end; null when empty. */
export function spanOfWords({ span }: ReceiptLine, words: readonly ReceiptWord[]): Span | null {
  const first = words[0]
  const last = words.at(-1)
  if (first === undefined || last === undefined) return null
  const from = spanFrom(span, first.start)
  return spanUntil(from, last.end - first.start)
}
