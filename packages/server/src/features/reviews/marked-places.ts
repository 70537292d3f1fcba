import { z } from 'zod'
import type { Sql } from '../../adapters/db/db.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { detailOf, type Execution, listSteps, resultOf } from '../executions/executions.ts'
import { readTool } from '../inputs/inputs.ts'

/** Where a reviewer found a value. */
interface MarkedPlace {
  readonly input?: string | null | undefined
  readonly page?: number | null | undefined
  readonly bbox?: readonly number[] | null | undefined
}

const isMarked = ({ input, page, bbox }: MarkedPlace): boolean =>
  typeof input === 'string' || typeof page === 'number' || Boolean(bbox)

const read = z.looseObject({ input: z.string() })
const reading = z.looseObject({ pageCount: z.number() })
const listedMax = 10

/** Refuses places on inputs that the execution did not read, and on pages that they do not have. Throws ValidationFailures. */
export async function refuseUnknownPlaces(
  sql: Sql,
  execution: Execution,
  changes: readonly MarkedPlace[],
): Promise<void> {
  if (!changes.some(isMarked)) return
  const steps = (await listSteps(sql, execution)).filter(({ name }) => name === readTool)
  const pages = new Map(steps.map((step) => [detailOf(step, read).input, resultOf(step, reading).pageCount]))
  for (const [at, change] of changes.entries()) if (isMarked(change)) refuseUnknownPlace(pages, change, at)
}

function refuseUnknownPlace(pages: ReadonlyMap<string, number>, { input, page, bbox }: MarkedPlace, at: number): void {
  const loc = ['body', 'changes', at]
  const known = [...pages.keys()]
  const listed = known
    .slice(0, listedMax)
    .map((name) => JSON.stringify(name))
    .join(', ')
  const has = `The execution read ${listed || 'no inputs'}${known.length > listedMax ? ' and more' : ''}`
  const name = input ?? (known.length === 1 ? known[0] : undefined)
  if (name === undefined)
    throw invalid([...loc, 'input'], `Name the input that the place is on. ${has}`, { type: 'missing' })
  const count = pages.get(name)
  if (count === undefined)
    throw invalid([...loc, 'input'], `There is no input named ${JSON.stringify(name)}. ${has}`, { input: name })
  if (typeof page === 'number' && page >= Math.max(1, count))
    throw invalid(
      [...loc, 'page'],
      `There is no page ${page}: ${JSON.stringify(name)} has the pages 0 to ${Math.max(1, count) - 1}`,
      { input: page },
    )
  if (bbox && typeof page !== 'number' && count > 1)
    throw invalid([...loc, 'page'], `Say which page of ${JSON.stringify(name)} the box is on, from 0 to ${count - 1}`, {
      type: 'missing',
    })
}
