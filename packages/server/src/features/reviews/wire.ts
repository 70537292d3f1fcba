import { wrongRates } from '@skillrun/reader/score/risk.ts'
import { z } from 'zod'
import { moment, queryBoolean, queryInteger } from '../../adapters/http/query.ts'
import { arrayOf } from '../../adapters/http/schemas.ts'
import { limits } from '../../core/limits.ts'
import { actor, reviewChange } from '../executions/executions.ts'
import { isClaimed } from './queue.ts'
import type { ReviewSetting } from './settings.ts'
import type { ReviewStatistics } from './statistics.ts'
import type { ReviewItem, SavedReview } from './store.ts'

const path = z.string().max(2_000).describe('JSON Pointer into the response, such as /total or /line_items/0/amount')
const pageIndex = z.int().min(0).max(1_000_000).describe('0-based')
const box = z.array(z.number().min(0).max(1)).length(4).describe('x, y, w, h as fractions of the page')

const givenChange = z.object({
  path,
  kind: z
    .enum(['corrected', 'confirmed', 'absent'])
    .nullish()
    .describe(
      'corrected: the value is another; confirmed: the value is right as it is; absent: the document has no such value. Default: corrected where a value is given, else absent',
    ),
  value: z.unknown().optional().describe('The correct value; it must be valid against the schema of the execution'),
  candidate: z.int().min(0).max(100).nullish().describe('Instead of a value: index of a candidate in the evidence'),
  rows: arrayOf(z.int().min(0).nullable(), limits.reviewRowsMax)
    .nullish()
    .describe(
      'With a list as the value, and the header If-Match: for each row of the value, its index in the list as it was; null: a row that the list lacked, or one that earlier reviews removed and that is put back where it was. Evidence and earlier reviews of a row stay with it. Default: the equal rows at the start and at the end are the same rows, and those between are new',
    ),
  input: z.string().max(2_000).nullish().describe('Input that the box is on, as in evidence; default: the only input'),
  page: pageIndex.nullish(),
  bbox: box.nullish(),
})

const comment = z.string().max(2_000).nullish()
const claimNumber = z
  .int()
  .min(1)
  .nullish()
  .describe('Number of your claim; the call is refused once that claim has lapsed')

/** Body of POST /v1/agent/executions/{id}/review. */
export const reviewRequest = z
  .object({
    changes: arrayOf(givenChange, limits.reviewChangesMax).nullish(),
    done: z.boolean().nullish().describe('true: the review is finished, and the execution leaves the queue'),
    comment,
    claim: claimNumber,
  })
  .meta({ id: 'ReviewRequest' })

const savedChange = reviewChange
  .extend({
    input: z.string().optional(),
    page: z.int().optional(),
    bbox: z.array(z.number()).optional(),
  })
  .meta({ id: 'SavedReviewChange' })

export const savedReviews = z.array(
  z
    .object({
      version: z.int(),
      by: actor.nullable(),
      at: z.iso.datetime(),
      done: z.boolean(),
      comment: z.string().nullable(),
      changes: z.array(savedChange).describe('Compared with the answer before this review'),
    })
    .meta({ id: 'SavedReview' }),
)

export const savedReviewOf = (one: SavedReview) => ({
  version: one.version,
  by: one.by,
  at: one.createdAt.toISOString(),
  done: one.isDone,
  comment: one.comment,
  changes: one.changes.map(({ bbox, rows, ...change }) => ({
    ...change,
    ...(rows ? { rows: [...rows] } : {}),
    ...(bbox ? { bbox: [...bbox] } : {}),
  })),
})

/** An entry of the review queue. */
export const reviewItem = z
  .object({
    execution_id: z.string(),
    name: z.string().describe('Name of the agent'),
    file_names: z.array(z.string()).describe('Names of the input files'),
    status: z.enum(['needed', 'claimed', 'done']),
    skill: z.object({ id: z.string().nullable(), name: z.string() }).nullable(),
    reasons: z
      .array(
        z.object({
          path: z.string(),
          code: z.string().describe('low_confidence, missing, no_evidence, or the code of a warning'),
          confidence: z.number(),
        }),
      )
      .describe('Why it needs a review, least confident first; empty if a person started the review'),
    lowest_confidence: z.number().nullable(),
    assigned_to: actor.nullable().describe('The only key that can claim it'),
    claim: z
      .object({ number: z.int(), by: actor.nullable(), since: z.iso.datetime(), until: z.iso.datetime() })
      .nullable(),
    seconds: z.number().describe('Time spent under claims'),
    created_at: z.iso.datetime(),
    done_at: z.iso.datetime().nullable(),
    done_by: actor.nullable(),
  })
  .meta({ id: 'ReviewItem' })

