import { type Span, spanFrom, spanOf, spanOfCell, spanUntil } from '../layout/spans.ts'
import { optionsIn } from '../values/ticks.ts'

const separators = [/\s*[;|•]\s*/gu, /,(?!\d)\s*|,\s+/gu, /\s+\/\s+/gu]
const conjunction = /\s(?:and|und|et|y|e|en|&)\s/gu
/** Longer texts are parts of a sentence. */
const wordsMax = 6

/** True for a text with more words than an item of a list has. */
export const isLongText = ({ text }: Span): boolean => text.split(' ').length > wordsMax

/** The texts of a list, and why they may not be its items. */
export interface Parts {
  readonly spans: readonly Span[]
  readonly doubt?: string
}

/** The items of a text in one or more lines: divided at its separators, or its ticked options. Undefined where boxes have no options. */
export function dividedText(lines: readonly Span[]): Parts | undefined {
  const [first] = lines
  if (first === undefined) return undefined
  const whole = spanOf(
    lines.flatMap(({ words }) => words),
    lines.flatMap(({ cells }) => cells),
    -Math.min(0, first.starts[0] ?? 0),
  )
  const { boxes, options } = optionsIn(whole.text)
  if (boxes > 0) {
    const ticked = options.filter(({ isTicked }) => isTicked)
    return options.length < boxes ? undefined : { spans: ticked.map(({ start, end }) => cut(whole, start, end)) }
  }
  const separator = separators.find((one) => whole.text.search(one) >= 0)
  if (separator === undefined) {
    const inCells = first.cells.length > 1 ? first.cells.map(spanOfCell) : lines
    const [only] = inCells.length === 1 ? cutAt(whole, conjunction) : [undefined, undefined]
    if (inCells.length > 1 || only === undefined)
      return { spans: inCells, ...(inCells.length > 1 && { doubt: ofLines }) }
    const spans = cutAt(whole, conjunction)
    return { spans, ...(spans.length > 1 && { doubt: ofCommas }) }
  }
  const parts = cutAt(whole, separator)
  if (separator === separators[0]) return { spans: parts }
  if (parts.some(isLongText)) return { spans: [whole], doubt: ofCommas }
  const last = parts.at(-1)
  return { spans: [...parts.slice(0, -1), ...(last ? cutAt(last, conjunction) : [])], doubt: ofCommas }
}

export const ofCommas = 'The text was divided at its commas and words such as "and", which may be part of an item.'
export const ofLines = 'Each line or column of the text was taken for an item.'

function cut(span: Span, start: number, end: number): Span {
  const tail = spanFrom(span, start)
  return spanUntil(tail, end - (span.text.length - tail.text.length))
}

/** The texts between separators outside brackets. */
function cutAt(span: Span, separator: RegExp): Span[] {
  const parts: Span[] = []
  let from = 0
  for (const { 0: text, index } of span.text.matchAll(separator)) {
    if (/\([^)]*$/u.test(span.text.slice(from, index))) continue
    parts.push(cut(span, from, index))
    from = index + text.length
  }
  return [...parts, cut(span, from, span.text.length)].filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}
