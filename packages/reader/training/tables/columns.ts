import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isJsonObject, type Json, pointerSteps } from '@skillrun/core/json.ts'
import { readSheet } from '../../src/extract/read-sheet.ts'
import { rememberingTexts } from '../../src/layout/remembered.ts'
import type { Field, Sheet } from '../../src/layout/sheet.ts'
import { type ListField, listFields } from '../../src/schema/fields.ts'
import { planSchema } from '../../src/schema/plan.ts'
import { wrongRates } from '../../src/score/risk.ts'
import { type Forest, packed, probabilityOf } from '../../src/score/trees.ts'
import {
  type ColumnModel,
  columnFeatures,
  likeliestPairs,
  rivalFeatureNames,
  rivalFeatures,
  scoreColumnsBy,
} from '../../src/tables/columns/column-score.ts'
import { askedOf } from '../../src/tables/columns/map-columns.ts'
import { readCell } from '../../src/tables/read-cell.ts'
import type { Table } from '../../src/tables/table.ts'
import { judge } from '../judge.ts'
import { type BoostOptions, boost } from '../score/boost.ts'
import type { LabelledDocument } from '../score/labelled.ts'
import { madeDocuments } from '../score/made.ts'
import { printedDocuments } from '../score/printed.ts'
import { shareOf } from '../score/questions.ts'
import { kindOf } from '../score/sets.ts'
import { fitCells, tableOf } from './fit-cells.ts'
import { cellsOf, type LabelledCells } from './list-cells.ts'
import { sheetDocuments } from './sheets.ts'

/**
 * Trains the score of columns: which column of a table has the values of which field of a list.
 *
 *     npm run reader:columns -- [--cache FOLDER] [--dry]
 *
 * It learns from printed pages and generated documents with lists. Each table is read under each of its rows that may be its headings; a
 * column is right if it has most of a field's values, in their order. Prints, for each family of sets by a score that was trained without it, how many fields of lists
 * get the right column; then, with cells that were read by such a score, how many are marked at a rate of wrong ones, and how many of the
 * others are wrong; and the same of CSV files and workbooks with the lists of the same pages. `--dry` writes nothing. The same documents give the same file.
 */
const { values: options } = parseArgs({
  options: { cache: { type: 'string' }, dry: { type: 'boolean', default: false } },
})

const boosting: BoostOptions = {
  ...{ trees: 120, depth: 3, rate: 0.1, leafMin: 8, bins: 32, lambda: 3 },
  ...{ rowShare: 0.7, featureShare: 0.5 },
}
/** A column has most values of a field, or of the part of a list that is on its page: such a share of those of each, and this one of all. */
const rightShare = 0.6
const partShare = 0.25
/** Longer lists teach nothing more. */
const rowsMax = 200
/** Readings of tables without values of the list that are learned from, and how much they weigh together. */
const strangersMax = 12
const strangersWeight = 0.5
/** Generated documents are alike. */
const madeWeight = 0.3
/** Pages that stand together are often of one author. */
const strangersApart = 17
/** And each is several sheets. */
const sheetsApart = 41

/** A table under some headings: the features of each column and field, and whether the column has the field's values. */
interface Reading {
  /** By column and field. */
  readonly features: readonly (readonly Float32Array[])[]
  readonly isRight: readonly (readonly boolean[])[]
  /** Whether its first row has the list's first values; null if the table has no column of the list. */
  readonly isHeaded: boolean | null
}

interface LabelledList {
  readonly set: string
  readonly document: string
  readonly fields: readonly Field[]
  readonly readings: readonly Reading[]
}

async function* documents(): AsyncGenerator<LabelledDocument> {
  const { cache } = options
  yield* madeDocuments('train', { cache, forms: ['pdf'] })
  yield* printedDocuments({ cache, takes: () => true, withLists: true })
}

function listsOf(labelled: LabelledDocument): LabelledList[] {
  const fields = listFields(planSchema(labelled.schema))
  const sheet = readSheet([{ input: 'document', document: labelled.document }], fields)
  return fields.lists.flatMap((list) => {
    const rows = valueAt(labelled.truth, list.pointer)
    if (!Array.isArray(rows) || rows.length === 0 || rows.length > rowsMax) return []
    const tables = [...sheet.tables, ...sheet.grids, ...sheet.layoutTables().flatMap(({ readings }) => readings)]
    const readings = tables.map((table) => readingOf(table, { list, sheet, rows, labelled }))
    return [{ set: labelled.set, document: labelled.id, fields: list.columns, readings }]
  })
}

