import { pointerStep } from '../../kit/json.ts'
import type { ArrayPlan, LeafPlan, Plan } from './plan.ts'
import type { Field } from './sheet.ts'

/** A list of the answer with the places inside one of its items. */
export interface ListField {
  readonly pointer: string
  readonly plan: ArrayPlan
  /** Places inside an item; their pointers start at the item. */
  readonly columns: readonly Field[]
}

/** Every place of an answer that a document may fill. */
export interface Fields {
  readonly single: readonly Field[]
  readonly lists: readonly ListField[]
  /** Single fields and columns together. */
  readonly all: readonly Field[]
}

/** Numbers the places of a plan: single ones, and lists with the places of their items. */
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
    else if (at.type === 'array') lists.push({ pointer, plan: at, columns: columnsOf(at.item, '') })
    else for (const property of at.properties) walk(property.plan, pointer + pointerStep(property.name))
  }
  walk(plan, '')
  return { single, lists, all }
}
