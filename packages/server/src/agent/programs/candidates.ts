// The library of compiled programs. Its text becomes part of each program's source, so that a program always runs with the
// version that it was learned with, and can be read as a whole. It has no imports.

/** A date or an amount in a cell, parsed with the conventions of its document. */
export type CellValue =
  | {
      readonly kind: 'date'
      /** The printed text and its range in the text of the cell. */
      readonly printed: string
      readonly start: number
      readonly end: number
      /** `YYYY-MM-DD` by the document's conventions, and with the day or month first where both are possible. */
      readonly value: string
      readonly dayFirst: string
      readonly monthFirst: string
    }
  | {
      readonly kind: 'amount'
      readonly printed: string
      readonly start: number
      readonly end: number
      readonly value: number
      readonly decimals: number
    }

/** Words of a line that are close together. */
export type LineCell = {
  readonly text: string
  /** Fractions of the page: x and y of the top left corner, width, height. */
  readonly box: readonly [x: number, y: number, w: number, h: number]
  /** From left to right. */
  readonly values: readonly CellValue[]
  /** Start and end in seconds, in video and audio; absent for other documents. */
  readonly seconds?: readonly [from: number, to: number]
}

/** A line of a page, with its cells from left to right. */
export type DocumentLine = {
  readonly input: string
  /** From 0. */
  readonly page: number
  readonly cells: readonly LineCell[]
}

/** A value on a page that may be the value of a field, with its marks: features of its surroundings. */
export interface Candidate {
  readonly value: string | number
  readonly printed: string
  readonly line: number
  readonly cell: number
  readonly marks: readonly string[]
}

/** Kinds of candidates. A plain date is parsed with the document's conventions. */
export type CandidateKind = 'date' | 'date, day first' | 'date, month first' | 'amount' | 'text'

/** The words of a text for comparison: lower case, without accents, `#` for words with a digit. */
export const wordsOf = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .normalize('NFKD')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  ).map((word) => (/\p{N}/u.test(word) ? '#' : word.replace(/\p{M}/gu, '')))

const hasLetters = (text: string): boolean => /\p{L}{2}/u.test(text)
const edgeLines = 8
const linesAbove = 6
const labelWordsMax = 5

