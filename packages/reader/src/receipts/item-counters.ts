import type { ReceiptLine, ReceiptWord } from '../languages/receipt-words.ts'

/** The largest counter of receipt items. */
const indexMax = 999
/** The minimum number of items with ascending plain numbers for these to be counters. */
const plainRunMin = 3
/** The minimum share of named lines with amounts that a run of counters must cover. */
const runShare = 0.8
/** The minimum number of digits of a number in front of a name for it to be an article code. */
const codeDigits = 5
/** The minimum number of lines with shorter codes for these to count. */
const shortCodesMin = 2

const hasName = (words: readonly ReceiptWord[]): boolean => words.some((word) => word.kind === 'name')
const endsInAmount = ({ words }: ReceiptLine): boolean =>
  words.some((word) => word.kind === 'number' && word.decimals === 2)

const indexOf = ({ words }: ReceiptLine): ReceiptWord | null => {
  const [first, second] = words
  const isIndex =
    first !== undefined &&
    first.kind === 'number' &&
    first.decimals === 0 &&
    first.value >= 1 &&
    first.value <= indexMax &&
    /^(?:[.):]{0,2})$/.test(first.tail) &&
    second !== undefined &&
    second.kind !== 'times' &&
    second.kind !== 'unit' &&
    hasName(words)
  return isIndex ? first : null
}

/** The lines with item counters from one on; empty when the numbers are no counters. */
function countedLines(lines: readonly ReceiptLine[]): Set<ReceiptLine> {
  const counted = new Set<ReceiptLine>()
  let isMarked = true
  for (const line of lines) {
    const index = indexOf(line)
    if (index === null) continue
    if (index.value !== counted.size + 1) {
      if (counted.size > 0 && index.value !== 1) continue
      counted.clear()
      isMarked = true
      if (index.value !== 1) continue
    }
    counted.add(line)
    isMarked &&= /^0\d/.test(index.text) || /^[.):]/.test(index.tail) || index.value > 9
  }
  const places = [...counted].map((line) => lines.indexOf(line))
  const within = lines.slice(Math.min(...places), Math.max(...places) + 1)
  const named = within.filter((line) => hasName(line.words) && endsInAmount(line)).length
  const isRun = counted.size >= plainRunMin || (isMarked && counted.size > 0)
  return isRun && counted.size >= Math.min(named, Math.ceil(named * runShare)) ? counted : new Set()
}

const codeOf = ({ words }: ReceiptLine): ReceiptWord | null => {
  const [first, second] = words
  if (first === undefined || second === undefined || !hasName(words.slice(1)) || !/\d{3}/.test(first.text)) return null
  return /^\d{4,14}$|^[A-Z]{1,3}-?\d{3,}$/.test(first.text) && second.kind !== 'times' ? first : null
}

/** The lines without counters and article codes in front of names. */
export function withoutLeads(lines: readonly ReceiptLine[]): ReceiptLine[] {
  const counted = countedLines(lines)
  const bare = lines.map((line) => (counted.has(line) ? { ...line, words: line.words.slice(1) } : line))
  const coded = bare.filter((line) => endsInAmount(line) && codeOf(line) !== null).length
  return bare.map((line) => {
    const code = codeOf(line)
    const isCode =
      code !== null && (/^\d+$/.test(code.text) && code.text.length >= codeDigits ? true : coded >= shortCodesMin)
    return isCode ? { ...line, words: line.words.slice(1) } : line
  })
}
