import { isNo, isYes } from '../languages/yes-and-no.ts'
import type { Cell, Line, PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Span, spanOfCells, wordsWithin } from '../layout/spans.ts'
import { wordsAndBoxes } from '../values/ticks.ts'

/** A box of a form with the words beside it. */
export interface BoxedOption {
  readonly text: string
  readonly isTicked: boolean
  /** Its words and its box. */
  readonly words: readonly PlacedWord[]
}

/** What a form asks with boxes, and the options that it offers. */
export interface BoxedQuestion {
  readonly label: string
  readonly labelWords: readonly PlacedWord[]
  readonly options: readonly BoxedOption[]
  readonly page: PageLayout
  /** False where the boxes may as well be behind their words: `Asthma ☒ Diabetes ☐ Other`. */
  readonly isSided: boolean
}

/** A box of a line, and the range of the text that is its words. */
interface Box {
  readonly start: number
  readonly end: number
  readonly isTicked: boolean
}

/** A range of the text of a line. */
interface Range {
  readonly start: number
  readonly end: number
}

interface Place {
  readonly line: Line
  readonly span: Span
  /** Where the cells of the line begin in its text. */
  readonly edges: readonly number[]
}

/** The questions of a page, in reading order. */
export const questionsOf = ({ lines }: PageLayout): BoxedQuestion[] => lines.flatMap(questionsIn)

