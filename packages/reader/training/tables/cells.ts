import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { extract } from '../../src/extract/extract.ts'
import type { ReadDocument } from '../../src/media/document.ts'
import { readDocument } from '../../src/media/read-document.ts'

/**
 * How many cells of real tables are read, and how many of them beside the right neighbours. A folder has `NAME.pdf` and
 * `NAME-str.xml` with the cells of its tables. A third of the documents, chosen by a hash of the name, is held out.
 *
 *     node packages/reader/training/tables/cells.ts --data FOLDER [--held-out] [--verbose] [--cache FOLDER]
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    cache: { type: 'string' },
    only: { type: 'string' },
    'held-out': { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})
const folder = values.data ?? ''

type Grid = readonly (readonly (string | null)[])[]

const isHeldOut = (name: string): boolean => (createHash('sha1').update(name).digest()[0] ?? 0) % 3 === 0

const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const cell: JsonSchema = { type: ['string', 'null'] }
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties })
/** The same tables asked for in several shapes. */
const shapes: Readonly<Record<string, JsonSchema>> = {
  'columns and rows': object({ tables: list(object({ columns: list(cell), rows: list(list(cell)) })) }),
  'rows only': object({ tables: list(object({ title: cell, rows: list(list(cell)) })) }),
  'rows of all tables': object({ rows: list(list(cell)) }),
  'lists of cells': object({ tables: list(list(list(cell))) }),
  'rows with cells': object({ tables: list(object({ rows: list(object({ cells: list(cell) })) })) }),
}

async function read(name: string): Promise<ReadDocument> {
  const place = values.cache === undefined ? undefined : join(values.cache, name)
  if (place && existsSync(place)) return deserialize(await readFile(place)) as ReadDocument
  const document = await readDocument({ path: join(folder, `${name}.pdf`) })
  if (values.cache && place) {
    await mkdir(values.cache, { recursive: true })
    await writeFile(place, serialize(document))
  }
  return document
}

const attribute = (text: string, name: string): number => Number(new RegExp(`\\b${name}=["'](-?\\d+)`).exec(text)?.[1])
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function truthIn(xml: string): Grid[] {
  return xml
    .split(/<table\b/)
    .slice(1)
    .map((table) => {
      const grid: (string | null)[][] = []
      let offset = 0
      for (const region of table.split(/<region\b/).slice(1)) {
        let last = offset
        for (const [, head = '', content = ''] of region.matchAll(/<cell\b([^>]*)>.*?<content>(.*?)<\/content>/gs)) {
          const row = attribute(head, 'start-row') + offset
          const column = attribute(head, 'start-col')
          const line = grid[row] ?? []
          grid[row] = line
          line[column] = content.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
          last = Math.max(last, row)
        }
        offset = last + 1
      }
      return Array.from(grid, (row) => Array.from(row ?? [], (one) => one ?? null))
    })
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\d%$€£.,+-]/gu, '')
    .toLowerCase()

/** Pairs of neighbouring cells, to the right and below, over empty cells. */
function pairsIn(grid: Grid): string[] {
  const texts = grid.map((row) => row.map((one) => plain(one ?? '')))
  const pairs: string[] = []
  for (const [row, line] of texts.entries())
    for (const [column, text] of line.entries()) {
      if (text === '') continue
      const right = line.slice(column + 1).find((one) => one !== '')
      if (right !== undefined) pairs.push(`${text}→${right}`)
      const below = texts.slice(row + 1).find((other) => (other[column] ?? '') !== '')?.[column]
      if (below !== undefined) pairs.push(`${text}↓${below}`)
    }
  return pairs
}

const cellsIn = (grid: Grid): string[] => grid.flat().flatMap((one) => plain(one ?? '') || [])

function common(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const one of left) counts.set(one, (counts.get(one) ?? 0) + 1)
  return right.filter((one) => {
    const count = counts.get(one) ?? 0
    counts.set(one, count - 1)
    return count > 0
  }).length
}