const valueAt = (value: Json, pointer: string): Json =>
  pointerSteps(pointer).reduce<Json>((at, step) => (isJsonObject(at) ? (at[step] ?? null) : null), value)

interface Of {
  readonly list: ListField
  readonly sheet: Sheet
  readonly rows: readonly Json[]
  readonly labelled: LabelledDocument
}

function readingOf(table: Table, { list, sheet, rows, labelled }: Of): Reading {
  const firsts: number[] = []
  const isSame = (wanted: Json, given: Json, field: Field): boolean =>
    labelled.isRight?.(given, wanted) ??
    judge({ field: field.pointer.slice(1), value: wanted, accepted: [], recognised: false }, given) === 'right'
  const features = columnFeatures(askedOf(list), table, sheet)
  const isRight = features.map((row, at) =>
    row.map((_, of) => {
      const field = list.columns[of] as Field
      const wanted = rows.map((item) => valueAt(item, field.pointer)).filter((value) => value !== null)
      const given = table.rows.slice(0, rowsMax).map((one) => {
        const span = one.cells[at]
        return span ? (readCell(field, span, sheet)?.value ?? null) : null
      })
      const filled = given.filter((value) => value !== null)
      const common = commonLength(wanted, filled, (one, other) => isSame(one, other, field))
      const least = Math.max(1, rightShare * Math.min(wanted.length, filled.length), partShare * wanted.length)
      const isRight = wanted.length > 0 && common >= least
      if (isRight)
        firsts.push(given.findIndex((value) => value !== null && wanted.some((one) => isSame(one, value, field))))
      return isRight
    }),
  )
  return { features, isRight, isHeaded: firsts.length === 0 ? null : Math.max(...firsts) === 0 }
}

/** The length of the longest common subsequence. */
function commonLength(
  wanted: readonly Json[],
  given: readonly Json[],
  isSame: (one: Json, other: Json) => boolean,
): number {
  let above = new Int32Array(given.length + 1)
  for (const one of wanted) {
    const row = new Int32Array(given.length + 1)
    for (const [at, other] of given.entries())
      row[at + 1] = isSame(one, other)
        ? (above[at] as number) + 1
        : Math.max(above[at + 1] as number, row[at] as number)
    above = row
  }
  return above[given.length] as number
}

type Features = (reading: Reading) => readonly (readonly Float32Array[])[]

function grow(lists: readonly LabelledList[], featuresOf: Features): Forest {
  const [rows, labels, weights]: [Float32Array[], number[], number[]] = [[], [], []]
  const learn = (readings: readonly Reading[], weight: number): void => {
    for (const reading of readings)
      for (const [at, row] of featuresOf(reading).entries())
        for (const [of, features] of row.entries()) {
          rows.push(features)
          labels.push(Number(reading.isRight[at]?.[of]))
          weights.push(weight / readings.length)
        }
  }
  for (const { set, readings } of lists) {
    const weight = set.startsWith('made') ? madeWeight : 1
    const headed = readings.filter(({ isHeaded }) => isHeaded === true)
    const strangers = readings.filter(({ isHeaded }) => isHeaded === null)
    learn(headed, weight)
    learn(strangers.slice(0, strangersMax), weight * strangersWeight)
  }
  const width = rows[0]?.length ?? 0
  const flat = new Float32Array(rows.length * width)
  for (const [at, row] of rows.entries()) flat.set(row, at * width)
  return boost({ width, rows: flat, labels: Uint8Array.from(labels), weights: Float32Array.from(weights) }, boosting)
}

const probabilities = (forest: Forest, { features }: Reading): number[][] => {
  const trees = packed(forest)
  return features.map((row) => row.map((one) => probabilityOf(trees, one)))
}

/** The parts of the lists that are left out in turn, so that the second forest learns from what the first says of lists that it does not know. */
const parts = 5

function train(lists: readonly LabelledList[]): Omit<ColumnModel, 'features'> {
  const partOf = ({ document }: LabelledList): number => Math.floor(shareOf(document) * parts)
  const known = new Map<Reading, readonly (readonly number[])[]>()
  for (let part = 0; part < parts; part++) {
    const forest = grow(
      lists.filter((list) => partOf(list) !== part),
      ({ features }) => features,
    )
    for (const { readings } of lists.filter((list) => partOf(list) === part))
      for (const reading of readings) known.set(reading, probabilities(forest, reading))
  }
  return {
    alone: grow(lists, ({ features }) => features),
    among: grow(lists, (reading) => rivalFeatures(reading.features, known.get(reading) ?? [])),
  }
}

