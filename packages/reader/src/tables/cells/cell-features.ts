import { groupBy } from '@skillrun/core/group-by.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import type { Finding } from '../../extract/assemble.ts'
import { median } from '../../layout/placed-words.ts'
import type { Field, Sheet } from '../../layout/sheet.ts'
import type { Box, Page } from '../../media/document.ts'
import type { ListField } from '../../schema/fields.ts'
import { sameAmount } from '../../values/amounts.ts'
import { type ListReading, searches } from '../choose-tables.ts'

type Row = ReadonlyMap<string, Finding>

/** A list of an answer, and how it was read. */
export interface ReadList {
  readonly list: ListField
  readonly rows: Map<string, Finding>[]
  /** The rows of the other lists of the answer. */
  readonly siblings: readonly (readonly Row[])[]
  readonly reading: ListReading
  /** True if nothing on the page names it. */
  readonly isForeign: boolean
  readonly sheet: Sheet
  /** Names of the inputs by document index. */
  readonly inputs: readonly string[]
}

const kinds: readonly (readonly [name: string, kinds: RegExp])[] = [
  ['text', /^(?:text|name|address)$/],
  ['id', /^id$/],
  ['money', /^money$/],
  ['number', /^(?:number|integer|percent)$/],
  ['date', /^(?:date|datetime|time)$/],
]

const ofList = [
  'rows',
  'fields',
  'given',
  'sure.mean',
  'sure.least',
  'foreign',
  'readings',
  'seconded.list',
  'shared',
] as const
const ofColumn = [
  'sure',
  'settled',
  'filled',
  'distinct',
  'letters',
  'seconded.column',
  'loose.column',
  'usual.form',
] as const
const ofCell = [
  ...['seconded', 'confirmed', 'fit', 'length', 'words', 'height', 'left', 'right', 'above', 'below', 'loose'],
  ...['row.filled', 'row.first', 'row.last', 'row.lacks', 'row.sums', 'seconded.row', 'derived', 'ocr', 'form'],
] as const

/** The features of a cell, in the order of the weights. */
export const cellFeatureNames: readonly string[] = [
  ...ofList,
  ...searches.map((search) => `by.${search}`),
  ...ofColumn,
  ...kinds.map(([name]) => `kind.${name}`),
  ...['kind.choice', 'known'],
  ...ofCell,
]

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

const boxOf = ({ evidence }: Finding): string => [evidence.input, evidence.page, ...(evidence.bbox ?? [])].join()

/** The place of a cell: two readings of a table with the same one agree about it. */
const placeOf = (pointer: string, finding: Finding): string => `${pointer},${boxOf(finding)}`

/** What a text is made of: figures, one word, some, many. */
const formOf = (text: string): string => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const digits = text.match(/\d/g)?.length ?? 0
  const words = text.split(' ').length
  return `${letters > 0 ? 'a' : ''}${digits > 0 ? '1' : ''}${words > 3 ? 3 : words > 1 ? 2 : 1}`
}

const sumMin = 2
/** Longer lists are not added up. */
const sumRowsMax = 300
/** A column with values in this share of the rows has one in each. */
const fullShare = 0.75

/** Whether a value is the sum of those above it in its column. */
function addsUp(values: readonly (number | null)[], at: number): boolean {
  const above = values.slice(0, at).filter((value) => value !== null)
  const own = values[at]
  const sum = above.reduce((total, value) => total + value, 0)
  return typeof own === 'number' && own !== 0 && above.length >= sumMin && sameAmount(sum, own)
}

const farthest = 4
const rowsMax = 60
const lettersMax = 40

interface Cell {
  readonly at: number
  readonly field: Field
  readonly finding: Finding
  readonly form: string
  /** The share of the other searches that found it in the same place. */
  seconded: number
}

/** Gets each value of a list, by row and pointer, with its features, which are only valid until the next. */
export type CellVisitor = (at: number, pointer: string, features: Float32Array) => void