const isCell = (value: Json): value is string | null => value === null || typeof value === 'string'
const isRow = (value: Json): boolean => Array.isArray(value) && value.length > 0 && value.every(isCell)

/** The grids in an answer of any of the shapes. */
function gridsIn(answer: Json): Grid[] {
  if (Array.isArray(answer)) {
    if (answer.length > 0 && answer.every(isRow)) return [answer as Grid]
    const cells = answer.map((row: Json) => (isJsonObject(row) ? (row['cells'] ?? null) : null))
    if (cells.length > 0 && cells.every(isRow)) return [cells as Grid]
    return answer.flatMap(gridsIn)
  }
  if (!isJsonObject(answer)) return []
  const { columns, rows } = answer
  if (Array.isArray(columns) && Array.isArray(rows)) return [[columns, ...rows] as Grid]
  return Object.values(answer).flatMap(gridsIn)
}

const rate = (found: number, given: number, wanted: number): string => {
  const [precision, recall] = [found / Math.max(1, given), found / Math.max(1, wanted)]
  const f1 = (200 * precision * recall) / Math.max(1e-9, precision + recall)
  return `F1 ${f1.toFixed(1)} (p ${(100 * precision).toFixed(1)}, r ${(100 * recall).toFixed(1)})`
}

interface Sum {
  cells: [found: number, given: number, wanted: number]
  pairs: [found: number, given: number, wanted: number]
  tables: number
  missed: number
  f1: number
  documents: number
  ms: number
}

const names = (await readdir(folder)).flatMap((name) => /^(.*)-str\.xml$/.exec(name)?.[1] ?? []).toSorted()
const sums = new Map<string, Sum>()
for (const name of names) {
  if (isHeldOut(name) !== values['held-out']) continue
  if (values.only !== undefined && values.only !== name) continue
  const document = await read(name)
  const truth = truthIn(await readFile(join(folder, `${name}-str.xml`), 'utf8'))
  for (const [shape, schema] of Object.entries(shapes)) {
    const begun = process.cpuUsage()
    const { answer } = extract({ documents: [{ input: 'document', document }], values: {}, schema })
    const { user } = process.cpuUsage(begun)
    const given = gridsIn(answer)
    const sum = sums.get(shape) ?? {
      cells: [0, 0, 0],
      pairs: [0, 0, 0],
      tables: 0,
      missed: 0,
      f1: 0,
      documents: 0,
      ms: 0,
    }
    sums.set(shape, sum)
    const own = (of: (grid: Grid) => string[]): [number, number, number] => {
      const [left, right] = [truth.flatMap(of), given.flatMap(of)]
      return [common(left, right), right.length, left.length]
    }
    const [cells, pairs] = [own(cellsIn), own(pairsIn)]
    for (const at of [0, 1, 2] as const) {
      sum.cells[at] += cells[at]
      sum.pairs[at] += pairs[at]
    }
    const missed = truth.filter(
      (one) => !given.some((grid) => common(cellsIn(one), cellsIn(grid)) > cellsIn(one).length / 2),
    )
    sum.tables += truth.length
    sum.missed += missed.length
    sum.f1 += (200 * pairs[0]) / Math.max(1, pairs[1] + pairs[2])
    sum.documents += 1
    sum.ms += user / 1000
    if (values.verbose && shape === 'columns and rows') {
      console.log(name, `tables ${given.length} of ${truth.length}`, 'cells', rate(...cells), 'pairs', rate(...pairs))
      if (values.only !== undefined)
        for (const grid of given) console.log(grid.map((row) => row.join(' | ')).join('\n'), '\n')
      if (values.only !== undefined)
        for (const grid of truth) console.log(grid.map((row) => row.join(' | ')).join('\n'), '\n')
    }
  }
}
for (const [shape, { cells, pairs, tables, missed, f1, documents, ms }] of sums)
  console.log(
    `${shape}: cells ${rate(...cells)}, neighbours ${rate(...pairs)}, mean of documents ${(f1 / documents).toFixed(1)}, ` +
      `${missed} of ${tables} tables not found, ${documents} documents, ${(ms / documents).toFixed(0)} ms each`,
  )
