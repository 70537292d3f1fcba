import type { Line, PageLayout } from '../layout/layout.ts'
import { kindOfText, type Piece, type PieceKind, piecesOfLine } from '../layout/pieces.ts'
import { type PlacedWord, textOf } from '../layout/placed-words.ts'
import { type Span, spanOf } from '../layout/spans.ts'
import { fold } from '../layout/text.ts'
import { findNumbers } from '../values/numbers.ts'
import type { RecordLine } from './grid-columns.ts'
import { provenMeans } from './grid-roles.ts'
import { type Header, type Heading, readHeading } from './headers.ts'
import type { Column, Row, Table, TableSearch } from './table.ts'

/** A record over several lines: the line with its amount, and the lines nearer to it than to any other. */
interface Block {
  readonly anchor: RecordLine
  readonly lines: readonly RecordLine[]
}

/** A recurring position in the records. */
interface Slot {
  readonly key: string
  readonly label: readonly PlacedWord[]
  readonly values: Map<Block, readonly PlacedWord[]>
}

/** The minimum share of records with additional lines for all to be read as multi-line records. */
const blockShare = 0.6
/** A word that this share of the texts in one place has in common is a label. */
const labelShare = 0.8
/** The minimum share of records with content in a place. */
const slotShare = 0.35
/** The maximum difference between edges of the same place across records, in text heights. */
const alignHeights = 0.7
/** The maximum number of characters of a currency in front of its amount. */
const currencyMax = 6
/** A line that only one record has is not part of the records. */
const linesMin = 2
/** The maximum number of lines of a record besides the one with its amount. */
const besideMax = 4

const middle = ({ y0, y1 }: Line): number => (y0 + y1) / 2

/** Assigns each line between records to the nearer one. */
function blocksOf(page: PageLayout, records: readonly RecordLine[], search: TableSearch): Block[] {
  const near = new Map<RecordLine, RecordLine[]>(records.map((record) => [record, [record]]))
  const first = records[0]?.line.index ?? 0
  const last = records.at(-1)?.line.index ?? 0
  const anchors = new Set(records.map(({ line }) => line.index))
  for (let at = Math.max(0, first - besideMax); at <= Math.min(page.lines.length - 1, last + besideMax); at++) {
    const line = page.lines[at]
    if (line === undefined || anchors.has(at) || search.isAside(line)) continue
    const distances = records.map((record) => Math.abs(middle(record.line) - middle(line)))
    const least = Math.min(...distances)
    const home = records[distances.indexOf(least)]
    if (home === undefined || least > line.height * 3.2 || Math.abs(home.line.index - at) > besideMax) continue
    if (search.endsTable(line) && !search.endsTable(home.line)) continue
    near.get(home)?.push({ line, pieces: piecesOfLine(line, search.conventions) })
  }
  const blocks = [...near].map(([anchor, lines]) => ({
    anchor,
    lines: lines.toSorted((a, b) => a.line.index - b.line.index),
  }))
  return withUsualOffsets(blocks)
}

/**
 * Removes lines from blocks when few records have a line at that offset: text above the first or below the last record
 * is something else.
 */
function withUsualOffsets(blocks: readonly Block[]): Block[] {
  const offsetsOf = (block: Block): number[] => block.lines.map(({ line }) => line.index - block.anchor.line.index)
  const counts = new Map<number, number>()
  for (const block of blocks) for (const offset of offsetsOf(block)) counts.set(offset, (counts.get(offset) ?? 0) + 1)
  return blocks.map((block) => ({
    ...block,
    lines: block.lines.filter(
      ({ line }) =>
        (counts.get(line.index - block.anchor.line.index) ?? 0) >= Math.max(linesMin, blocks.length * slotShare),
    ),
  }))
}

/** The place of numbers on the line of the amount. */
const amountName = 'amount'

const wordKey = (word: PlacedWord): string => fold(word.word.text)

interface Place {
  readonly name: string
  readonly kind: PieceKind
  readonly piece: Piece
  readonly found: [Block, Piece][]
}

const isText = (kind: PieceKind): boolean => kind === 'text'