/** Says the features of each value of a list. A long sheet has too many to hold them all. */
export function visitCells(of: ReadList, visit: CellVisitor): void {
  const { list, rows, reading, sheet, isForeign, inputs } = of
  const fieldAt = new Map(list.columns.map((field) => [field.pointer, field]))
  const cells = rows.flatMap((row, at) =>
    [...row].flatMap(([pointer, finding]): Cell[] => {
      const field = fieldAt.get(pointer)
      return field === undefined
        ? []
        : [{ at, field, finding, form: formOf(finding.evidence.quote ?? ''), seconded: 0 }]
    }),
  )
  const others = reading.others.filter((rows) => rows.length > 0).map(placesIn)
  if (others.length > 0)
    for (const cell of cells) {
      const place = placeOf(cell.field.pointer, cell.finding)
      cell.seconded = others.filter((places) => places.has(place)).length / others.length
    }
  const around = isTabular(of) ? new Map<Cell, Around>() : surroundings(cells, sheet, inputs)
  const shared = new Set(of.siblings.flatMap((rows) => rows.flatMap((row) => [...row.values()].map(boxOf))))
  const sure = list.columns.flatMap(({ pointer }) => reading.read.sure.get(pointer) ?? [])
  const usual = rows.reduce((most, row) => Math.max(most, row.size), 1)
  const meanOf = (own: readonly Cell[]): number => mean(own.map(({ seconded }) => seconded))
  const listed = [
    ...[Math.min(rowsMax, rows.length), list.columns.length, new Set(cells.map(({ field }) => field)).size],
    ...[mean(sure), Math.min(1, ...sure), Number(isForeign), others.length, meanOf(cells)],
    shared.size === 0 ? 0 : mean(cells.map(({ finding }) => Number(shared.has(boxOf(finding))))),
    ...searches.map((search) => Number(reading.search === search)),
  ]
  const byColumn = new Map(
    [...groupBy(cells, ({ field }) => field)].map(([field, own]) => {
      const texts = own.map(({ finding }) => finding.evidence.quote ?? '')
      const letters = texts.map((text) => text.match(/\p{L}/gu)?.length ?? 0)
      const forms = groupBy(own, ({ form }) => form)
      const usualForm = [...forms].toSorted(([, a], [, b]) => b.length - a.length)[0]
      const { kind, concept } = field.plan.meaning
      const probability = reading.read.sure.get(field.pointer)
      const features = [
        ...[probability ?? mean(sure), Number(probability === undefined), own.length / Math.max(1, rows.length)],
        ...[new Set(texts).size / Math.max(1, own.length), Math.min(lettersMax, mean(letters)), meanOf(own)],
        mean(own.map((cell) => around.get(cell)?.loose ?? 0)),
        (usualForm?.[1].length ?? 0) / Math.max(1, own.length),
        ...kinds.map(([, pattern]) => Number(pattern.test(kind))),
        ...[Number(field.plan.choices.length > 0), Number(concept !== null)],
      ]
      const sums = new Set(own.length <= sumRowsMax ? sumsOf(rows, field) : [])
      const isFull = own.length >= rows.length * fullShare
      const length = median(texts.map(({ length }) => length))
      return [
        field,
        { features: Float32Array.from([...listed, ...features]), length, form: usualForm?.[0], sums, isFull },
      ] as const
    }),
  )
  const columns = [...byColumn].map(([{ pointer }, column]) => ({ pointer, ...column }))
  const features = new Float32Array(cellFeatureNames.length)
  for (const [at, inRow] of groupBy(cells, (cell) => cell.at)) {
    const row = rows[at]
    const lacks = columns.filter(({ isFull, pointer }) => isFull && row?.has(pointer) !== true).length
    const sums = columns.filter((column) => column.sums.has(at)).length
    const ofRow = [
      (row?.size ?? 0) / usual,
      Math.min(5, at),
      Math.min(5, rows.length - 1 - at),
      lacks,
      sums,
      meanOf(inRow),
    ]
    for (const cell of inRow) {
      const { field, finding } = cell
      const column = byColumn.get(field)
      const near = around.get(cell)
      const text = finding.evidence.quote ?? ''
      if (column) features.set(column.features)
      // In the order of `ofCell`.
      const own = [
        ...[cell.seconded, Number(finding.isConfirmed === true), finding.evidence.confidence],
        ...[text.length / Math.max(1, column?.length ?? 1), Math.min(12, text.split(' ').length)],
        ...[near?.height ?? 1, near?.left ?? farthest, near?.right ?? farthest, near?.above ?? farthest],
        ...[near?.below ?? farthest, near?.loose ?? 0, ...ofRow],
        ...[
          Number(finding.evidence.status === 'derived'),
          finding.ocrConfidence ?? 1,
          Number(cell.form === column?.form),
        ],
      ]
      features.set(own, features.length - ofCell.length)
      visit(at, field.pointer, features)
    }
  }
}

/** True for a list that was read from CSV files or spreadsheets: nothing stands around their cells but cells. */
export const isTabular = ({ reading, sheet }: ReadList): boolean =>
  reading.read.tables.length > 0
    ? reading.read.tables.some(({ page }) => page.page.isTabular)
    : sheet.pages.some(({ page }) => page.isTabular)

