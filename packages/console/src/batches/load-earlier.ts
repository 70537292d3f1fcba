import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { call, callRaw } from '../api.ts'
import { count } from '../format.ts'
import { type Asked, isJsonObject, type JsonObject } from '../wire.ts'
import type { EarlierExecutions } from './earlier.ts'
import { type BatchItem, batchPath } from './wire.ts'

/** Executions that can be asked for more fields, and the schema that they share. */
export interface Askable {
  readonly ids: readonly string[]
  readonly schema: JsonObject & { readonly properties: JsonObject }
  /** Which executions are left out, and why. */
  readonly leftOut: readonly string[]
}

/** Most selected executions: the request of each is read. */
const chosenMax = 500
const readAtOnce = 8

/** Throws an Error whose message says why none can be asked. */
export const loadEarlier = (earlier: EarlierExecutions, signal: AbortSignal): Promise<Askable> =>
  'batch' in earlier ? ofBatch(earlier.batch, signal) : ofChosen(earlier.chosen, signal)

type Chosen = Extract<EarlierExecutions, { chosen: unknown }>['chosen']
async function ofChosen(chosen: Chosen, signal: AbortSignal): Promise<Askable> {
  if (chosen.length > chosenMax)
    throw new Error(`Select at most ${chosenMax} executions, or ask all of a batch on its page.`)
  const completed = chosen.filter(({ status }) => status === 'completed')
  const requests: (Asked | undefined)[] = []
  for (let from = 0; from < completed.length; from += readAtOnce) {
    const some = completed.slice(from, from + readAtOnce)
    requests.push(...(await Promise.all(some.map(({ id }) => requestOf(id, signal)))))
  }
  const kept = completed.filter((_, at) => requests[at])
  const schemas = requests.flatMap((asked) => asked ?? []).map(({ config }) => config?.['json_schema'])
  if (new Set(schemas.map(sorted)).size > 1)
    throw new Error(
      'The selected executions have different schemas. Select executions of one schema, such as those of one batch.',
    )
  return askable(
    kept.map(({ id }) => id),
    { schema: schemas[0], unended: chosen.length - completed.length, purged: completed.length - kept.length },
  )
}

async function ofBatch(
  { id, total }: { readonly id: string; readonly total: number },
  signal: AbortSignal,
): Promise<Askable> {
  const ids: string[] = []
  let path: string | undefined = batchPath(id, '/items?status=completed&limit=1000')
  while (path !== undefined) {
    const response: Response = await callRaw(path, { signal })
    const items = (await response.json()) as readonly BatchItem[]
    ids.push(...items.flatMap(({ execution_id }) => execution_id ?? []))
    path = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  // One configuration applies to all of a batch: the first request that is still retained has the schema.
  for (const [at, execution] of ids.entries()) {
    const asked = await requestOf(execution, signal)
    if (!asked) continue
    const schema = asked.config?.['json_schema']
    return askable(ids.slice(at), { schema, unended: total - ids.length, purged: at })
  }
  return askable([], { schema: undefined, unended: total - ids.length, purged: ids.length })
}

/** The request of an execution; undefined if it is not retained. */
async function requestOf(id: string, signal: AbortSignal): Promise<Asked | undefined> {
  try {
    return await call<Asked>(`/v1/agent/executions/${encodeURIComponent(id)}/request?skill_schema=true`, { signal })
  } catch (error) {
    if (error instanceof SkillrunFailure && error.status === 409) return undefined
    throw error
  }
}

interface Found {
  readonly schema: unknown
  readonly unended: number
  readonly purged: number
}
function askable(ids: readonly string[], { schema, unended, purged }: Found): Askable {
  const leftOut = [
    ...(unended > 0 ? [`${count(unended, 'execution')} not completed`] : []),
    ...(purged > 0 ? [`${count(purged, 'execution')} whose content is not retained`] : []),
  ]
  if (ids.length === 0) throw new Error(`No execution here can be asked again: ${leftOut.join(', ')}.`)
  if (!isJsonObject(schema) || !isJsonObject(schema['properties']))
    throw new Error(
      'These executions have no schema with fields, neither in their requests nor in their skills. To ask them for fields, run skillrun backfill with a whole schema.',
    )
  return { ids, leftOut, schema: { ...schema, properties: schema['properties'] } }
}

/** JSON with sorted names: equal for schemas that differ only in the order of these. */
const sorted = (schema: unknown): string =>
  JSON.stringify(schema, (_, value: unknown) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  ) ?? ''
