import { isJsonObject, type Json, pointerStep, pointerSteps } from '@skillrun/core/json.ts'

/**
 * The field of a value: its pointer with `*` for each index of a list. The first of the answers that has a list or an object there tells
 * an index from a property whose name is a number. If none has, a number is an index.
 */
export function fieldAt(pointer: string, ...answers: readonly Json[]): string {
  let parents: readonly Json[] = answers
  const field = pointerSteps(pointer).map((step) => {
    const parent = parents.find((one) => typeof one === 'object' && one !== null)
    const isRow = Array.isArray(parent) || (parent === undefined && /^\d+$/.test(step))
    parents = parents.map((one) => memberOf(one, step))
    return isRow ? '/*' : pointerStep(step)
  })
  return field.join('')
}

function memberOf(parent: Json, step: string): Json {
  if (Array.isArray(parent)) return (parent[Number(step)] as Json | undefined) ?? null
  return isJsonObject(parent) && Object.hasOwn(parent, step) ? (parent[step] ?? null) : null
}