/** All values of one kind in the lines, with their marks. */
export function candidatesOf(lines: readonly DocumentLine[], kind: CandidateKind): Candidate[] {
  const found = kind === 'text' ? textsOf(lines) : valuesOf(lines, kind)
  const largest = found.reduce((most, one) => Math.max(most, Number(one.value)), 0)
  const counts = new Map<string | number, number>()
  for (const { value } of found) counts.set(value, (counts.get(value) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  const sums = kind === 'amount' ? sumMarks(found) : []
  return found.map((one, index) => {
    const marks = new Set(one.marks)
    for (const mark of placeMarks(lines, one)) marks.add(mark)
    if (index === 0) marks.add('first')
    if (index === found.length - 1) marks.add('last')
    if ((counts.get(one.value) ?? 0) > 1) marks.add('repeated')
    if ((counts.get(one.value) ?? 0) === most && most > 1) marks.add('most repeated')
    if (kind === 'amount' && one.value === largest) marks.add('largest')
    for (const mark of sums[index] ?? []) marks.add(mark)
    return { ...one, marks: [...marks] }
  })
}

function valuesOf(lines: readonly DocumentLine[], kind: Exclude<CandidateKind, 'text'>): Candidate[] {
  return lines.flatMap(({ cells }, line) =>
    cells.flatMap(({ text, values }, cell) =>
      values
        .filter((one) => kind.startsWith(one.kind))
        .map((one) => {
          const [before, after] = [text.slice(0, one.start), text.slice(one.end)]
          const marks = ownMarks(lines, { line, cell, before, after, kind })
          if (one.kind === 'amount') marks.push(one.decimals === 2 ? 'cents' : 'no cents')
          return { value: readingOf(one, kind), printed: one.printed, line, cell, marks }
        }),
    ),
  )
}

function readingOf(one: CellValue, kind: CandidateKind): string | number {
  if (one.kind === 'amount') return one.value
  return kind === 'date' ? one.value : kind === 'date, day first' ? one.dayFirst : one.monthFirst
}

/** Texts: whole cells, the text after a colon or after the first words of a cell, and single words with digits. */
function textsOf(lines: readonly DocumentLine[]): Candidate[] {
  return lines.flatMap(({ cells }, line) =>
    cells.flatMap(({ text }, cell) => {
      const pieces = [{ piece: text.trim(), start: 0, how: 'whole cell' }]
      const colon = /[:#]\s*(\S.*)$/u.exec(text)
      if (colon) pieces.push({ piece: (colon[1] ?? '').trim(), start: colon.index + 1, how: 'after a colon' })
      // `In favour of account GB12 3456`, `Dear Ada Lovelace`.
      else
        for (const { index } of [...text.trimEnd().matchAll(/(?<=\S\s+)[\p{Lu}\p{N}]/gu)].slice(0, labelWordsMax))
          if (wordsOf(text.slice(0, index)).length <= labelWordsMax)
            pieces.push({ piece: text.slice(index).trim(), start: index, how: 'after words' })
      for (const word of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}./&-]*\p{N}[\p{L}\p{N}./-]*/gu))
        if (word[0] !== text.trim()) pieces.push({ piece: word[0], start: word.index, how: 'word' })
      return pieces
        .filter(({ piece }) => piece.length > 1)
        .map(({ piece, start, how }) => {
          const after = text.slice(text.indexOf(piece, start) + piece.length)
          const marks = ownMarks(lines, { line, cell, before: text.slice(0, start), after, kind: 'text' })
          const shape = piece
            .replace(/\p{Lu}+/gu, 'A')
            .replace(/\p{Ll}+/gu, 'a')
            .replace(/\p{N}+/gu, '9')
          if (shape.length <= 12) marks.push(`shape ${shape}`)
          if (how === 'whole cell') for (const word of wordsOf(piece)) marks.push(`has ${word}`)
          return { value: piece, printed: piece, line, cell, marks: [...marks, how] }
        })
    }),
  )
}

interface Spot {
  readonly line: number
  readonly cell: number
  readonly before: string
  readonly after: string
  readonly kind: CandidateKind
}

/** Marks for the words around a value: those before it in its line, otherwise those above. */
function ownMarks(lines: readonly DocumentLine[], { line, cell, before, after, kind }: Spot): string[] {
  const cells = lines[line]?.cells ?? []
  const earlier = [...cells.slice(0, cell).map((one) => one.text), before]
  const label = earlier.findLast(hasLetters)
  const marks: string[] = []
  if (label !== undefined) {
    const words = wordsOf(label)
    const said = kind === 'text' ? words : wordsOf(earlier.join(' '))
    marks.push(`label ${words.slice(-labelWordsMax).join(' ')}`)
    said.forEach((word, n) => {
      marks.push(`says ${word}`)
      if (n > 0) marks.push(`says ${said[n - 1]} ${word}`)
    })
  } else {
    marks.push('no words before')
    for (const word of wordsOf(textOfLine(lines[line - 1]))) marks.push(`line above says ${word}`)
    for (const word of wordsOf(textOfLine(lines[line + 1]))) marks.push(`line below says ${word}`)
  }
  const head = headAbove(lines, line, cell)
  if (head !== undefined) marks.push(`under ${wordsOf(head).slice(0, labelWordsMax).join(' ')}`)
  const next = wordsOf(after || (cells[cell + 1]?.text ?? ''))[0]
  marks.push(next === undefined ? 'ends its line' : `before ${next}`)
  if (/\d:\d\d/.test(after + textOfLine(lines[line]))) marks.push('with a time')
  return marks
}

const textOfLine = (line: DocumentLine | undefined): string => (line?.cells ?? []).map(({ text }) => text).join(' ')

/** The text of the nearest cell above that overlaps this one horizontally and has words but no values. */
function headAbove(lines: readonly DocumentLine[], line: number, cell: number): string | undefined {
  const own = lines[line]
  const box = own?.cells[cell]?.box
  if (own === undefined || box === undefined) return undefined
  for (let above = line - 1; above >= Math.max(0, line - linesAbove); above -= 1) {
    const over = lines[above]?.cells.find(
      (one) => one.box[0] < box[0] + box[2] && box[0] < one.box[0] + one.box[2] && one.values.length === 0,
    )
    if (lines[above]?.page === own.page && over && hasLetters(over.text)) return over.text
  }
  return undefined
}

