import type { JsonSchema } from '@skillrun/core/json.ts'

/** What a request holds, as far as the choice of a level looks at it. */
export interface RequestFacts {
  /** Pages that were read, of all inputs together. */
  readonly pages: number
  /** Pictures that the model would look at. */
  readonly pictures: number
  /** Tools that the request named itself. */
  readonly toolsNamed: number
  /** The schema of the answer. */
  readonly schema: JsonSchema | null
}

/** From these figures on a request is one for the pro level. */
const proFrom = { pages: 9, pictures: 5, toolsNamed: 3, schemaProperties: 41 } as const

/**
 * The rule of `:auto`: pro as soon as one figure of the request reaches its mark, else fast. `because` says which, for the
 * record.
 */
export function chooseLevel({ schema, ...counts }: RequestFacts): { level: 'fast' | 'pro'; because: string } {
  const facts = { ...counts, schemaProperties: countProperties(schema) }
  const names = {
    pages: 'pages',
    pictures: 'pictures',
    toolsNamed: 'named tools',
    schemaProperties: 'schema properties',
  }
  const keys = Object.keys(proFrom) as (keyof typeof proFrom)[]
  const reached = keys.filter((key) => facts[key] >= proFrom[key])
  const told = (list: readonly (keyof typeof proFrom)[]) =>
    list.map((key) => `${facts[key]} ${names[key]} (pro from ${proFrom[key]})`).join(', ')
  if (reached.length > 0) return { level: 'pro', because: `:auto chose pro: ${told(reached)}` }
  return { level: 'fast', because: `:auto chose fast: ${told(keys)}` }
}

/** Properties of a schema at all depths, without following references. */
export function countProperties(schema: unknown): number {
  let count = 0
  const pending: unknown[] = [schema]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const properties = (next as { properties?: unknown }).properties
    if (typeof properties === 'object' && properties !== null && !Array.isArray(properties))
      count += Object.keys(properties).length
    pending.push(...Object.values(next).filter((value) => typeof value === 'object' && value !== null))
  }
  return count
}
