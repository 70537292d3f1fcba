import { assert } from '@skillrun/core/assert.ts'
import type pg from 'pg'
import { asPromised } from './failures.ts'
import { parseLargeValues } from './values.ts'

/** The most prepared statements per connection. The server has fewer, all literals in its code. */
const preparedMax = 1_000
const preparedNames = new Map<string, string>()

/** The name under which `text` is prepared; undefined when the limit is reached. */
function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text)
  if (known !== undefined) return known
  if (preparedNames.size >= preparedMax) return undefined
  const name = `s${preparedNames.size + 1}`
  preparedNames.set(text, name)
  return name
}

/** Runs statements with node-postgres: the pool or one client. */
export interface Runner {
  query(config: pg.QueryConfig): Promise<pg.QueryResult | pg.QueryResult[]>
}

/** Runs one statement, prepared when it has params, and returns its rows. Throws the Faults of `db.ts`. */
export async function runStatement<Row extends object>(
  runner: Runner,
  text: string,
  params?: readonly unknown[],
): Promise<readonly Row[]> {
  try {
    const result = await runner.query(configOf(text, params))
    const last = Array.isArray(result) ? result.at(-1) : result
    if (last) await parseLargeValues(last)
    return (last?.rows ?? []) as Row[]
  } catch (error) {
    throw asPromised(error)
  }
}

function configOf(text: string, params: readonly unknown[] | undefined): pg.QueryConfig {
  if (params === undefined || params.length === 0) return { text }
  const missing = params.indexOf(undefined)
  assert(missing === -1, `param $${missing + 1} of a statement is undefined; use null for SQL null`)
  const name = preparedName(text)
  return name === undefined ? { text, values: [...params] } : { name, text, values: [...params] }
}
