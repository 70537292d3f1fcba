import { setImmediate } from 'node:timers/promises'
import { isJsonObject, type Json, pointerStep } from './json.ts'

/** A place where two JSON values differ. A side without a value there is undefined. */
export interface Difference {
  /** JSON Pointer. */
  readonly path: string
  readonly left: Json | undefined
  readonly right: Json | undefined
}

/** Values compared before other work gets its turn. */
const valuesAtOnce = 2_000

/**
 * The places where two JSON values differ, depth first, at most `max`. Compares members of objects by name, items of arrays by index; a
 * value on one side only is one difference. Ignores the order of members.
 */
export async function differencesOf(left: Json, right: Json, max: number): Promise<readonly Difference[]> {
  const found: Difference[] = []
  let values = 0
  for (const one of pairs({ path: '', left, right })) {
    if (one !== undefined) found.push(one)
    if (found.length >= max) break
    values += 1
    if (values % valuesAtOnce === 0) await setImmediate()
  }
  return found
}

/** One entry for each compared value: the difference, or undefined. */
function* pairs({ path, left, right }: Difference): Generator<Difference | undefined> {
  if (Array.isArray(left) && Array.isArray(right)) {
    for (let index = 0; index < Math.max(left.length, right.length); index += 1)
      yield* pairs({ path: path + pointerStep(index), left: left[index], right: right[index] })
  } else if (isJsonObject(left) && isJsonObject(right)) {
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
      yield* pairs({ path: path + pointerStep(name), left: own(left, name), right: own(right, name) })
  } else yield left === right ? undefined : { path, left, right }
}

const own = (object: { readonly [name: string]: Json }, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined
