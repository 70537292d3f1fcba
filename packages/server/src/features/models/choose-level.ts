import type { JsonSchema } from '@skillrun/core/json.ts'

/** The properties of a request that decide its level. */
export interface RequestFacts {
  /** Parsed pages of all inputs together. */
  readonly pages: number
  /** Images that the model would look at. */
  readonly images: number
  /** Tools that the request names explicitly. */
  readonly toolsNamed: number
  /** The schema of the answer. */
  readonly schema: JsonSchema | null
}

/** A request with one of these figures or more is for the pro level. */
const proFrom = { pages: 9, images: 5, toolsNamed: 3, schemaProperties: 41 } as const

/** The rule of `:auto`: pro if any figure of the request reaches its limit, otherwise fast. `because` says which, for the record. */
export function chooseLevel({ schema, ...counts }: RequestFacts): { level: 'fast' | 'pro'; because: string } {
  const facts = { ...counts, schemaProperties: countProperties(schema) }
  const names = {
    pages: 'pages',
    images: 'images',
    toolsNamed: 'named tools',
    schemaProperties: 'schema properties',
  }
  const keys = Object.keys(proFrom) as (keyof typeof proFrom)[]
  const reached = keys.filter((key) => facts[key] >= proFrom[key])
  const listed = (list: readonly (keyof typeof proFrom)[]) =>
    list.map((key) => `${facts[key]} ${names[key]} (pro from ${proFrom[key]})`).join(', ')
  if (reached.length > 0) return { level: 'pro', because: `:auto chose pro: ${listed(reached)}` }
  return { level: 'fast', because: `:auto chose fast: ${listed(keys)}` }
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
