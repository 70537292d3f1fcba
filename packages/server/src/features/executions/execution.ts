import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import type { Completeness } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import { z } from 'zod'
import { type Refusal, tiers } from '../pricing/pricing.ts'
import { anyJson } from './any-json.ts'
import type { ExecutionRequest } from './execution-request.ts'
import { hasEnded, statuses } from './lifecycle.ts'
import { anyApproval, review } from './review-and-approval.ts'

/** A pinned skill as in the execution's record. */
export interface UsedSkill {
  /** Null: it came inline. */
  readonly id: string | null
  readonly name: string
  readonly skill_version: string
  readonly bundle_sha256: string
}

/** The amount of work, and its cost at the standard rate. */
export interface Usage {
  readonly elementsProcessed?: number
  readonly elementType?: 'image' | 'page' | 'video' | 'audio'
  readonly steps?: number
  readonly standardMicros?: number
  /** Tokens of all model turns; cached tokens are part of the input. */
  readonly inputTokens?: number
  readonly cachedInputTokens?: number
  readonly outputTokens?: number
  /** The most that the refused call may cost, after the tier, in a run that was paused for its budget. */
  readonly refusedMicros?: number
  /** The budget that refused it: that of the execution, or that of its key for the day. */
  readonly refusedBy?: Refusal['refused']
  /** Explanations besides the figures: why a failure, why a fallback. */
  readonly message?: string
}

export interface ExecutionError {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
}

/** An execution as in its row, with the current `maxCostMicros`. */
export interface Execution extends ExecutionState {
  readonly request: ExecutionRequest
}

const text = z.string()

const usedSkill: z.ZodType<UsedSkill> = z.looseObject({
  id: text.nullable(),
  name: text,
  skill_version: text,
  bundle_sha256: text,
})

const executionError: z.ZodType<ExecutionError> = z.object({
  code: text,
  message: text,
  retryable: z.boolean(),
})

// Keep unknown fields: a later version may have written them.
const usage: z.ZodType<Usage> = z.looseObject({
  elementsProcessed: z.exactOptional(z.number()),
  elementType: z.exactOptional(z.enum(['image', 'page', 'video', 'audio'])),
  steps: z.exactOptional(z.number()),
  standardMicros: z.exactOptional(z.number()),
  inputTokens: z.exactOptional(z.number()),
  cachedInputTokens: z.exactOptional(z.number()),
  outputTokens: z.exactOptional(z.number()),
  refusedMicros: z.exactOptional(z.number()),
  refusedBy: z.exactOptional(z.enum(['execution', 'key', 'superseded'])),
  message: z.exactOptional(text),
})

/** How much of its schema an answer covers. */
export interface StoredCompleteness extends Completeness {
  /** The confidence of the review rule that `lowConfidence` follows; absent: none held, and it follows `maxWrongRate`. */
  readonly reviewBelow?: number
}

const completeness: z.ZodType<StoredCompleteness> = z.looseObject({
  reviewBelow: z.exactOptional(z.number()),
  asked: z.number(),
  found: z.number(),
  notFound: z.number(),
  lowConfidence: z.number(),
  // Older rows lack these two.
  maxWrongRate: z.number().nullable().default(null),
  calibration: z.exactOptional(text.nullable()),
  listed: z.array(z.looseObject({ path: text, returned: z.number(), expected: z.number().nullable() })).default([]),
})

/** What the rungs below the largest model answered on the cheapest path, and which models the path has. */
const lowerRungs = z.object({
  small: text.nullable(),
  large: text,
  answers: z.array(
    z.object({
      field: text,
      /** See `Support` of paths; null: the rules answered. */
      support: z.enum(['same', 'found', 'unfound']).nullable(),
      /** Null: it was given, and nobody judged it. */
      isWrong: z.boolean().nullable(),
    }),
  ),
})

const warning: z.ZodType<Warning> = z.looseObject({ code: text, path: text, message: text })

/** Check entries without copying: there may be 50,000 of them, and the main thread reads them. */
const evidence = z.custom<EvidenceMap>(
  (value) =>
    isJsonObject(value) &&
    Object.values(value).every(
      (one) => isJsonObject(one) && typeof one['status'] === 'string' && typeof one['confidence'] === 'number',
    ),
)

