import { isId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import { moment } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { recordAction } from '../audit/audit.ts'
import { executionRecord, loadExecution, recordOf, shapedRecord } from '../executions/executions.ts'
import { calibrateSettings } from './calibrate.ts'
import { assignReview, claimItem, claimNextItem, loadItem, releaseItem } from './queue.ts'
import { type SaveParts, saveReview } from './save-review.ts'
import { listSettings, writeSetting } from './settings.ts'
import { readStatistics } from './statistics.ts'
import { type ItemFilter, listReviewItems, listReviews, type ReviewItem } from './store.ts'
import {
  assignRequest,
  claimedItem,
  claimRequest,
  releaseRequest,
  reviewItem,
  reviewItemOf,
  reviewRequest,
  reviewStatistics,
  reviewsQuery,
  savedReviewOf,
  savedReviews,
  settingList,
  settingOf,
  settingRequest,
  statisticsOf,
  statisticsQuery,
} from './wire.ts'

export interface ReviewRouteParts extends Omit<SaveParts, 'db'> {}

const byExecution = z.object({ execution_id: z.string() })
const item = { description: 'The entry of the queue', schema: reviewItem }

/** Corrects answers, and serves the review queue. */
export function reviewRoutes(parts: ReviewRouteParts): Route[] {
  return [
    saveRoute(parts),
    historyRoute(),
    ...settingRoutes(parts),
    statisticsRoute(),
    listRoute(parts),
    findRoute(parts),
    claimNextRoute(parts),
    claimRoute(parts),
    giveBackRoute(parts, {
      verb: 'release',
      skips: false,
      summary: 'Release a claimed review, so that anyone can claim it',
    }),
    giveBackRoute(parts, {
      verb: 'skip',
      skips: true,
      summary: 'Skip a review: it is not offered to this key again',
    }),
    assignRoute(parts),
  ]
}

function saveRoute(parts: ReviewRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/agent/executions/{id}/review',
    operation: 'reviewExecution',
    tag: 'reviews',
    scope: 'review',
    summary:
      'Save corrections of an answer beside it, as reviewed_response; with the header If-Match only on top of that review.version',
    params: z.object({ id: z.string() }),
    body: reviewRequest,
    reply: { status: 200, description: 'The execution', schema: executionRecord },
    failures: [404, 409],
    handle: async ({ db, caller, params, body, headers, signal }) => {
      const saved = await saveReview(
        { ...parts, db },
        {
          workspaceId: caller.workspaceId,
          keyId: caller.keyId,
          id: params.id,
          changes: body.changes ?? [],
          done: body.done ?? false,
          comment: body.comment ?? null,
          claim: body.claim ?? null,
          ifVersion: versionOf(headers['if-match']),
          signal,
        },
      )
      return { json: shapedRecord(recordOf(saved), headers), about: { execution: saved.id } }
    },
  })
}

/** `"3"` or `3`; null: none was sent. */
function versionOf(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch === '*') return null
  const [, digits] = /^(?:W\/)?"?(\d{1,9})"?$/.exec(ifMatch) ?? []
  if (digits === undefined)
    throw invalid(['header', 'if-match'], 'Input should be the version of a review, such as "3"', { input: ifMatch })
  return Number(digits)
}

function historyRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/agent/executions/{id}/reviews',
    operation: 'listExecutionReviews',
    tag: 'reviews',
    scope: 'read',
    summary: 'List every saved review of an execution, oldest first',
    params: z.object({ id: z.string() }),
    reply: { status: 200, description: 'The reviews', schema: savedReviews },
    failures: [404],
    handle: async ({ db, caller: { workspaceId }, params }) => {
      const { id: executionId } = await loadExecution({ db }, { workspaceId, id: params.id })
      return { json: (await listReviews(db, { workspaceId, executionId })).map(savedReviewOf) }
    },
  })
}