/** First words that start a text in this many records are labels, on whichever line of the record. */
function openingsOf(blocks: readonly Block[]): Set<string> {
  const counts = new Map<string, number>()
  for (const block of blocks) {
    const openings = block.lines.flatMap(({ pieces }) =>
      pieces.flatMap(({ kind, words: [first] }) => (isText(kind) && first !== undefined ? [wordKey(first)] : [])),
    )
    for (const key of new Set(openings)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count >= blocks.length * labelShare).map(([key]) => key))
}

/**
 * Groups the pieces of all records by position: on the amount's line by horizontal position, labelled texts by label,
 * all others also by their line in the record.
 */
function placesOf(blocks: readonly Block[]): Place[] {
  const places: Place[] = []
  const openings = openingsOf(blocks)
  for (const block of blocks) {
    const start = block.lines[0]?.line.index ?? 0
    for (const { line, pieces } of block.lines) {
      for (const piece of pieces) {
        const slack = alignHeights * line.height
        const opening = wordKey(piece.words[0] as PlacedWord)
        const isAnchor = line === block.anchor.line && !isText(piece.kind)
        const name =
          isText(piece.kind) && openings.has(opening) ? opening : isAnchor ? amountName : `${line.index - start}`
        const place = places.find(
          (other) =>
            other.name === name &&
            isText(other.kind) === isText(piece.kind) &&
            !other.found.some(([own]) => own === block) &&
            (name === opening ||
              Math.abs(other.piece.x0 - piece.x0) < slack ||
              Math.abs(other.piece.x1 - piece.x1) < slack),
        )
        if (place === undefined) places.push({ name, kind: piece.kind, piece, found: [[block, piece]] })
        else place.found.push([block, piece])
      }
    }
  }
  return places.filter(({ found }) => found.length >= blocks.length * slotShare)
}

/** Splits a place into slots: words that all its texts have in common are labels, and the text after each is a slot. */
function slotsOf(place: Place, blocks: readonly Block[]): Slot[] {
  const name = `${place.name}/${Math.round(place.piece.x0)}`
  const counts = new Map<string, number>()
  for (const [, { words }] of place.found)
    for (const key of new Set(words.map(wordKey))) counts.set(key, (counts.get(key) ?? 0) + 1)
  const shared = (word: PlacedWord): boolean =>
    !/\d/.test(word.word.text) && (counts.get(wordKey(word)) ?? 0) >= place.found.length * labelShare
  const opens = place.found.filter(([, { words }]) => words[0] !== undefined && shared(words[0])).length
  const isConstant = place.found.every(([, { words }]) => words.every(shared))
  if (isConstant) return []
  // Numbers with a common sign between them: `2 x 4.50`.
  const isFigures =
    place.found.some(([, { words }]) => words.some(shared)) &&
    place.found.every(([, { words }]) =>
      words.every((word) => shared(word) || /^\W*\d[\d.,]*\W*$/.test(word.word.text)),
    )
  if (!isText(place.kind) || (opens < place.found.length * labelShare && !isFigures) || blocks.length < 2)
    return [{ key: name, label: [], values: new Map(place.found.map(([block, { words }]) => [block, words])) }]
  const slots = new Map<string, Slot>()
  for (const [block, { words }] of place.found) {
    let label: PlacedWord[] = []
    let value: PlacedWord[] = []
    const close = (): void => {
      const key = `${name}/${label.map(wordKey).join(' ')}`
      if (value.length === 0) return
      const slot = slots.get(key) ?? { key, label: [...label], values: new Map() }
      slots.set(key, slot)
      if (!slot.values.has(block)) slot.values.set(block, value)
    }
    for (const word of words) {
      if (!shared(word)) value.push(word)
      else if (value.length === 0) label.push(word)
      else if (isUnit(word, words)) value.push(word)
      else {
        close()
        label = [word]
        value = []
      }
    }
    close()
  }
  return [...slots.values()].filter(({ values }) => values.size >= blocks.length * slotShare)
}

/** A currency symbol after a number, or as the last word, belongs to the number. */
const isUnit = (word: PlacedWord, words: readonly PlacedWord[]): boolean =>
  /^(?:\p{Sc}|[A-Z]{2,3}|\p{Sc}\p{L}{1,2})$/u.test(word.word.text) || word === words.at(-1)

const spanIn = (slot: Slot, block: Block): Span | null => {
  const words = slot.values.get(block)
  return words === undefined || words.length === 0 ? null : spanOf(words, [])
}