/** The rows whose value in a column is the sum of those above it. */
function sumsOf(rows: readonly Row[], { pointer }: Field): number[] {
  const values = rows.map((row) => {
    const value = row.get(pointer)?.value
    return typeof value === 'number' ? value : null
  })
  return values.flatMap((_, at) => (addsUp(values, at) ? [at] : []))
}

const placesIn = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.flatMap((row) => [...row].map(([pointer, finding]) => placeOf(pointer, finding))))

/** The words around a cell: how far the next ones are, in heights of its text. */
interface Around {
  /** The height of the cell in usual heights of words. */
  readonly height: number
  readonly left: number
  readonly right: number
  readonly above: number
  readonly below: number
  /** Whether the next word below or above is in no cell of the list. */
  readonly loose: number
}

function surroundings(cells: readonly Cell[], sheet: Sheet, inputs: readonly string[]): Map<Cell, Around> {
  const found = new Map<Cell, Around>()
  const pages = new Map(sheet.pages.map((page) => [`${page.document}/${page.page.index}`, page]))
  const byPage = groupBy(
    cells.filter(({ finding }) => finding.evidence.bbox !== undefined),
    ({ finding: { evidence } }) => `${inputs.indexOf(evidence.input ?? '')}/${evidence.page ?? 0}`,
  )
  for (const [key, own] of byPage) {
    const page = pages.get(key)
    if (page) ofPage(own, page.page, found)
  }
  return found
}

function ofPage(cells: readonly Cell[], page: Page, found: Map<Cell, Around>): void {
  const placed = page.words.map(({ box }) => edgesOf(box, page))
  const boxes = cells.map((cell) => ({ cell, box: edgesOf((cell.finding.evidence as Evidence).bbox as Box, page) }))
  const usual = median(placed.map(({ y0, y1 }) => y1 - y0)) || 1
  const isIn = (word: Edges, box: Edges): boolean => {
    const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2]
    return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1
  }
  const near = nearIn(placed, (farthest + 0.5) * usual)
  const isTaken = new Set<number>()
  for (const { box } of boxes) for (const at of near(box)) if (isIn(placed[at] as Edges, box)) isTaken.add(at)
  for (const { cell, box } of boxes) {
    let [left, right] = [farthest, farthest]
    let [above, below] = [noneNear, noneNear] as [Next, Next]
    for (const at of near(box)) {
      const word = placed[at] as Edges
      const isBeside = word.y0 < box.y1 - usual / 4 && word.y1 > box.y0 + usual / 4
      const isOver = word.x0 < box.x1 && word.x1 > box.x0
      if (isBeside && word.x0 >= box.x1 - usual / 10) right = Math.min(right, (word.x0 - box.x1) / usual)
      else if (isBeside && word.x1 <= box.x0 + usual / 10) left = Math.min(left, (box.x0 - word.x1) / usual)
      if (!isOver || isIn(word, box)) continue
      const down = (word.y0 - box.y1) / usual
      const up = (box.y0 - word.y1) / usual
      if (down > -0.5) below = nearer(below, { at, far: down })
      if (up > -0.5) above = nearer(above, { at, far: up })
    }
    const isLoose = ({ at }: Next): number => (at < 0 || isTaken.has(at) ? 0 : 1)
    const loose = isLoose(below) * 2 + isLoose(above)
    const height = (box.y1 - box.y0) / usual
    found.set(cell, { height, left, right, above: above.far, below: below.far, loose })
  }
}

/** The words that are at most so far above or below a box, from above. */
function nearIn(words: readonly Edges[], reach: number): (box: Edges) => number[] {
  const byTop = [...words.keys()].sort((a, b) => topOf(words, a) - topOf(words, b))
  const tallest = words.reduce((most, { y0, y1 }) => Math.max(most, y1 - y0), 0)
  const firstFrom = (y: number): number => {
    let [from, to] = [0, byTop.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (topOf(words, byTop[middle] as number) < y) from = middle + 1
      else to = middle
    }
    return from
  }
  return ({ y0, y1 }) => byTop.slice(firstFrom(y0 - reach - tallest), firstFrom(y1 + reach))
}

const topOf = (words: readonly Edges[], at: number): number => (words[at] as Edges).y0

/** The next word in one direction. */
interface Next {
  readonly at: number
  readonly far: number
}

const noneNear: Next = { at: -1, far: farthest }

const nearer = (one: Next, other: Next): Next =>
  other.far < one.far || (other.far === one.far && other.at < one.at) ? other : one

interface Edges {
  readonly x0: number
  readonly x1: number
  readonly y0: number
  readonly y1: number
}

const edgesOf = ([x, y, width, height]: Box, page: Page): Edges => ({
  ...{ x0: x * page.width, x1: (x + width) * page.width },
  ...{ y0: y * page.height, y1: (y + height) * page.height },
})
