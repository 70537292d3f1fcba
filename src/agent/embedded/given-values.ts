import { isJsonObject, type Json } from '../../kit/json.ts'
import type { Finding } from './assemble.ts'
import type { LeafPlan } from './plan.ts'
import type { Field } from './sheet.ts'
import { namePhrase } from './text.ts'
import { fits, valueFor } from './values.ts'

/** Values inside values looked at, in depth. */
const depthMax = 6

interface Given {
  readonly input: string
  readonly value: Json
}

/** Every single value of the slots by its name and by its name with those around it. */
function* namedValues(
  name: string,
  value: Json,
  place: { input: string; depth: number },
): Generator<readonly [string, Given]> {
  if (isJsonObject(value) && place.depth < depthMax) {
    for (const [key, child] of Object.entries(value)) {
      yield* namedValues(key, child, { ...place, depth: place.depth + 1 })
      if (!isJsonObject(child)) yield [`${namePhrase(name)} ${namePhrase(key)}`, { input: place.input, value: child }]
    }
    return
  }
  yield [namePhrase(name), { input: place.input, value }]
}

function readGiven(plan: LeafPlan, value: Json): Json | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const reading = { start: 0, end: 0, value, printed: String(value), fit: 1 }
  return fits(plan, reading) ? valueFor(plan, reading) : undefined
}

/** Fields that a plain JSON slot already holds under the same name. */
export function givenValues(fields: readonly Field[], values: Readonly<Record<string, Json>>): Map<string, Finding> {
  const given = new Map<string, Given>()
  for (const [input, value] of Object.entries(values)) {
    for (const [name, entry] of namedValues(input, value, { input, depth: 0 }))
      if (!given.has(name)) given.set(name, entry)
  }
  const found = new Map<string, Finding>()
  if (given.size === 0) return found
  for (const { pointer, plan } of fields) {
    const names = [plan.meaning.path, plan.meaning.path.split(' ').slice(-2).join(' '), lastName(pointer)]
    const entry = names.map((name) => given.get(name)).find((match) => match !== undefined)
    const value = entry === undefined ? undefined : readGiven(plan, entry.value)
    if (entry === undefined || value === undefined) continue
    const evidence = { status: 'verified', input: entry.input, quote: String(entry.value), confidence: 1 } as const
    found.set(pointer, { value, evidence })
  }
  return found
}

const lastName = (pointer: string): string =>
  namePhrase((pointer.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~'))