function settingRoutes({ clock }: ReviewRouteParts): Route[] {
  const reply = { status: 200, description: 'All settings', schema: settingList }
  return [
    route({
      method: 'get',
      path: '/v1/reviews/settings',
      operation: 'listReviewSettings',
      tag: 'reviews',
      scope: 'read',
      summary: 'List the review settings: of the workspace, then of skills',
      reply,
      handle: async ({ db, caller }) => ({ json: (await listSettings(db, caller.workspaceId)).map(settingOf) }),
    }),
    route({
      method: 'put',
      path: '/v1/reviews/settings',
      operation: 'changeReviewSetting',
      tag: 'reviews',
      scope: 'admin',
      summary: 'Set when answers of the workspace, or of a skill, need a review',
      body: settingRequest,
      reply,
      handle: async ({ db, caller: { workspaceId, keyId }, body }) => {
        const now = clock.now()
        const { below, add_cases: addCases, max_wrong_rate: maxWrongRate = null } = body
        const skillName = body.skill_name ?? null
        const rule = below === null ? null : { below, addCases: addCases ?? false, maxWrongRate }
        return {
          json: await db.transaction(async (tx) => {
            await writeSetting(tx, { workspaceId, skillName, rule, now })
            await calibrateSettings(tx, { workspaceId, skillName, now })
            const detail = {
              ...{ skill: skillName, below, add_cases: rule?.addCases ?? null },
              max_wrong_rate: rule?.maxWrongRate ?? null,
            }
            const action = 'review.settings' as const
            await recordAction(tx, { workspaceId, keyId, action, subjectId: workspaceId, detail, now })
            return (await listSettings(tx, workspaceId)).map(settingOf)
          }),
        }
      },
    }),
  ]
}

function statisticsRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/reviews/statistics',
    operation: 'getReviewStatistics',
    tag: 'reviews',
    scope: 'read',
    summary: 'Get how often reviewers agreed with each field, and how long a document took them',
    query: statisticsQuery,
    reply: { status: 200, description: 'The figures', schema: reviewStatistics },
    handle: async ({ db, caller, query }) => ({
      json: statisticsOf(
        await readStatistics(db, {
          workspaceId: caller.workspaceId,
          skillName: query.skill_name ?? null,
          from: query.from ?? null,
          to: query.to ?? null,
        }),
      ),
    }),
  })
}

/** The skill of a filter: a UUID is a version, any other text a skill name; `name:version` means the name. */
function skillOf(text: string | null | undefined): ItemFilter['skill'] {
  if (!text) return null
  const id = text.toLowerCase()
  return isId(id) ? { id } : { name: text.replace(/:[^:]*$/, '') }
}

function listRoute({ clock }: ReviewRouteParts): Route {
  return route({
    method: 'get',
    path: '/v1/reviews',
    operation: 'listReviews',
    tag: 'reviews',
    scope: 'read',
    summary: 'List the review queue of this workspace, oldest first',
    query: reviewsQuery,
    reply: {
      status: 200,
      description: 'The entries; the Link header has the URL of the next page',
      schema: z.array(reviewItem),
    },
    handle: async ({ db, caller, query }) => {
      const now = clock.now()
      const items = await listReviewItems(db, {
        workspaceId: caller.workspaceId,
        skill: skillOf(query.skill_id),
        status: query.status ?? null,
        of: query.mine ? caller.keyId : null,
        after: query.cursor === undefined ? null : parseCursor(query.cursor),
        limit: query.limit,
        now,
      })
      const last = items.length === query.limit ? items.at(-1) : undefined
      return {
        json: items.map((one) => reviewItemOf(one, now)),
        ...(last ? { headers: { Link: `<${nextPage(query, last)}>; rel="next"` } } : {}),
      }
    },
  })
}

function nextPage(query: Readonly<Record<string, unknown>>, last: ReviewItem): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && name !== 'cursor') params.set(name, String(value))
  params.set('cursor', `${last.createdAt.toISOString()}_${last.executionId}`)
  return `/v1/reviews?${params}`
}

