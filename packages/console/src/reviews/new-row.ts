import { pointerStep, pointerSteps, valueAt } from '@skillrun/core/json.ts'
import { resolvedSchema } from '@skillrun/core/resolved-schema.ts'
import { writtenNumber } from '@skillrun/core/written-numbers.ts'
import { label } from '../label.ts'
import { isJsonObject, type Json, type JsonObject } from '../wire.ts'
import { expectsNumber, misfitTold, schemaAt, typedReadings, typesOf, type WritingHabits } from './typed-value.ts'

/** A value of a row that a person adds. */
export interface RowCell {
  /** Within the row; empty: the row is one value. */
  readonly pointer: string
  readonly name: string
  readonly schema: JsonObject | undefined
  /** A value of another row, whose type is taken where no schema says one. */
  readonly sample: Json
  /** Whether it is left out where it is empty; otherwise it is null. */
  readonly isOptional: boolean
  /** The only texts that it can have; undefined: any. */
  readonly options: readonly string[] | undefined
  /** What a new row has here, for which nobody types anything. */
  readonly fixed?: Json
}

/** The values of a new row of a list: those that its schema names, or else those of its other rows. */
export function cellsOf(root: JsonObject | undefined, list: string, items: readonly Json[]): readonly RowCell[] {
  const schema = schemaAt(root, `${list}/0`)
  const leaves = schema && root ? leavesOf(root, schema, { pointer: '', isOptional: false }, [schema]) : []
  const known = leaves.length > 0 ? leaves : untypedLeaves(items)
  return known.map((leaf) => {
    const { pointer } = leaf
    const own = schemaAt(schema && root, `${list}/0${pointer}`)
    const sample = items.map((item) => valueAt(item, pointer) ?? null).find((one) => one !== null) ?? null
    const name = label(pointerSteps(pointer).join('_'))
    return { ...leaf, name, schema: own, sample, options: optionsOf(own) }
  })
}

type Leaf = Pick<RowCell, 'pointer' | 'isOptional' | 'fixed'>

/** `path`: the schema and those that it is in, where one that contains itself ends. */
function leavesOf(root: JsonObject, schema: JsonObject, leaf: Leaf, path: readonly JsonObject[]): readonly Leaf[] {
  const { properties, required } = schema
  const types = typesOf(schema)
  if (types.includes('array')) return leaf.isOptional ? [] : [{ ...leaf, fixed: [] }]
  if (!isJsonObject(properties)) return [{ ...leaf, isOptional: leaf.isOptional && !types.includes('null') }]
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.entries(properties).flatMap(([name, one]) => {
    const inner = resolvedSchema(root, one)
    const at = { pointer: leaf.pointer + pointerStep(name), isOptional: !needed.has(name) }
    return inner && !path.includes(inner) ? leavesOf(root, inner, at, [...path, inner]) : []
  })
}

function untypedLeaves(items: readonly Json[]): readonly Leaf[] {
  const names = [...new Set(items.filter(isJsonObject).flatMap(Object.keys))].map(pointerStep)
  return (names.length > 0 ? names : ['']).map((pointer) => ({ pointer, isOptional: false }))
}

function optionsOf(schema: JsonObject | undefined): readonly string[] | undefined {
  const choices = schema?.['enum']
  if (Array.isArray(choices)) return choices.filter((one) => one !== null).map(String)
  return typesOf(schema).includes('boolean') ? ['true', 'false'] : undefined
}

/** Whether a person types it. */
export const isTyped = ({ fixed }: RowCell): boolean => fixed === undefined

/** Whether a number is expected. */
export const isNumeric = ({ schema, sample }: RowCell): boolean => expectsNumber(schema, sample)

/** A value of a new row that has another type than its schema asks for, or can mean several. */
export class WrongCell extends Error {}

/** The row that a person typed. An empty cell is null, or left out where its schema does not allow null. Throws WrongCell. */
export function typedRow(
  cells: readonly RowCell[],
  texts: Readonly<Record<string, string>>,
  habits?: WritingHabits,
): Json {
  let row: Json = cells[0]?.pointer === '' ? null : {}
  for (const { pointer, name, schema, sample, isOptional, fixed = null } of cells) {
    const text = texts[pointer] ?? ''
    const isEmpty = text.trim() === ''
    if (isEmpty && isOptional) continue
    const readings = isEmpty ? [fixed] : typedReadings(text, schema, sample, habits)
    const place = name || 'The new row'
    if (readings.length > 1)
      throw new WrongCell(
        `${place}: “${text}” could be ${readings.map(plainlyWritten).join(' or ')}. Write the one you mean.`,
      )
    const [value] = readings
    if (value === undefined) throw new WrongCell(`${place}: ${misfitTold(text, schema, sample)}`)
    row = withValue(row, pointerSteps(pointer), value)
  }
  return row
}

/** A day, or a number in digits that mean no other: three decimals could be a group. */
const plainlyWritten = (value: Json): string => {
  if (typeof value === 'string') return value
  const text = writtenNumber(Number(value))
  return /\.\d{3}$/.test(text) ? `${text}0` : text
}

/** The same with another value at a place, in objects that it makes where they are missing. */
export function withValue(root: Json, [step, ...rest]: readonly string[], value: Json): Json {
  if (step === undefined) return value
  if (Array.isArray(root)) return root.with(Number(step), withValue(root[Number(step)] ?? null, rest, value))
  const fields = isJsonObject(root) ? root : {}
  return { ...fields, [step]: withValue(fields[step] ?? null, rest, value) }
}