function headingOf(slot: Slot, search: TableSearch): Heading {
  const all = [...slot.values.values()].flat()
  const x0 = Math.min(...all.map((word) => word.x0))
  const x1 = Math.max(...all.map((word) => word.x1))
  if (slot.label.length === 0) return { text: '', words: [], x0, x1, targets: [], isWrapped: false }
  return { ...readHeading(slot.label, search.book, false).heading, x0, x1 }
}

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

/** The meanings of slots: by label, by arithmetic, and by kind of content. */
function headingsOf(slots: readonly Slot[], blocks: readonly Block[], search: TableSearch): Heading[] {
  const { conventions } = search
  const texts = slots.map((slot) => blocks.map((block) => textOf(slot.values.get(block) ?? [])))
  const headings = slots.map((slot) => headingOf(slot, search))
  const values = texts.map((column) =>
    column.map((text) => {
      const [first, second] = findNumbers(text, conventions.numbers)
      return first === undefined || second !== undefined || first.start > currencyMax || /%/.test(text)
        ? null
        : first.value
    }),
  )
  const means = provenMeans(values, headings)
  const isKind = (at: number, kind: PieceKind): boolean =>
    (texts[at] ?? []).filter((text) => text !== '' && kindOfText(text, conventions) === kind).length >=
    blocks.length * blockShare
  const has = (target: string): boolean => [...means.values()].some((targets) => targets.includes(target))
  const mean = (target: string[], test: (at: number) => boolean): void => {
    const at = slots.findIndex((_, index) => !means.has(index) && test(index))
    if (at >= 0 && !target.some(has)) means.set(at, target)
  }
  mean(['c:transaction_date'], (at) => isKind(at, 'date'))
  const anchorAmount = slots.findLastIndex((slot, at) => slot.label.length === 0 && isKind(at, 'amount'))
  mean(['c:line_amount', 'c:movement'], (at) => at === anchorAmount)
  const wordy = texts.map((column) => column.reduce((sum, text) => sum + lettersIn(text), 0))
  const varied = texts.map((column) => new Set(column).size)
  const isName = (at: number): boolean =>
    slots[at]?.label.length === 0 && (varied[at] ?? 0) >= Math.min(2, blocks.length)
  const widest = slots
    .map((_, at) => at)
    .filter((at) => !means.has(at) && isName(at))
    .toSorted((a, b) => (wordy[b] ?? 0) - (wordy[a] ?? 0))[0]
  mean(['c:description'], (at) => at === widest && (wordy[at] ?? 0) >= blocks.length * 3)
  return headings.map((heading, at) => {
    const own = means.get(at)
    return own === undefined ? heading : { ...heading, targets: own.map((target) => ({ target, weight: 0.95 })) }
  })
}

/**
 * A table of multi-line records: cards, entries with date and balance on a second line, names above or below numbers.
 * Null when the lines between records do not belong to most of them.
 */
export function blockTable(page: PageLayout, records: readonly RecordLine[], search: TableSearch): Table | null {
  const blocks = blocksOf(page, records, search)
  const wide = blocks.filter(({ lines }) => lines.length > 1)
  const [first] = records
  if (first === undefined || wide.length < blocks.length * blockShare) return null
  // Amounts come last, as the product of the others.
  const places = placesOf(blocks).toSorted((a, b) => Number(a.name === amountName) - Number(b.name === amountName))
  const slots = places.flatMap((place) => slotsOf(place, blocks))
  if (slots.length < 3) return null
  const headings = headingsOf(slots, blocks, search)
  const lines = blocks.flatMap((block) => block.lines.map(({ line }) => line))
  const words = lines.flatMap((line) => line.cells.flatMap((cell) => cell.words))
  const above = page.lines[Math.max(0, (lines[0]?.index ?? 0) - 1)] ?? first.line
  const header: Header = {
    headings,
    first: above,
    last: above,
    left: Math.min(...words.map((word) => word.x0)) - first.line.height,
    right: Math.max(...words.map((word) => word.x1)) + first.line.height,
  }
  const columns = headings.map((heading): Column => ({ heading, left: heading.x0, right: heading.x1 }))
  const rows = blocks.map(
    (block): Row => ({ cells: slots.map((slot) => spanIn(slot, block)), lines: block.lines.map(({ line }) => line) }),
  )
  return { page, header, columns, rows, lines }
}
