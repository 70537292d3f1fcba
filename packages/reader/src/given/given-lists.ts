import { isJsonObject, type Json, pointerSteps } from '@skillrun/core/json.ts'
import type { Finding } from '../extract/assemble.ts'
import { namePhrase } from '../layout/text.ts'
import type { ListField } from '../schema/fields.ts'
import type { Shown } from '../values/exact-value.ts'
import { collectGiven, findGiven, findingOf, type Given, givenFor, shownByValues } from './given-values.ts'

/** The maximum number of items taken over from a list; longer lists are ignored. */
const itemsMax = 5_000

/** Lists that a plain JSON slot already holds under the same name, with their items by property name. */
export function givenLists(
  lists: readonly ListField[],
  values: Readonly<Record<string, Json>>,
): Map<string, Map<string, Finding>[]> {
  const found = new Map<string, Map<string, Finding>[]>()
  if (lists.length === 0 || Object.keys(values).length === 0) return found
  const given = collectGiven(values)
  const shown = shownByValues(values)
  for (const list of lists) {
    const entry = givenFor(given, list.pointer, list.plan.meaning.path)
    const items = entry ? itemsIn(list, entry, shown) : []
    // A list without any requested property is another list; so is a list of single values that also has objects.
    const isPlain = list.columns[0]?.pointer === ''
    const isOurs = isPlain ? items.every((item) => item.size > 0) : items.some((item) => item.size > 0)
    if (isOurs && items.length > 0) found.set(list.pointer, items)
  }
  return found
}

function itemsIn(list: ListField, { input, value, depth }: Given, shown: Shown): Map<string, Finding>[] {
  if (!Array.isArray(value) || value.length > itemsMax) return []
  const [only] = list.columns
  const name = namePhrase(pointerSteps(list.pointer).at(-1) ?? '')
  return value.map((item) => {
    if (isJsonObject(item)) {
      const inside = collectGiven({ [name]: item })
      const own = new Map([...inside].map(([key, entry]) => [key, entry && { ...entry, input }]))
      return findGiven(list.columns, own, shown)
    }
    const finding = only?.pointer === '' ? findingOf(only.plan, { input, value: item, depth }, shown) : undefined
    return new Map(finding ? [['', finding]] : [])
  })
}
