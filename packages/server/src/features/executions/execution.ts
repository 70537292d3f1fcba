import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import type { Completeness } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import type { FrameRequest } from '@skillrun/reader/media/timed/frame-times.ts'
import { z } from 'zod'
import { type Role, roles } from '../../adapters/http/route.ts'
import type { ChatTurn } from '../../agent/conversation.ts'
import type { ExecutionInput } from '../inputs/inputs.ts'
import { tiers } from '../pricing/pricing.ts'
import type { PinnedSkill } from '../skills/skills.ts'
import { anyJson } from './any-json.ts'

const statuses = ['pending', 'enqueued', 'running', 'paused', 'completed', 'failed'] as const
export type Status = (typeof statuses)[number]

/**
 * The transitions of an execution. A run leaves neither completed nor failed; a person may resume an execution that failed for a
 * temporary reason (`isResumable`).
 */
export const nextOf: Readonly<Record<Status, readonly Status[]>> = {
  pending: ['enqueued', 'failed'],
  enqueued: ['running', 'paused', 'failed'],
  running: ['completed', 'failed', 'paused', 'enqueued'],
  paused: ['enqueued', 'failed'],
  completed: [],
  failed: [],
}

/** The states from which an execution may move to `status`. */
export const allowedBefore = (status: Status): Status[] =>
  (Object.keys(nextOf) as Status[]).filter((before) => nextOf[before].includes(status))

export const hasEnded = (status: Status): boolean => nextOf[status].length === 0

/** One status transition; all are kept, oldest first. */
export interface Move {
  readonly status: Status
  /** ISO 8601. */
  readonly at: string
  /** Runs started by then. */
  readonly attempt: number
}

/** Whether an execution that failed with this code may succeed when resumed, because the request was not at fault. */
export const isResumable = (code: string): boolean =>
  code === 'poison' || code === 'timeout' || code.startsWith('provider_')

/**
 * Milliseconds of its `timeout_seconds` that an execution has used by `now`: from its first start, or the first one after its last failure,
 * without the time from each pause to the next start. So the wait for a slot after a resumption does not count.
 */
export function usedMs(moves: readonly Move[], now: Date): number {
  let used = 0
  let since: number | undefined
  for (const { status, at } of moves.slice(moves.findLastIndex((move) => move.status === 'failed') + 1)) {
    if (status === 'running') since ??= Date.parse(at)
    if (status !== 'paused' || since === undefined) continue
    used += Math.max(0, Date.parse(at) - since)
    since = undefined
  }
  // A clock that was set back neither uses time nor adds any.
  return used + (since === undefined ? 0 : Math.max(0, now.getTime() - since))
}

/** When an answer enters the review queue, and what a review triggers. */
export interface ReviewRule {
  /** An answer with a value below this confidence (0 to 1) needs a review. */
  readonly below: number
  /** A reviewed answer becomes a case of the first skill of the execution. */
  readonly addCases: boolean
}

/** What needs a person's approval. */
export interface ApprovalRule {
  readonly completion: boolean
  /** Dotted names of tools that need an approval before each call. */
  readonly tools: readonly string[]
  /** How long a decision may take, and the default after that. */
  readonly timeoutSeconds: number
  readonly onTimeout: ApprovalDecision
  /** Roles of the users who may decide. Absent in older rows: admins. */
  readonly approvers?: readonly Role[]
}

/** Roles of the users who may decide. */
export const approversOf = ({ approvers }: Pick<Approval, 'approvers'>): readonly Role[] => approvers ?? ['admin']

/** Receiver of the callback when a run waits for a decision. */
export interface HoldNotice {
  /** Public address of this server, for the link in the callback. */
  readonly origin: string
  /** The receiver of the execution, or else of its batch. */
  readonly callbackUrl: string
}

export type ApprovalDecision = 'approve' | 'reject'

/** The current or latest decision of a run. */
export interface Approval {
  /** Number of decisions that this execution requested, from 1. */
  readonly number: number
  readonly waitingFor: 'completion' | 'tool'
  readonly tool: string | null
  readonly input: Json
  /** ISO 8601. */
  readonly since: string
  readonly expiresAt: string
  readonly onTimeout: ApprovalDecision
  /** Null: pending. */
  readonly decision: ApprovalDecision | null
  /** Null: expired, or decided through a signed link. */
  readonly by: Actor | null
  readonly via: 'api' | 'link' | 'timeout' | null
  readonly at: string | null
  readonly comment: string | null
  /** The tool call to decide on. */
  readonly call: string | null
  /** Approved tool calls that are not made yet. */
  readonly granted: readonly string[]
  /** Roles of the users who may decide. Absent in older rows: admins. */
  readonly approvers?: readonly Role[] | undefined
}

/** One reviewed value of an answer, against the original. */
export interface ReviewChange {
  /** JSON Pointer into the response. */
  readonly path: string
  readonly from: Json
  readonly to: Json
  readonly kind: 'corrected' | 'confirmed' | 'absent'
}

/** The actor of an action. */
export interface Actor {
  readonly kind: 'key' | 'user'
  readonly id: string
  readonly name: string
}

