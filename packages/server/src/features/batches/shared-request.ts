import { Fault } from '@skillrun/core/fault.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import { type IgnoredField, ignoredFields } from '../../adapters/http/ignored-fields.ts'
import type { Caller } from '../../adapters/http/route.ts'
import { invalid, parsePart } from '../../adapters/http/validation.ts'
import { type CreateParts, type ExecuteRequest, executeRequest, mayRetain, prepare } from '../executions/executions.ts'
import { tierOf } from '../pricing/pricing.ts'
import { bodyOnBase } from './base-items.ts'
import type { BatchRequest, NewItem } from './batch.ts'
import { type BatchRequestBody, batchRequest, type ItemRequest } from './wire.ts'

/** The slot of an item that names a file or a URL. */
export const documentSlot = 'document'

export function inputsOfItem({ file_id, url, inputs }: ItemRequest): JsonObject {
  if (file_id) return { [documentSlot]: { type: 'input_file', file_id } }
  if (url) return { [documentSlot]: { type: 'file_url', file_url: { url } } }
  return (inputs ?? {}) as JsonObject
}

/** Refuses what a batch over earlier executions lacks, and what would mean nothing in it. */
export function refuseBesideBases({ config, combine }: BatchRequestBody): void {
  if (!config?.json_schema)
    throw invalid(['body', 'config', 'json_schema'], 'With base_executions, give the new schema', { type: 'missing' })
  if (combine)
    throw invalid(
      ['body', 'combine'],
      'Leave combine out with base_executions: each earlier execution is executed again by itself',
      { type: 'not_combinable' },
    )
  if (config.base_execution)
    throw invalid(
      ['body', 'config', 'base_execution'],
      'Leave base_execution out with base_executions: the base of each new execution is the earlier one',
      { type: 'ambiguous' },
    )
}

/** What the shared request of a batch is read from. */
export interface SharedCall {
  readonly caller: Caller
  readonly body: BatchRequestBody
  readonly sentBody: unknown
  /** Public scheme and host of this server. */
  readonly origin: string
  readonly signal: AbortSignal
}

/** The shared request of the batch, validated with the first item. Pins the versions of skills and agent. */
export async function sharedRequest(
  parts: CreateParts,
  { caller, body, sentBody, origin, signal }: SharedCall,
  item: NewItem | undefined,
): Promise<BatchRequest> {
  const { agent: name, model, metadata, toolsets, config } = body
  const shared: ExecuteRequest = {
    name,
    model,
    metadata,
    toolsets,
    config: { ...config, service_tier: body.service_tier ?? config?.service_tier ?? 'flex' },
  }
  const archive = body.zip_file_id ? inputsOfItem({ file_id: body.zip_file_id }) : {}
  const first = item?.baseExecution
    ? await firstOnBase(parts, {
        workspaceId: caller.workspaceId,
        id: item.baseExecution,
        shared: shared as JsonObject,
      })
    : { ...shared, inputs: item?.inputs ?? archive }
  const { agent, request } = await prepare(parts, { caller, body: first, signal })
  const pinned = request.skills ?? []
  return {
    body: {
      ...shared,
      ...(name && agent ? { name: `${agent.name}:${agent.version}` } : {}),
      config: {
        ...shared.config,
        ...(config?.skills
          ? { skills: config.skills.map((entry, at) => pinnedEntry(pinned[at]?.id ?? null) ?? entry) }
          : {}),
      },
    } as JsonObject,
    tier: tierOf(shared.config?.service_tier),
    ignored: ignoredOf(sentBody),
    origin,
    isRetained: mayRetain(request),
  }
}

/** The request of the first item, to validate what the batch replaces. An earlier execution that was not retained fails as an item. */
async function firstOnBase(
  { db }: CreateParts,
  of: { workspaceId: string; id: string; shared: JsonObject },
): Promise<ExecuteRequest> {
  const body = await bodyOnBase(db, of).catch((error: unknown): JsonObject => {
    if (error instanceof Fault) return { ...of.shared, inputs: { [documentSlot]: '' } }
    throw error
  })
  const { base_execution: _base, skills: _skills, ...config } = (body['config'] ?? {}) as JsonObject
  // Its own skills may be deleted: then it fails as an item.
  const { skills } = (of.shared['config'] ?? {}) as JsonObject
  return parsePart(executeRequest, { ...body, config: { ...config, ...(skills && { skills }) } }, 'body')
}

const pinnedEntry = (id: string | null) => (id === null ? undefined : { type: 'skill_reference', skill_id: id })

/** Unknown fields are allowed inside `config` and `metadata` only. */
const ignoredOf = (sent: unknown): readonly IgnoredField[] =>
  ignoredFields(batchRequest, sent).filter(({ path }) => path[0] === 'config')
