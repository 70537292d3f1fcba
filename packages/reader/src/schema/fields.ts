import { pointerStep } from '@skillrun/core/json.ts'
import { findConcept } from '../languages/concepts.ts'
import type { Field } from '../layout/sheet.ts'
import type { ArrayPlan, LeafPlan, Plan } from './plan.ts'

/** A list of the answer and the fields of its items. */
export interface ListField {
  readonly pointer: string
  readonly plan: ArrayPlan
  /** Fields of an item; their pointers are relative to the item. */
  readonly columns: readonly Field[]
}

/** True for a list whose items are single values, such as texts or numbers, and not objects. */
export const isOfValues = ({ columns: [first, ...others] }: ListField): boolean =>
  first?.pointer === '' && others.length === 0

/** The single column of a list of values, at the place of the list. */
export const fieldOfItems = ({ pointer, columns }: ListField): Field => ({ ...(columns[0] as Field), pointer })

/** Every place of an answer that a document may fill. */
export interface Fields {
  readonly single: readonly Field[]
  readonly lists: readonly ListField[]
  /** Single fields and columns together. */
  readonly all: readonly Field[]
}

/** The first of the fields with this meaning. */
export const findField = (fields: readonly Field[], id: string): Field | undefined =>
  fields.find((field) => field.plan.meaning.concept?.id === id)

/** When a list has a price and an amount, the price is the unit price. */
function markUnitPrices(columns: readonly Field[]): Field[] {
  const amounts = columns.filter((column) => column.plan.meaning.concept?.id === 'line_amount')
  const unitPrice = findConcept('unit_price')
  const hasUnitPrice = findField(columns, 'unit_price') !== undefined
  if (amounts.length < 2 || unitPrice === undefined || hasUnitPrice) return [...columns]
  const price = amounts.find((column) => /(?:^| )(?:price|cost|rate)$/.test(column.plan.meaning.path))
  if (price === undefined) return [...columns]
  return columns.map((column) => {
    if (column !== price) return column
    const meaning = { ...column.plan.meaning, concept: unitPrice }
    return { ...column, plan: { ...column.plan, meaning } }
  })
}

/** The single fields that an answer cannot leave out or set to null, by pointer. */
export function neededIn(plan: Plan): ReadonlySet<string> {
  const needed = new Set<string>()
  const walk = (at: Plan, pointer: string, required: boolean): void => {
    if (at.type === 'leaf' && required && !at.nullable) needed.add(pointer)
    if (at.type !== 'object') return
    for (const property of at.properties) walk(property.plan, pointer + pointerStep(property.name), property.required)
  }
  walk(plan, '', true)
  return needed
}

/** The fields of a plan: single ones, and lists with the fields of their items. */
export function listFields(plan: Plan): Fields {
  const all: Field[] = []
  const single: Field[] = []
  const lists: ListField[] = []
  const number = (leaf: LeafPlan, pointer: string): Field => {
    const field = { id: all.length, pointer, plan: leaf }
    all.push(field)
    return field
  }
  const columnsOf = (item: Plan, pointer: string): Field[] => {
    if (item.type === 'leaf') return [number(item, pointer)]
    if (item.type === 'array') return []
    return item.properties.flatMap((property) => columnsOf(property.plan, pointer + pointerStep(property.name)))
  }
  const walk = (at: Plan, pointer: string): void => {
    if (at.type === 'leaf') single.push(number(at, pointer))
    else if (at.type === 'array') lists.push({ pointer, plan: at, columns: markUnitPrices(columnsOf(at.item, '')) })
    else for (const property of at.properties) walk(property.plan, pointer + pointerStep(property.name))
  }
  walk(plan, '')
  return { single, lists, all }
}
