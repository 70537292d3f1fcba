import { Readable } from 'node:stream'
import { pointerStep, valueAt } from '@skillrun/core/json.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import type { BatchItem, BatchPlace, ItemStatus } from '../batch.ts'
import { listItems, listResponses } from '../item-list.ts'
import { type ItemsQuery, itemOf } from '../wire.ts'
import { type Cell, cellOf } from './cells.ts'
import { type Column, isListOfObjects, type ListTable, type Shape, ShapeFinder } from './columns.ts'
import { csvLine } from './csv.ts'
import type { StyledCell } from './xlsx.ts'

export const resultFormats = ['csv', 'xlsx', 'jsonl'] as const
export type ResultFormat = (typeof resultFormats)[number]

export const contentTypeOf: Readonly<Record<ResultFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/jsonl',
}

export interface ResultsOptions {
  readonly format: ResultFormat
  readonly status: ItemStatus | null
  readonly filter: NonNullable<ItemsQuery['filter']> | null
  /** Adds the confidence of each value and a link to its place. */
  readonly hasEvidence: boolean
  /** Address of the console. */
  readonly baseUrl: string
}

/** Items and answers in memory at once. */
const pageItems = 50

/**
 * Writes the results of a batch to a file, one row per item. Reads the items page by page, so memory depends on the page size only. A first
 * pass over all answers finds the columns. Fault `too_large` for too many columns.
 */
export async function writeResults(sql: Sql, place: BatchPlace, options: ResultsOptions): Promise<Readable> {
  const items = () => itemsOf(sql, place, options)
  if (options.format === 'jsonl') return Readable.from(jsonLines(items(), options), { objectMode: false })
  const shape = await findShape(sql, place)
  const table = tableOf(shape, options)
  if (options.format === 'csv') return Readable.from(csvLines(items(), table), { objectMode: false })
  const { writeXlsx } = await import('./xlsx.ts')
  return writeXlsx([
    { name: 'Results', header: table.header, rows: () => rowsOf(items(), (item) => [table.row(item)]) },
    ...shape.lists.map((list) => ({
      name: list.name,
      header: ['index', 'file_name', 'row', ...list.columns.map(({ name }) => headingOf(name, listHeadings))],
      rows: () => rowsOf(items(), (item) => listRows(item, list)),
    })),
  ])
}

async function* itemsOf(sql: Sql, place: BatchPlace, options: ResultsOptions): AsyncGenerator<BatchItem> {
  const { status, filter } = options
  let last: number | undefined
  for (;;) {
    const after = last === undefined ? null : { value: String(last), number: last }
    const page = await listItems(sql, {
      workspaceId: place.workspaceId,
      id: place.id,
      ...{ status, filter, after, limit: pageItems },
      ...{ sort: 'number', order: 'asc' },
    })
    yield* page
    if (page.length < pageItems) return
    last = page.at(-1)?.number
  }
}

async function findShape(sql: Sql, place: BatchPlace): Promise<Shape> {
  const finder = new ShapeFinder()
  let after = -1
  for (;;) {
    const page = await listResponses(sql, { ...place, after, limit: pageItems })
    for (const { response } of page) finder.add(response)
    const last = page.at(-1)
    if (!last || page.length < pageItems) return finder.shape()
    after = last.number
  }
}

async function* rowsOf<Row>(
  items: AsyncIterable<BatchItem>,
  rows: (item: BatchItem) => readonly Row[],
): AsyncGenerator<Row> {
  for await (const item of items) yield* rows(item)
}

async function* jsonLines(items: AsyncIterable<BatchItem>, { baseUrl }: ResultsOptions): AsyncGenerator<Buffer> {
  for await (const item of items) {
    const record = itemOf(item)
    const fields = record.fields.map((field) => ({ ...field, link: linkOf(baseUrl, item, field.path) }))
    yield Buffer.from(`${JSON.stringify({ ...record, fields, link: linkOf(baseUrl, item) })}\n`)
  }
}

async function* csvLines(items: AsyncIterable<BatchItem>, table: Table): AsyncGenerator<Buffer> {
  yield Buffer.from(csvLine(table.header))
  for await (const item of items) yield Buffer.from(csvLine(table.row(item).map(({ cell }) => cell)))
}

/** Address of a value on the console's page of an item's execution. */
function linkOf(baseUrl: string, { executionId }: BatchItem, path?: string): string | null {
  if (executionId === null) return null
  const url = `${baseUrl}/executions/${executionId}`
  return path === undefined ? url : `${url}?field=${encodeURIComponent(path)}`
}

interface Table {
  readonly header: readonly string[]
  row(item: BatchItem): readonly StyledCell[]
}

const before = ['file_name', 'status']
const after = ['needs_look', 'lowest_confidence', 'link', 'execution_id', 'client_id', 'error']
const listHeadings: ReadonlySet<string> = new Set(['index', 'file_name', 'row'])
const ownHeadings: ReadonlySet<string> = new Set([...before, ...after])

/** A field with the name of a built-in column is shown as `response.…`. */
const headingOf = (name: string, own: ReadonlySet<string>): string => (own.has(name) ? `response.${name}` : name)

function tableOf({ columns, lists }: Shape, { format, hasEvidence, baseUrl }: ResultsOptions): Table {
  const fields: readonly (Column & { readonly isList: boolean })[] = [
    ...columns.map((column) => ({ ...column, isList: false })),
    ...lists.map((list) => ({ ...list, isList: true })),
  ]
  const headings = fields.flatMap(({ name, isList }) => {
    const heading = headingOf(name, ownHeadings)
    const shown = isList && format === 'xlsx' ? `${heading} (rows)` : heading
    return hasEvidence ? [shown, `${heading} (confidence)`, `${heading} (evidence)`] : [shown]
  })
  return {
    header: [...before, ...headings, ...after],
    row: (item) => {
      const link = linkOf(baseUrl, item)
      const looks = new Set(item.needsLook)
      return [
        { cell: item.fileName },
        { cell: item.status },
        ...fields.flatMap(({ path, isList }) => {
          const value = valueAt(item.response, path) ?? null
          const confidence = item.evidence?.[path]?.confidence ?? null
          const isDoubtful = looks.has(path)
          const rows = isList && format === 'xlsx' && Array.isArray(value) ? value.length : undefined
          const cell = { cell: rows ?? cellOf(value), isDoubtful }
          if (!hasEvidence) return [cell]
          const evidence = item.evidence?.[path] && linkOf(baseUrl, item, path)
          return [cell, { cell: confidence }, { cell: evidence ? { link: evidence, text: 'Show' } : null }]
        }),
        { cell: item.needsLook.join(' ') || null },
        { cell: item.lowestConfidence },
        { cell: link === null ? null : { link, text: 'Open' } },
        { cell: item.executionId },
        { cell: item.clientId },
        { cell: item.error?.message ?? null },
      ]
    },
  }
}

/** The rows of one item's list. */
function listRows(item: BatchItem, { path, columns }: ListTable): readonly (readonly (Cell | StyledCell)[])[] {
  const list = valueAt(item.response, path) ?? null
  if (!isListOfObjects(list)) return []
  const looks = new Set(item.needsLook)
  return list.map((one, at) => [
    item.number,
    item.fileName,
    at + 1,
    ...columns.map((column) => {
      const row = path + pointerStep(at)
      const isDoubtful = looks.has(row) || looks.has(row + column.path)
      return { cell: cellOf(valueAt(one, column.path) ?? null), isDoubtful }
    }),
  ])
}