/** State of the review of an answer. */
export interface Review {
  readonly status: 'needed' | 'done'
  /** Number of saved reviews; 0: none yet. */
  readonly version: number
  readonly by: Actor | null
  /** ISO 8601. */
  readonly at: string | null
  readonly changes: readonly ReviewChange[]
}

/** The request as stored with the execution and as the run uses it. */
export interface ExecutionRequest {
  readonly inputs: readonly ExecutionInput[]
  readonly values: Readonly<Record<string, Json>>
  readonly prompt: string
  readonly schema: JsonSchema | null
  readonly pageIndices: readonly number[] | null
  /** How to sample videos; null, and absent in older rows: by cuts and evenly. */
  readonly frames?: FrameRequest | null
  /** Adds `<field>_metadata` beside each field of the response. */
  readonly grounded: boolean
  readonly caching: boolean
  /** Caching was requested explicitly: then URLs without cache headers are not fetched anew each time either. */
  readonly cachingAsked?: boolean
  readonly programAsked: boolean
  /** Each field is answered by the cheapest engine that is proven for it. Absent: the model answers all. */
  readonly path?: 'cheapest'
  readonly timeoutSeconds: number | null
  /** Limit of the steps in the transcript. */
  readonly maxSteps: number | null
  /** The share of wrong values that the caller accepts; null: any. Absent: the default, which marks what is less sure. */
  readonly maxWrongRate?: number | null
  /** Names of the tools that a model may use, from the requested toolsets; null: all. Older rows have none. */
  readonly tools?: readonly string[] | null
  /** Cost limit of the execution in micro-dollars. Older rows have none. */
  readonly maxCostMicros?: number | null
  /** The enabled skills as they were at acceptance. Older rows have none. */
  readonly skills?: readonly PinnedSkill[]
  /** Whether scripts of skills of other workspaces may run. Older rows have none. */
  readonly publicScripts?: boolean
  /** The id of the earlier execution whose answer and pages may be kept; absent: none. */
  readonly baseExecution?: string | null
  /** Null, and absent in older rows: the settings of the skill and of the workspace apply. */
  readonly review?: ReviewRule | null
  /** Null, and absent in older rows: no approval needed. */
  readonly approval?: ApprovalRule | null
  /** Absent: no callback. */
  readonly holdNotice?: HoldNotice
  /** A chat turn, whose documents are the inputs. Absent: no chat. */
  readonly chat?: ChatTurn
  /** The answer is what is said in the recordings among the inputs, as the transcriber writes it down. */
  readonly transcription?: true
  /** The value `texts` is turned into vectors. */
  readonly embedding?: { readonly model: string; readonly dimensions: number | null }
  readonly metadata: Readonly<Record<string, Json>>
}

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
  /** Explanations besides the figures: why a failure, why a fallback. */
  readonly message?: string
}

export interface ExecutionError {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
}

/** The ids of the files among the inputs, each once. */
export const fileIdsOf = ({ inputs }: Pick<ExecutionRequest, 'inputs'>): string[] => [
  ...new Set(inputs.flatMap(({ source }) => (source.kind === 'file' ? [source.fileId] : []))),
]

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

export const executionError: z.ZodType<ExecutionError> = z.object({
  code: text,
  message: text,
  retryable: z.boolean(),
})

// Keep unknown fields: a later version may have written them.
export const usage: z.ZodType<Usage> = z.looseObject({
  elementsProcessed: z.exactOptional(z.number()),
  elementType: z.exactOptional(z.enum(['image', 'page', 'video', 'audio'])),
  steps: z.exactOptional(z.number()),
  standardMicros: z.exactOptional(z.number()),
  inputTokens: z.exactOptional(z.number()),
  cachedInputTokens: z.exactOptional(z.number()),
  outputTokens: z.exactOptional(z.number()),
  refusedMicros: z.exactOptional(z.number()),
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

const review: z.ZodType<Review> = z.looseObject({
  status: z.enum(['needed', 'done']),
  version: z.number(),
  by: z.object({ kind: z.enum(['key', 'user']), id: text, name: text }).nullable(),
  at: text.nullable(),
  changes: z.array(
    z.looseObject({ path: text, from: anyJson, to: anyJson, kind: z.enum(['corrected', 'confirmed', 'absent']) }),
  ),
})

const decision = z.enum(['approve', 'reject'])
export const anyApproval: z.ZodType<Approval> = z.looseObject({
  number: z.number(),
  waitingFor: z.enum(['completion', 'tool']),
  tool: text.nullable(),
  input: anyJson,
  since: text,
  expiresAt: text,
  onTimeout: decision,
  decision: decision.nullable(),
  by: z.object({ kind: z.enum(['key', 'user']), id: text, name: text }).nullable(),
  via: z.enum(['api', 'link', 'timeout']).nullable(),
  at: text.nullable(),
  comment: text.nullable(),
  call: text.nullable(),
  granted: z.array(text),
  approvers: z.array(z.enum(roles)).optional(),
})

export const move: z.ZodType<Move> = z.object({ status: z.enum(statuses), at: text, attempt: z.number() })

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
