import { parseArgs } from 'node:util'
import { valueAt as foundAt, isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { type Answer, read } from '../../src/reader.ts'
import { thresholdFor } from '../../src/score/model.ts'
import { wrongRates } from '../../src/score/risk.ts'
import { shippedSheetCells } from '../../src/tables/cells/decide-cells.ts'
import { isSame } from '../printed/pages.ts'
import { aligned } from './list-cells.ts'
import { type MadeSheet, madeSheets } from './sheets.ts'

/**
 * What the reader makes of printed pages as CSV files and workbooks, and how true its confidence is.
 *
 *     node packages/reader/training/tables/measure-sheets.ts [--training] [--rate 0.02] [--show] [--strange]
 *
 * Pages of sets that only measure, or with `--training` the others. Rows are put in order first. `marked` are values that need a look, with
 * `--strange` each file is asked for what another page has.
 */
const { values: options } = parseArgs({
  options: {
    ...{ rate: { type: 'string' }, training: { type: 'boolean', default: false } },
    ...{ show: { type: 'boolean', default: false }, strange: { type: 'boolean', default: false } },
  },
})

interface Given {
  readonly group: string
  readonly confidence: number
  readonly isRight: boolean
  readonly isMarked: boolean
}

const rate = options.rate === undefined ? wrongRates.default : Number(options.rate)
const least = thresholdFor(shippedSheetCells(), 'text', rate).probability
const given: Given[] = []
const missing = new Map<string, number>()
const groupOf = (made: MadeSheet, isList: boolean): string => `${isList ? 'cells' : 'single fields'}, ${made.form}`
const objectsIn = (value: Json): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])

function judge(made: MadeSheet, truth: JsonObject, { response, evidence }: Answer): void {
  const add = (pointer: string, value: Json, isRight: boolean, isList: boolean): void => {
    const { confidence = 0, note } = evidence[pointer] ?? {}
    const isMarked = note !== undefined || (isList && confidence < least)
    given.push({ group: groupOf(made, isList), confidence, isRight, isMarked })
    if (options.show && !isRight)
      console.log(made.fileName, pointer, JSON.stringify(value), confidence, isMarked ? 'marked' : '')
  }
  const lack = (isList: boolean, count: number): void => {
    const group = groupOf(made, isList)
    missing.set(group, (missing.get(group) ?? 0) + count)
  }
  for (const [name, wanted] of Object.entries(truth)) {
    const value = foundAt(response, `/${name}`) ?? null
    if (!Array.isArray(wanted)) {
      if (made.form !== 'whole') continue
      if (value !== null) add(`/${name}`, value, isSame(value, wanted ?? null), false)
      else if (wanted !== null) lack(false, 1)
      continue
    }
    const rows = objectsIn(value)
    const items = objectsIn(wanted)
    const rightIn = (row: JsonObject, item: JsonObject): Set<string> =>
      new Set(
        Object.keys(row).filter((key) => (row[key] ?? null) !== null && isSame(row[key] ?? null, item[key] ?? null)),
      )
    const right = aligned(rows.map((row) => items.map((item) => rightIn(row, item))))
    for (const [at, row] of rows.entries())
      for (const [key, cell] of Object.entries(row))
        if (cell !== null) add(`/${name}/${at}/${key}`, cell, right[at]?.has(key) === true, true)
    const leaves = items.reduce((sum, item) => sum + Object.values(item).filter((one) => one !== null).length, 0)
    const filled = rows.reduce((sum, row) => sum + Object.values(row).filter((one) => one !== null).length, 0)
    lack(true, Math.max(0, leaves - filled))
  }
}

/** The answers of a page that has nothing of what it is asked for. */
const nothingOf = (truth: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(truth).map(([name, value]) => [name, Array.isArray(value) ? [] : null]))

const all: MadeSheet[] = []
for await (const made of madeSheets(options.training ? 'training' : 'measuring')) all.push(made)
for (const [at, made] of all.entries()) {
  const asked = options.strange ? (all[(at + 41) % all.length] ?? made) : made
  const held = options.rate === undefined ? {} : { maxWrongRate: rate }
  try {
    const answer = await read(made.bytes, { schema: asked.schema, fileName: made.fileName, ...held })
    judge(made, options.strange ? nothingOf(asked.truth) : asked.truth, answer)
  } catch (error) {
    console.log(made.fileName, String(error))
  }
}

const wrongIn = (own: readonly Given[]): number => own.filter(({ isRight }) => !isRight).length
const table: Record<string, Record<string, number>> = {}
for (const [group, own] of Map.groupBy(given, ({ group }) => group).entries()) {
  const plain = own.filter(({ isMarked }) => !isMarked)
  table[group] = {
    ...{ right: own.length - wrongIn(own), wrong: wrongIn(own), missing: missing.get(group) ?? 0 },
    ...{ marked: own.length - plain.length, 'wrong of others': wrongIn(plain) },
    sureness: Number((own.reduce((sum, { confidence }) => sum + confidence, 0) / own.length).toFixed(3)),
    'share right': Number((1 - wrongIn(own) / own.length).toFixed(3)),
  }
}
console.table(table)
const edges = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01]
for (const kind of ['cells', 'single'])
  console.table(
    Object.fromEntries(
      edges.slice(1).flatMap((to, at) => {
        const from = edges[at] ?? 0
        const own = given.filter(
          ({ group, confidence }) => group.startsWith(kind) && confidence >= from && confidence < to,
        )
        if (own.length === 0) return []
        const mean = own.reduce((sum, { confidence }) => sum + confidence, 0) / own.length
        return [
          [
            `${kind} ${from} to ${to}`,
            {
              values: own.length,
              confidence: Number(mean.toFixed(3)),
              right: Number((1 - wrongIn(own) / own.length).toFixed(3)),
            },
          ],
        ]
      }),
    ),
  )