function parseCursor(cursor: string): { createdAt: Date; id: string } {
  const [time = '', id = '', ...rest] = cursor.split('_')
  const createdAt = moment().safeParse(time).data
  if (!createdAt || !isId(id) || rest.length > 0)
    throw invalid(['query', 'cursor'], 'Input should be a cursor from the Link header of an earlier page', {
      input: cursor,
    })
  return { createdAt, id }
}

function findRoute({ clock }: ReviewRouteParts): Route {
  return route({
    method: 'get',
    path: '/v1/reviews/{execution_id}',
    operation: 'getReview',
    tag: 'reviews',
    scope: 'read',
    summary: 'Get the entry of an execution in the review queue',
    params: byExecution,
    reply: { status: 200, ...item },
    failures: [404],
    handle: async ({ db, caller: { workspaceId }, params }) => ({
      json: reviewItemOf(await loadItem(db, { workspaceId, executionId: params.execution_id }), clock.now()),
    }),
  })
}

function claimNextRoute(parts: ReviewRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/reviews/claim',
    operation: 'claimNextReview',
    tag: 'reviews',
    scope: 'review',
    summary: 'Claim the next execution to review for 15 minutes: one assigned to this key, or else the oldest',
    body: claimRequest,
    reply: { status: 200, description: 'The claimed entry, if any', schema: claimedItem },
    handle: async ({ db, caller: { workspaceId, keyId }, body }) => {
      const skill = skillOf(body?.skill_id)
      const { item: claimed, waiting } = await claimNextItem({ ...parts, db }, { workspaceId, keyId, skill })
      return { json: { item: claimed ? reviewItemOf(claimed, parts.clock.now()) : null, waiting } }
    },
  })
}

function claimRoute(parts: ReviewRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/reviews/{execution_id}/claim',
    operation: 'claimReview',
    tag: 'reviews',
    scope: 'review',
    summary: 'Claim the review of an execution for 15 minutes, or renew the claim',
    params: byExecution,
    reply: { status: 200, ...item },
    failures: [404, 409],
    handle: async ({ db, caller: { workspaceId, keyId }, params }) => {
      const of = { workspaceId, keyId, executionId: params.execution_id }
      return { json: reviewItemOf(await claimItem({ ...parts, db }, of), parts.clock.now()) }
    },
  })
}

function giveBackRoute(
  parts: ReviewRouteParts,
  { verb, skips, summary }: { verb: 'release' | 'skip'; skips: boolean; summary: string },
): Route {
  return route({
    method: 'post',
    path: `/v1/reviews/{execution_id}/${verb}`,
    operation: `${verb}Review`,
    tag: 'reviews',
    scope: 'review',
    summary,
    params: byExecution,
    body: releaseRequest,
    reply: { status: 200, ...item },
    failures: [404, 409],
    handle: async ({ db, caller: { workspaceId, keyId }, params, body }) => {
      const of = { workspaceId, keyId, executionId: params.execution_id, claim: body?.claim ?? null, skips }
      return { json: reviewItemOf(await releaseItem({ ...parts, db }, of), parts.clock.now()) }
    },
  })
}

function assignRoute(parts: ReviewRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/reviews/{execution_id}/assign',
    operation: 'assignReview',
    tag: 'reviews',
    scope: 'review',
    summary: 'Assign a review to a key, so that no other key can claim it',
    params: byExecution,
    body: assignRequest,
    reply: { status: 200, ...item },
    failures: [404],
    handle: async ({ db, caller: { workspaceId, keyId }, params, body }) => {
      const of = { workspaceId, keyId, executionId: params.execution_id, to: body.key_id }
      return { json: reviewItemOf(await assignReview({ ...parts, db }, of), parts.clock.now()) }
    },
  })
}