export function reviewItemOf(item: ReviewItem, now: Date) {
  const { claimedAt, claimedUntil } = item
  const isHeld = isClaimed(item, now)
  return {
    execution_id: item.executionId,
    name: item.name,
    file_names: [...item.fileNames],
    status: isHeld ? ('claimed' as const) : item.status,
    skill: item.skillName === null ? null : { id: item.skillId, name: item.skillName },
    reasons: [...item.reasons],
    lowest_confidence: item.lowest,
    assigned_to: item.assignedTo,
    claim:
      isHeld && claimedAt && claimedUntil
        ? {
            number: item.claimNumber,
            by: item.claimedBy,
            since: claimedAt.toISOString(),
            until: claimedUntil.toISOString(),
          }
        : null,
    seconds: item.busyMs / 1000,
    created_at: item.createdAt.toISOString(),
    done_at: item.doneAt?.toISOString() ?? null,
    done_by: item.doneBy,
  }
}

const skillId = z.string().max(500).describe('UUID of a version, or name of a skill')

export const reviewsQuery = z.object({
  status: z.enum(['needed', 'claimed', 'done']).optional().describe('needed: not claimed'),
  skill_id: skillId.optional(),
  mine: queryBoolean(false, 'true: those that this key has claimed or is assigned'),
  limit: queryInteger({ fallback: 50, min: 1, max: 1000 }, 'Maximum number of items to return'),
  cursor: z.string().max(200).optional(),
})

/** Optional body of POST /v1/reviews/claim. */
export const claimRequest = z.object({ skill_id: skillId.nullish() }).nullish().meta({ id: 'ClaimReviewRequest' })

export const claimedItem = z
  .object({
    item: reviewItem.nullable().describe('null: there is nothing for this key to claim'),
    waiting: z.int().describe('Number of further executions that this key could claim now'),
  })
  .meta({ id: 'ClaimedReview' })

/** Optional body of release and skip. */
export const releaseRequest = z.object({ claim: claimNumber }).nullish().meta({ id: 'ReleaseReviewRequest' })

export const assignRequest = z
  .object({ key_id: z.string().max(100).nullable().describe('The only key that can claim it; null: any key') })
  .meta({ id: 'AssignReviewRequest' })

const below = z.number().min(0).max(1).describe('As config.review.below of an execution')
const maxWrongRate = z
  .number()
  .min(wrongRates.min)
  .max(wrongRates.max)
  .describe(
    'The share of wrong values at and above `below`: each finished review moves `below` to the lowest confidence for which what reviewers corrected and confirmed shows it. null: `below` stays as it is',
  )
const addCases = z.boolean().describe('Whether reviewed answers become cases of the skill')

export const settingList = z.array(
  z
    .object({
      skill_name: z.string().nullable().describe('null: the workspace, for skills without a setting'),
      below,
      max_wrong_rate: maxWrongRate.nullable(),
      add_cases: addCases,
    })
    .meta({ id: 'ReviewSetting' }),
)

export const settingOf = (one: ReviewSetting) => ({
  skill_name: one.skillName,
  below: one.below,
  max_wrong_rate: one.maxWrongRate,
  add_cases: one.addCases,
})

export const settingRequest = z
  .object({
    skill_name: z.string().min(1).max(limits.skillNameCharactersMax).nullish(),
    below: below.nullable().describe('null removes the setting'),
    max_wrong_rate: maxWrongRate.nullish(),
    add_cases: addCases.nullish(),
  })
  .meta({ id: 'ReviewSettingRequest' })

export const statisticsQuery = z.object({
  skill_name: z.string().max(limits.skillNameCharactersMax).optional(),
  from: moment({ dates: true }).optional().describe('Reviews finished at this time or later'),
  to: moment({ dates: true }).optional().describe('Reviews finished before this time'),
})

export const reviewStatistics = z
  .object({
    reviewed: z.int(),
    waiting: z.int(),
    median_seconds: z.number().nullable().describe('Time under claims per document'),
    mean_seconds: z.number().nullable(),
    fields: z.array(
      z.object({
        field: z.string().describe('JSON Pointer with `*` for each row number'),
        confirmed: z.int().describe('Values that a reviewer marked as right, or left empty as the response did'),
        corrected: z.int().describe('Values that a reviewer changed'),
        untouched: z.int().describe('Values of reviewed answers that no reviewer marked'),
        agreement: z.number().nullable().describe('confirmed / (confirmed + corrected); null if both are 0'),
      }),
    ),
  })
  .meta({ id: 'ReviewStatistics' })

export const statisticsOf = ({ reviewed, waiting, medianMs, meanMs, fields }: ReviewStatistics) => ({
  reviewed,
  waiting,
  median_seconds: medianMs === null ? null : medianMs / 1000,
  mean_seconds: meanMs === null ? null : meanMs / 1000,
  fields: fields.map((one) => {
    const marked = one.confirmed + one.corrected
    return { ...one, agreement: marked === 0 ? null : one.confirmed / marked }
  }),
})