function placeMarks(lines: readonly DocumentLine[], { line, cell }: Candidate): string[] {
  const height = lines[line]?.cells[cell]?.box[1] ?? 0
  const marks = [height < 1 / 3 ? 'top third' : height < 2 / 3 ? 'middle third' : 'bottom third']
  if (line < edgeLines) marks.push(`line ${line + 1}`)
  if (lines.length - line <= edgeLines) marks.push(`line ${lines.length - line} from the end`)
  return marks
}

/** How many amounts before and after are considered for sums. */
const sumReach = 12

/** Arithmetic relations of each amount to nearby amounts, in whole cents. */
function sumMarks(found: readonly Candidate[]): string[][] {
  const cents = found.map(({ value }) => Math.round(Number(value) * 100))
  return found.map(({ line }, n) => {
    const own = cents[n] ?? 0
    const marks: string[] = []
    if (own === 0) return ['nothing']
    const back = cents.slice(Math.max(0, n - sumReach), n).filter((_, at) => at < n)
    const on = found.map((one, at) => ({ line: one.line, cents: cents[at] ?? 0 })).slice(n + 1, n + 1 + sumReach)
    if (back.some((a, at) => back.slice(at + 1).some((b) => a + b === own && b !== 0 && a !== 0)))
      marks.push('sum of two before')
    if (back.some((a) => a !== own && Math.abs(a - own) < 5)) marks.push('rounded from one before')
    if (on.some((one) => one.cents !== own && Math.abs(one.cents - own) < 5)) marks.push('rounded to one after')
    const isPaid = on.some(
      (paid, at) =>
        paid.line > line &&
        on.slice(at + 1).some((change) => change.line > paid.line && paid.cents - change.cents === own),
    )
    if (isPaid) marks.push('paid less change')
    return marks
  })
}

/** The first candidate with one of the marks; marks are tried in order. */
export function firstMarked(candidates: readonly Candidate[], marks: readonly string[]): Candidate | undefined {
  for (const mark of marks) {
    const found = candidates.find((one) => one.marks.includes(mark))
    if (found) return found
  }
  return undefined
}

/** The candidate with the most points, if it leads every other value by at least `lead`. */
export function mostPoints(
  candidates: readonly Candidate[],
  points: Readonly<Record<string, number>>,
  lead: number,
): Candidate | undefined {
  const scored = candidates
    .map((one) => ({ one, sum: one.marks.reduce((sum, mark) => sum + (points[mark] ?? 0), 0) }))
    .sort((a, b) => b.sum - a.sum)
  const best = scored[0]
  const rival = scored.find(({ one }) => one.value !== best?.one.value)
  return best && best.sum - (rival?.sum ?? Number.NEGATIVE_INFINITY) >= lead ? best.one : undefined
}

/** The position of a candidate, as evidence of a field. */
export function placeOf(lines: readonly DocumentLine[], one: Candidate | undefined) {
  const line = lines[one?.line ?? -1]
  const cell = line?.cells[one?.cell ?? -1]
  return line && cell ? { input: line.input, page: line.page, box: cell.box, quote: cell.text } : null
}

/** The candidate if the embedded engine read the same value. */
export const confirmed = (one: Candidate | undefined, reading: unknown): Candidate | undefined =>
  one !== undefined && one.value === reading ? one : undefined

/** The value that the reader's calibrated score finds likeliest for a field, sure or not; null: none. */
export function likeliest(
  {
    answer,
    candidates,
  }: {
    readonly answer: unknown
    readonly candidates?: Readonly<Record<string, readonly { readonly value: unknown }[]>>
  },
  pointer: string,
  path: readonly string[],
): unknown {
  const value = path.reduce<unknown>(
    (at, step) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[step],
    answer,
  )
  return value ?? candidates?.[pointer]?.[0]?.value ?? null
}