/** A column that a field of a list gets, how likely it is that field's, and whether it is. */
interface Given {
  readonly probability: number
  readonly isRight: boolean
}

/** Less likely columns are not counted. */
const least = 0.3

/** What the fields of a list get from the table whose columns are most likely theirs. */
function givenBy(model: Omit<ColumnModel, 'features'>, { readings }: LabelledList): Given[] {
  let best: Given[] = []
  const sumOf = (given: readonly Given[]): number => given.reduce((sum, { probability }) => sum + probability, 0)
  for (const reading of readings) {
    const features = rivalFeatures(reading.features, probabilities(model.alone, reading))
    const pairs = likeliestPairs(probabilities(model.among, { ...reading, features }), least)
    const given = pairs.map(({ at, of, probability }) => ({ probability, isRight: reading.isRight[at]?.[of] === true }))
    if (sumOf(given) > sumOf(best)) best = given
  }
  return best
}

const wrongIn = (given: readonly Given[]): number => given.filter(({ isRight }) => !isRight).length

const lists: LabelledList[] = []
const read: LabelledDocument[] = []
for await (const document of documents()) {
  const own = rememberingTexts(() => listsOf(document))
  lists.push(...own)
  if (own.length > 0) read.push(document)
}
for await (const document of madeDocuments('train', { cache: options.cache, forms: ['text', 'noisy'] }))
  read.push(document)
const printed = read.filter(({ set }) => set.startsWith('printed'))
/** A page that is asked for the lists of another. */
const asOther = (page: LabelledDocument): LabelledDocument => {
  const { schema, truth } = printed[(printed.indexOf(page) + strangersApart) % printed.length] as LabelledDocument
  return { ...page, schema, truth }
}
const cells: LabelledCells[] = []
const sheets: LabelledDocument[] = []
for await (const sheet of sheetDocuments()) sheets.push(sheet)
const sheetCells: LabelledCells[] = []
const families = Map.groupBy(lists, ({ set }) => kindOf(set))
const table: Record<string, Record<string, number | string>> = {}
for (const [family, own] of families) {
  const model = train(lists.filter((list) => !own.includes(list)))
  scoreColumnsBy(model)
  const documents = read.filter(({ set }) => kindOf(set) === family)
  cells.push(...documents.flatMap((document) => cellsOf(document)))
  for (const page of documents) if (printed.includes(page)) cells.push(...cellsOf(asOther(page), true))
  for (const sheet of sheets.filter(({ set }) => kindOf(set) === family)) {
    sheetCells.push(...cellsOf(sheet))
    const { schema, truth } = sheets[(sheets.indexOf(sheet) + sheetsApart) % sheets.length] as LabelledDocument
    sheetCells.push(...cellsOf({ ...sheet, schema, truth }, true))
  }
  const given = own.flatMap((list) => givenBy(model, list))
  const fields = own.reduce((sum, one) => sum + one.fields.length, 0)
  const counts = [least, 0.5, 0.7, 0.9].map((from) => {
    const sure = given.filter(({ probability }) => probability >= from)
    return [`right, wrong from ${from}`, `${sure.length - wrongIn(sure)}, ${wrongIn(sure)}`]
  })
  table[family] = { lists: own.length, fields, ...Object.fromEntries(counts) }
}
console.table(table)
const { model: cellModel, scored } = fitCells(cells)
for (const rate of [wrongRates.default, 0.05, 0.1]) {
  console.log(`at ${rate}`)
  console.table(tableOf(scored, rate))
}
const { model: sheetModel, scored: scoredSheets } = fitCells(sheetCells, [...cells, ...sheetCells])
for (const rate of [wrongRates.default, 0.05, 0.1]) {
  console.log(`sheets at ${rate}`)
  console.table(tableOf(scoredSheets, rate))
}
if (!options.dry) {
  const write = (name: string, model: object) =>
    writeFile(new URL(`../../src/tables/${name}`, import.meta.url), `${JSON.stringify(model)}\n`)
  const model: ColumnModel = { features: rivalFeatureNames, ...train(lists) }
  await write('columns/column-model.json', model)
  await write('cells/cell-model.json', cellModel)
  await write('cells/sheet-model.json', sheetModel)
}
