import { assert } from '@skillrun/core/assert.ts'
import type pg from 'pg'
import { asPromised } from './failures.ts'
import { parseLargeValues } from './values.ts'

/** Statements that are kept prepared on each connection; the product has fewer, all written in its code. */
const preparedMax = 1_000
const preparedNames = new Map<string, string>()

/** The name under which `text` is prepared, or undefined when there are too many already. */
function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text)
  if (known !== undefined) return known
  if (preparedNames.size >= preparedMax) return undefined
  const name = `s${preparedNames.size + 1}`
  preparedNames.set(text, name)
  return name
}

/** Whatever runs a statement in node-postgres: the pool or one client. */
export interface Runner {
  query(config: pg.QueryConfig): Promise<pg.QueryResult | pg.QueryResult[]>
}

/** Runs one statement, prepared when it has params, and gives its rows. Failures are as `db.ts` promises. */
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
  assert(missing === -1, `param $${missing + 1} of a statement is undefined; say null when null is meant`)
  const name = preparedName(text)
  return name === undefined ? { text, values: [...params] } : { name, text, values: [...params] }
}