/** What boxes begin with: most lines have none. */
const sign = /[☐□❏❑☑☒✓✔■●○[(]/u

function questionsIn(line: Line): BoxedQuestion[] {
  if (!line.cells.some(({ text }) => sign.test(text))) return []
  const span = spanOfCells(line.cells)
  const items = wordsAndBoxes(span.text).map((one) => ({ ...one, end: one.start + one.printed.length }))
  const boxes: Box[] = items.flatMap(({ start, end, isTicked }) =>
    isTicked === null ? [] : [{ start, end, isTicked }],
  )
  const [first, last] = [boxes[0], boxes.at(-1)]
  if (first === undefined || last === undefined) return []
  const starts = new Set(line.cells.map(({ words }) => words[0]))
  const edges = span.words.flatMap((word, at) => (starts.has(word) ? [span.starts[at] ?? 0] : []))
  const place = { line, span, edges }
  const headed = underHeadings(place, boxes)
  if (headed) return [headed]
  const [opensWithBox, endsWithBox] = [items[0]?.start === first.start, items.at(-1)?.start === last.start]
  if (opensWithBox && endsWithBox) return []
  if (endsWithBox) return questionsBehind(place, boxes)
  const isLabelled = edges.includes(first.start) || /[:?]\s*$/u.test(span.text.slice(0, first.start))
  return questionsInFront(place, boxes).map((question) => ({ ...question, isSided: opensWithBox || isLabelled }))
}

const textOf = ({ span }: Place, { start, end }: Range): string => span.text.slice(start, end).trim()

const isAnswer = (word: string): boolean => isYes(word) || isNo(word)

/** Boxes in front of their words: `Fasting [X] Yes [ ] No`. */
function questionsInFront(place: Place, boxes: readonly Box[]): BoxedQuestion[] {
  const { span } = place
  const made: { label: Range | undefined; options: { box: Box; words: Range }[] }[] = []
  let label: Range | undefined = labelBefore(place, { start: 0, end: boxes[0]?.start ?? 0 })
  for (const [at, box] of boxes.entries()) {
    const between = { start: box.end, end: boxes[at + 1]?.start ?? span.text.length }
    const { words, next } = dividedAt(place, between, at === boxes.length - 1)
    const open = made.at(-1)
    const repeats = open?.options.some((one) => sameAnswer(textOf(place, one.words), textOf(place, words))) === true
    if (label !== undefined || open === undefined || repeats) made.push({ label, options: [{ box, words }] })
    else open.options.push({ box, words })
    label = next
  }
  // Two columns of answers to one question do not show which is asked for.
  const isRepeated = (at: number): boolean => at >= 0 && made[at + 1] !== undefined && made[at + 1]?.label === undefined
  return made.flatMap((one, at) =>
    isRepeated(at) || isRepeated(at - 1)
      ? []
      : [questionOf(place, { ...one, label: one.label ?? { start: 0, end: 0 } })],
  )
}

const sameAnswer = (one: string, other: string): boolean => (isYes(one) && isYes(other)) || (isNo(one) && isNo(other))

/** The words of an option, and the label of the question that follows it in the same line. */
function dividedAt(place: Place, range: Range, isLast: boolean): { words: Range; next?: Range | undefined } {
  const text = place.span.text.slice(range.start, range.end)
  const edge = place.edges.filter(
    (at) => at > range.start && at < range.end && place.span.text.slice(range.start, at).trim() !== '',
  )
  const [word = ''] = /[\p{L}\p{N}]+/u.exec(text) ?? []
  const ofWord = { start: range.start, end: range.start + text.indexOf(word) + word.length }
  if (isAnswer(word.toLowerCase())) {
    const next = { start: ofWord.end, end: range.end }
    const rest = textOf(place, next)
    if (edge.length > 0 || /^$|[?:]$/u.test(rest))
      return { words: ofWord, ...(!isLast && rest !== '' && { next: labelBefore(place, next) }) }
    // What a comma or a bracket adds belongs to the answer.
    if (isLast || /^[,(–—-]/u.test(rest)) return { words: ofWord }
  }
  const [end] = edge
  if (end === undefined) return { words: range }
  const last = edge.at(-1) ?? end
  return { words: { start: range.start, end }, ...(!isLast && { next: { start: last, end: range.end } }) }
}

/** The part of a range that is the label of the box behind it: its last cell, without the answer before it. */
function labelBefore(place: Place, range: Range): Range | undefined {
  const from = place.edges.findLast(
    (at) => at > range.start && at < range.end && textOf(place, { start: at, end: range.end }) !== '',
  )
  const start = from ?? range.start
  const sentence = /^.*[.:;!?]\s(?=.)/su.exec(place.span.text.slice(start, range.end).trimEnd())?.[0].length ?? 0
  const label = { start: start + sentence, end: range.end }
  return textOf(place, label) === '' ? undefined : label
}

/** Boxes behind their words: `Male ☐ Female ☒`. */
function questionsBehind(place: Place, boxes: readonly Box[]): BoxedQuestion[] {
  const first = { start: 0, end: boxes[0]?.start ?? 0 }
  const text = place.span.text.slice(0, first.end)
  const mark = /^.*[:?]/su.exec(text)?.[0].length
  const edge = place.edges.findLast((at) => at > 0 && at < first.end)
  const from = mark ?? edge ?? 0
  // A box right behind a label is in front of its word.
  if (text.slice(from).trim() === '') return questionsInFront(place, boxes)
  const options = boxes.map((box, at) => ({
    box,
    words: { start: at === 0 ? from : (boxes[at - 1]?.end ?? 0), end: box.start },
  }))
  return [questionOf(place, { label: { start: 0, end: from }, options })]
}

/** How far above a row of boxes its headings are searched. */
const headingLinesMax = 15

/** Boxes alone behind a label, below headings: `Asthma  ☒  ☐` below `Yes  No`. */
function underHeadings(place: Place, boxes: readonly Box[]): BoxedQuestion | undefined {
  const { line, span } = place
  const [first] = boxes
  if (first === undefined || boxes.length < 2) return undefined
  const label = { start: 0, end: first.start }
  const behind = span.text.slice(first.start).replace(/[☐□❏❑☑☒✓✔■●○[\]()xX_\s•]/gu, '')
  if (textOf(place, label) === '' || behind !== '') return undefined
  const placed = boxes.map((box) => wordsWithin(span, box.start, box.end))
  for (let at = line.index - 1; at >= Math.max(0, line.index - headingLinesMax); at--) {
    const headings = placed.map((words) => headingOver(words, line.page.lines[at]))
    if (headings.some((cell) => cell === undefined)) continue
    const options = boxes.map((box) => ({ box, words: { start: box.start, end: box.end } }))
    const question = questionOf(place, { label, options })
    return {
      ...question,
      options: question.options.map((option, index) => ({ ...option, text: headings[index]?.text ?? '' })),
    }
  }
  return undefined
}

function headingOver(words: readonly PlacedWord[], line: Line | undefined): Cell | undefined {
  const [x0, x1] = [Math.min(...words.map((word) => word.x0)), Math.max(...words.map((word) => word.x1))]
  const middle = (x0 + x1) / 2
  return line?.cells.find(
    (cell) => cell.x0 - line.height < middle && middle < cell.x1 + line.height && !/[☐☒☑□]/u.test(cell.text),
  )
}

function questionOf(
  place: Place,
  { label, options }: { label: Range; options: readonly { box: Box; words: Range }[] },
): BoxedQuestion {
  const { line, span } = place
  const ownLabel = textOf(place, label)
  const above = ownLabel === '' ? labelAbove(line, span) : undefined
  return {
    page: line.page,
    isSided: true,
    label: above?.text ?? ownLabel,
    labelWords: above?.words ?? (ownLabel === '' ? [] : wordsWithin(span, label.start, label.end)),
    options: options.map(({ box, words }) => ({
      text: textOf(place, words),
      isTicked: box.isTicked,
      words: wordsWithin(span, Math.min(box.start, words.start), Math.max(box.end, words.end)),
    })),
  }
}

/** The text right above the first box of a line. */
function labelAbove(line: Line, span: Span): Cell | undefined {
  const above = line.page.lines[line.index - 1]
  const [first] = span.words
  if (above === undefined || first === undefined || line.y0 - above.y1 > line.height * 1.5) return undefined
  const cell = above.cells.find(({ x0, x1 }) => x0 < first.x0 + line.height && first.x0 < x1)
  return cell === undefined || wordsAndBoxes(cell.text).some(({ isTicked }) => isTicked !== null) ? undefined : cell
}
