import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import type { z } from 'zod'
import type { Db } from '../../adapters/db/db.ts'
import { dollarsOf } from '../../core/money.ts'
import { isGiven, listAskable, listFullCosts, listPastWork } from '../executions/executions.ts'
import { findFilenames } from '../files/files.ts'
import { tierMicros } from '../pricing/pricing.ts'
import { loadSkill } from '../skills/skills.ts'
import { type BackfillTask, backfillRange } from './backfill-range.ts'
import { baseItems } from './base-items.ts'
import type { BatchParts } from './request-items.ts'
import { refuseBesideBases, type SharedCall, sharedRequest } from './shared-request.ts'
import type { BatchRequestBody, backfillEstimate } from './wire.ts'

/** What a batch over earlier executions would cost, from what they cost. Throws what the batch would. */
export async function estimateBackfill(parts: BatchParts, call: SharedCall): Promise<z.infer<typeof backfillEstimate>> {
  const { db } = parts
  const { body } = call
  const { workspaceId } = call.caller
  refuseBesideBases(body)
  const items = await baseItems(db, { workspaceId, ids: body.base_executions ?? [] })
  const { tier } = await sharedRequest(parts, call, items[0])
  const ids = await usableAmong(db, {
    ...{ workspaceId, ids: items.flatMap(({ baseExecution }) => baseExecution ?? []) },
    withOwnSkills: !isGiven('skills', body.config?.skills),
  })
  const work = await listPastWork(db, { workspaceId, ids })
  const model = modelOf(parts, body)
  const fullCosts = await listFullCosts(db, {
    workspaceId,
    agents: [...new Set(work.flatMap(({ agentId }) => agentId ?? []))],
    models: model ? [model.name] : [...new Set(work.map((one) => one.model))],
  })
  const schema = body.config?.json_schema as JsonSchema
  const { low, high, ...counts } = backfillRange(work, { schema, changesMore: changesMore(body), model, fullCosts })
  return {
    ...{ executions: items.length, unusable: items.length - ids.length, ...counts, service_tier: tier },
    low_dollars: dollarsOf(tierMicros(low, tier)),
    high_dollars: dollarsOf(tierMicros(high, tier)),
  }
}

/** Those that can be executed again: completed and retained, with all their files, and their skills unless the batch replaces these. */
async function usableAmong(
  db: Db,
  of: { workspaceId: string; ids: readonly string[]; withOwnSkills: boolean },
): Promise<readonly string[]> {
  const { workspaceId } = of
  const askable = await listAskable(db, of)
  const named = new Set(askable.flatMap(({ fileIds }) => fileIds).filter(isId))
  const found = await findFilenames(db, { workspaceId, ids: [...named] })
  const there = new Set(found.map(({ id }) => id))
  if (of.withOwnSkills)
    for (const id of new Set(askable.flatMap(({ skillIds }) => skillIds)))
      if (await hasSkill(db, { workspaceId, id })) there.add(id)
  return askable
    .filter(({ fileIds, skillIds }) => [...fileIds, ...(of.withOwnSkills ? skillIds : [])].every((id) => there.has(id)))
    .map(({ id }) => id)
}

const hasSkill = (db: Db, of: { workspaceId: string; id: string }): Promise<boolean> =>
  loadSkill({ db }, of).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Fault && error.kind === 'missing') return false
      throw error
    },
  )

function modelOf({ intake: { models } }: BatchParts, { model }: BatchRequestBody): BackfillTask['model'] {
  if (!model) return null
  const route = models.route(model)
  return { name: route.model, isEmbedded: route.fixed?.kind === 'embedded' && !route.ladder }
}

/** Fields of `config` with which an earlier answer says nothing about the new request, where their values differ. */
const deciding = [
  ...(['prompt', 'skills', 'path', 'max_wrong_rate', 'page_indices'] as const),
  ...(['video_segment_duration', 'video_frames_per_segment', 'tool_names', 'tools_type'] as const),
]

const changesMore = ({ agent, model, toolsets, config }: BatchRequestBody): boolean =>
  Boolean(agent || model || toolsets) || deciding.some((field) => isGiven(field, config?.[field]))
