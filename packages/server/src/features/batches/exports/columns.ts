import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, pointerStep, pointerSteps } from '@skillrun/core/json.ts'

/** A column of values: a place in the answers, or in the items of a list. */
export interface Column {
  /** JSON Pointer. */
  readonly path: string
  /** Its path segments joined by dots, as a heading. */
  readonly name: string
}

/** Lists of objects at one place of the answers become a table. */
export interface ListTable extends Column {
  readonly columns: readonly Column[]
}

/** The columns of the tables of a batch. */
export interface Shape {
  readonly columns: readonly Column[]
  readonly lists: readonly ListTable[]
}

/** Limits of spreadsheets. */
const columnsMax = 1_000
const listsMax = 50

/** Collects the columns of answers in order of first appearance. Its size grows with the columns, not with the answers. */
export class ShapeFinder {
  readonly #leaves = new Map<string, { hasValue: boolean }>()
  readonly #lists = new Map<string, Map<string, { hasValue: boolean }>>()

  /** Adds an answer. Fault `too_large` for more columns than a spreadsheet shows. */
  add(answer: Json): void {
    if (answer === null) return
    visit(answer, '', (path, value) => {
      if (!isListOfObjects(value) || (!this.#lists.has(path) && this.#lists.size >= listsMax))
        return note(this.#leaves, path, value)
      const columns = this.#lists.get(path) ?? new Map<string, { hasValue: boolean }>()
      this.#lists.set(path, columns)
      for (const item of value) visit(item, '', (inner, leaf) => note(columns, inner, leaf))
    })
  }

  shape(): Shape {
    return {
      columns: columnsOf(this.#leaves, [...this.#lists.keys()]),
      lists: [...this.#lists].map(([path, columns]) => ({ ...columnAt(path), columns: columnsOf(columns, []) })),
    }
  }
}

function note(columns: Map<string, { hasValue: boolean }>, path: string, value: Json): void {
  const known = columns.get(path)
  const hasValue = value !== null && !(typeof value === 'object' && Object.keys(value).length === 0)
  if (known) known.hasValue ||= hasValue
  else if (columns.size < columnsMax) columns.set(path, { hasValue })
  else
    throw new Fault(
      'too_large',
      'too_many_columns',
      `The answers have more than ${columnsMax} different fields, too many for columns; use format=jsonl`,
    )
}

/** An absent object or list needs no column when its fields have columns. */
function columnsOf(
  leaves: ReadonlyMap<string, { readonly hasValue: boolean }>,
  lists: readonly string[],
): readonly Column[] {
  const paths = [...leaves.keys()]
  const isPlaceholder = (path: string) => lists.includes(path) || paths.some((other) => other.startsWith(`${path}/`))
  return [...leaves].filter(([path, { hasValue }]) => hasValue || !isPlaceholder(path)).map(([path]) => columnAt(path))
}

const columnAt = (path: string): Column => ({ path, name: pointerSteps(path).join('.') || 'response' })

export const isListOfObjects = (value: Json): value is Record<string, Json>[] =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject)

/** Calls `found` for each non-object value, with its JSON Pointer. */
export function visit(value: Json, path: string, found: (path: string, value: Json) => void): void {
  if (!isJsonObject(value) || Object.keys(value).length === 0) {
    found(path, value)
    return
  }
  for (const [name, inner] of Object.entries(value)) {
    // The copy of the evidence in answers of requests with `grounding`.
    const isCopy =
      name.endsWith('_metadata') &&
      Object.hasOwn(value, name.slice(0, -'_metadata'.length)) &&
      isJsonObject(inner) &&
      Array.isArray(inner['bboxes'])
    if (!isCopy) visit(inner as Json, `${path}${pointerStep(name)}`, found)
  }
}