/** The columns of an execution except its request, named in snake case; see `store/execution-row.ts`. */
export const executionState = z.object({
  id: text,
  workspaceId: text,
  /** `<name>:<version>` of the agent; `chat` for a chat turn. */
  name: text,
  /** The agent version; null for a chat turn. */
  agentId: text.nullable(),
  /** The caller's own request id unless it is a UUID; null also once the content was purged. */
  clientId: text.nullable(),
  status: z.enum(statuses),
  attempt: z.number(),
  model: text,
  tier: z.enum(tiers),
  keyId: text,
  sessionId: text.nullable(),
  skills: z.array(usedSkill),
  /** The evaluation of a skill that this is a run of. */
  evaluationId: text.nullable(),
  /** The batch that it belongs to. */
  batchId: text.nullable(),
  /** The execution whose first steps it keeps. */
  forkedFrom: text.nullable(),
  /** The earlier execution of the same task whose answer and pages may be kept. */
  baseExecution: text.nullable(),
  /** How each field was answered, by JSON Pointer, if some were kept from the base; otherwise null. */
  fieldModes: z.record(text, z.enum(['agent', 'kept'])).nullable(),
  /** Its id on the server where it ran; null: it ran here. */
  importedFrom: text.nullable(),
  /** Whether a key of this server signed the capsule that it came from; null: it ran here. */
  isTrusted: z.boolean().nullable(),
  /** The callback receiver of its end and its pauses. */
  callbackUrl: text.nullable(),
  executionMode: z.enum(['agent', 'program']),
  /** The program that answered, and how each field was answered. */
  program: z
    .object({
      id: text,
      sha256: text,
      // By JSON Pointer, where an agent answered some fields. Absent: the program answered all.
      fields: z.exactOptional(z.record(text, z.enum(['agent', 'program']))),
    })
    .nullable(),
  /** What answered each field on the cheapest path; null: another way. */
  path: z
    .object({
      key: text,
      maxWrongRate: z.number(),
      isChecked: z.boolean(),
      /** By JSON Pointer: `program`, `rules`, or `provider/model`. */
      fields: z.record(text, text),
      engines: z.record(text, z.object({ calls: z.number(), micros: z.number() })),
      // For people's reviews. Absent in older rows, and where nothing may be learned.
      lower: z.exactOptional(lowerRungs),
    })
    .nullable(),
  /** The execution that a program served and that this one shadows, to compare their answers. */
  shadowOf: text.nullable(),
  /** The engine, `embedded` or `provider/model`; null until it is chosen. */
  answeredBy: text.nullable(),
  /** Who chose the model identifier; null in older rows. */
  modelChosenBy: z.enum(['request', 'skill', 'default']).nullable(),
  /** The rule that chose the engine, in words; null if the identifier left no choice. */
  modelReason: text.nullable(),
  /** Cost limit in micro-dollars; null: none. */
  maxCostMicros: z.number().nullable(),
  response: anyJson,
  evidence: evidence.nullable(),
  error: executionError.nullable(),
  /** Null: no schema was given, or there is no answer. */
  completeness: completeness.nullable(),
  /** Pointers of the values that a person should check; null before the end, and in older rows. */
  needsLook: z.array(text).nullable(),
  warnings: z.array(warning),
  /** The corrected answer; null: no review was saved. */
  reviewedResponse: anyJson,
  /** Null: no review was saved or is needed. */
  review: review.nullable(),
  /** Null: no decision was ever requested. */
  approval: anyApproval.nullable(),
  usage,
  createdAt: z.date(),
  startedAt: z.date().nullable(),
  completedAt: z.date().nullable(),
  /** False: its inputs are deleted at its end, and its answer after the first read. */
  isRetained: z.boolean(),
  /** The names of its input files at acceptance, in order. */
  fileNames: z.array(text),
})

/** All of an execution except its request. */
export interface ExecutionState
  extends Readonly<Omit<z.infer<typeof executionState>, 'skills' | 'warnings' | 'fileNames'>> {
  readonly skills: readonly UsedSkill[]
  readonly warnings: readonly Warning[]
  readonly fileNames: readonly string[]
}

/** One entry of the transcript. */
export interface Step {
  readonly seq: number
  /** The run that recorded it, from 1; 0: kept from the execution that this one was forked from. */
  readonly attempt: number
  readonly kind: 'input' | 'tool' | 'model'
  readonly name: string
  /** A summary of the call: names, sizes, hashes, options. */
  readonly detail: Json
  /** The result. */
  readonly result: Json
  readonly costMicros: number
  readonly startedAt: Date
  readonly endedAt: Date
}

/** Whether a person can correct the answer: it exists, its run has ended, and it is kept. The answer of a chat turn cannot be corrected. */
export const isReviewable = ({ status, response, isRetained, agentId }: ExecutionState): boolean =>
  hasEnded(status) && response !== null && isRetained && agentId !== null
