import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import type { Completeness } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import type { FrameRequest } from '@skillrun/reader/media/timed/frame-times.ts'
import { z } from 'zod'
import type { ChatTurn } from '../../agent/conversation.ts'
import type { ExecutionInput } from '../inputs/inputs.ts'
import { tiers } from '../pricing/pricing.ts'
import type { PinnedSkill } from '../skills/skills.ts'
import { anyJson } from './any-json.ts'

const statuses = ['pending', 'enqueued', 'running', 'paused', 'completed', 'failed'] as const
export type Status = (typeof statuses)[number]

/**
 * The moves of an execution (contract, "The Execution record"). A run leaves neither completed nor failed; a person may resume one that
 * failed for a reason that may pass (`isResumable`).
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

/** One move of the status; all of them are kept, oldest first. */
export interface Move {
  readonly status: Status
  /** ISO 8601. */
  readonly at: string
  /** Runs begun by then. */
  readonly attempt: number
}

/** Whether what failed with this code may succeed when it goes on: nothing was wrong with the request. */
export const isResumable = (code: string): boolean =>
  code === 'poison' || code === 'timeout' || code.startsWith('provider_')

/** The moves since an execution was last resumed after a failure; all of them where it never was. */
export const movesSinceFailure = (moves: readonly Move[]): readonly Move[] =>
  moves.slice(moves.findLastIndex(({ status }) => status === 'failed') + 1)

/** Milliseconds that an execution was held by a person: from each pause to the move after it. */
export function pausedMs(moves: readonly Move[]): number {
  return moves.reduce((sum, { status, at }, index) => {
    const next = moves[index + 1]
    return status === 'paused' && next ? sum + Math.max(0, Date.parse(next.at) - Date.parse(at)) : sum
  }, 0)
}

/** When the answer of an execution enters the review queue, and what follows from a review. */
export interface ReviewRule {
  /** The answer needs a review when one of its values is less sure than this, 0 to 1. */
  readonly below: number
  /** A reviewed answer becomes a case of the first skill of the execution. */
  readonly addCases: boolean
}

/** What of a run needs a person's approval. */
export interface ApprovalRule {
  readonly completion: boolean
  /** Dotted names of the tools that are not called before they are approved. */
  readonly tools: readonly string[]
  /** How long a decision is waited for, and what is decided then. */
  readonly timeoutSeconds: number
  readonly onTimeout: ApprovalDecision
}

/** Who is told when a run waits for a decision. */
export interface HoldNotice {
  /** Where people reach this server: the beginning of the link in the callback. */
  readonly origin: string
  /** The receiver of the execution, else of its batch. */
  readonly callbackUrl: string
}

export type ApprovalDecision = 'approve' | 'reject'

/** The latest decision that a run waited for, or waits for. */
export interface Approval {
  /** Counts the decisions that this execution asked for, from 1. */
  readonly number: number
  readonly waitingFor: 'completion' | 'tool'
  readonly tool: string | null
  readonly input: Json
  /** ISO 8601. */
  readonly since: string
  readonly expiresAt: string
  readonly onTimeout: ApprovalDecision
  /** Null: it still waits. */
  readonly decision: ApprovalDecision | null
  /** Null: nobody did, the time was over or the holder of a signed link did. */
  readonly by: Actor | null
  readonly via: 'api' | 'link' | 'timeout' | null
  readonly at: string | null
  readonly comment: string | null
  /** The call of a tool that the decision is about. */
  readonly call: string | null
  /** Calls of tools that were approved and not made yet. */
  readonly granted: readonly string[]
}

/** One value of an answer as a reviewer left it, against the answer as it was given. */
export interface ReviewChange {
  /** JSON Pointer into the response. */
  readonly path: string
  readonly from: Json
  readonly to: Json
  readonly kind: 'corrected' | 'confirmed' | 'absent'
}

/** Who did something. */
export interface Actor {
  readonly kind: 'key' | 'user'
  readonly id: string
  readonly name: string
}

/** Where the review of an answer stands. */
export interface Review {
  readonly status: 'needed' | 'done'
  /** Counts the reviews that were saved; 0: none yet. */
  readonly version: number
  readonly by: Actor | null
  /** ISO 8601. */
  readonly at: string | null
  readonly changes: readonly ReviewChange[]
}

/** What was asked, as it is kept with the execution and run from. */
export interface ExecutionRequest {
  readonly inputs: readonly ExecutionInput[]
  readonly values: Readonly<Record<string, Json>>
  readonly prompt: string
  readonly schema: JsonSchema | null
  readonly pageIndices: readonly number[] | null
  /** How films are looked at; null, and absent in older rows: by their cuts and evenly. */
  readonly frames?: FrameRequest | null
  /** Adds `<field>_metadata` beside each field of the response. */
  readonly grounded: boolean
  readonly caching: boolean
  /** Caching was asked for in words: then also URLs that no server vouches for are not fetched anew each time. */
  readonly cachingAsked?: boolean
  readonly programAsked: boolean
  readonly timeoutSeconds: number | null
  /** Steps that the transcript may have. */
  readonly maxSteps: number | null
  /** The share of wrong values that the caller accepts; null: it set none. Older rows have none. */
  readonly maxWrongRate?: number | null
  /** Names of the tools that a model may use, those of the toolsets that were asked for; null: all. Older rows have none. */
  readonly tools?: readonly string[] | null
  /** What the execution may cost, in micro-dollars. Older rows have none. */
  readonly maxCostMicros?: number | null
  /** The skills that are enabled, as they were when it was accepted. Older rows have none. */
  readonly skills?: readonly PinnedSkill[]
  /** Whether scripts of skills of other workspaces may run. Older rows have none. */
  readonly publicScripts?: boolean
  /** Null, and absent in older rows: the settings of the skill and of the workspace apply. */
  readonly review?: ReviewRule | null
  /** Null, and absent in older rows: nothing needs an approval. */
  readonly approval?: ApprovalRule | null
  /** Absent: nobody is told. */
  readonly holdNotice?: HoldNotice
  /** A turn of a chat; its documents are the inputs. Absent: no chat. */
  readonly chat?: ChatTurn
  readonly metadata: Readonly<Record<string, Json>>
}

/** A skill that an execution was pinned to, as its record shows it. */
export interface UsedSkill {
  /** Null: it came inline. */
  readonly id: string | null
  readonly name: string
  readonly skill_version: string
  readonly bundle_sha256: string
}

/** How much of what was worked through, and what it cost at the standard rate. */
export interface Usage {
  readonly elementsProcessed?: number
  readonly elementType?: 'image' | 'page' | 'video' | 'audio'
  readonly steps?: number
  readonly standardMicros?: number
  /** Tokens of all model turns; cached ones are part of the input. */
  readonly inputTokens?: number
  readonly cachedInputTokens?: number
  readonly outputTokens?: number
  /** Of a run that was paused for its budget: what the call that was refused may cost, after the tier. */
  readonly refusedMicros?: number
  /** Said beside the figures: why a failure, why a fall-back. */
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

/** An execution as its row holds it, `maxCostMicros` as it stands now. */
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

// Fields that are not listed are kept: a later version may have written them.
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

const completeness: z.ZodType<Completeness> = z.looseObject({
  asked: z.number(),
  found: z.number(),
  notFound: z.number(),
  lowConfidence: z.number(),
  // Older rows lack these two.
  maxWrongRate: z.number().nullable().default(null),
  calibration: z.exactOptional(text.nullable()),
  listed: z.array(z.looseObject({ path: text, returned: z.number(), expected: z.number().nullable() })).default([]),
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
})

export const move: z.ZodType<Move> = z.object({ status: z.enum(statuses), at: text, attempt: z.number() })

/** Entries are checked, not copied: there may be 50,000 of them, and the main thread reads them. */
const evidence = z.custom<EvidenceMap>(
  (value) =>
    isJsonObject(value) &&
    Object.values(value).every(
      (one) => isJsonObject(one) && typeof one['status'] === 'string' && typeof one['confidence'] === 'number',
    ),
)

/** The columns of an execution except its request. Each is in the column of its name in snake case; see `store/execution-row.ts`. */
export const executionState = z.object({
  id: text,
  workspaceId: text,
  /** `<name>:<version>` of the agent; `chat` for a turn of a chat. */
  name: text,
  /** The agent version that runs; null for a turn of a chat. */
  agentId: text.nullable(),
  /** The caller's own request id, where it is no UUID; null too once its content was purged. */
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
  /** The id that it had where it ran; null: it ran here. */
  importedFrom: text.nullable(),
  /** Whether a key of this server signed the capsule that it came in; null: it ran here. */
  isTrusted: z.boolean().nullable(),
  /** Where its end and its pauses are reported. */
  callbackUrl: text.nullable(),
  executionMode: z.enum(['agent', 'program']),
  /** The program that answered. */
  program: z.object({ id: text, sha256: text }).nullable(),
  /** The execution that a program served and that this one runs beside, to see whether they agree. */
  shadowOf: text.nullable(),
  /** The engine that answers, `embedded` or `provider/model`; null until it is chosen. */
  answeredBy: text.nullable(),
  /** Who named the model identifier; null in older rows. */
  modelChosenBy: z.enum(['request', 'skill', 'default']).nullable(),
  /** The rule that chose the engine, in words; null where the identifier left no choice. */
  modelReason: text.nullable(),
  /** The most that it may cost, in micro-dollars; null: no limit. */
  maxCostMicros: z.number().nullable(),
  response: anyJson,
  evidence: evidence.nullable(),
  error: executionError.nullable(),
  /** Null: no schema was given, or there is no answer. */
  completeness: completeness.nullable(),
  warnings: z.array(warning),
  /** The answer as a person corrected it; null: no review was saved. */
  reviewedResponse: anyJson,
  /** Null: no review was saved, and none is needed. */
  review: review.nullable(),
  /** Null: no decision was ever asked for. */
  approval: anyApproval.nullable(),
  usage,
  createdAt: z.date(),
  startedAt: z.date().nullable(),
  completedAt: z.date().nullable(),
  /** False: its inputs are deleted when it ends, and its answer once it was read. */
  isRetained: z.boolean(),
  /** The names of its input files when it was accepted, in their order. */
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
  /** The run that recorded it, from 1; 0: it was kept of the execution that this one was forked from. */
  readonly attempt: number
  readonly kind: 'input' | 'tool' | 'model'
  readonly name: string
  /** What was asked, small: names, sizes, hashes, options. */
  readonly detail: Json
  /** What came of it. */
  readonly result: Json
  readonly costMicros: number
  readonly startedAt: Date
  readonly endedAt: Date
}

/** Whether a person can correct the answer: there is one, its run has ended, and it is kept. A turn of a chat is no answer to correct. */
export const isReviewable = ({ status, response, isRetained, agentId }: ExecutionState): boolean =>
  hasEnded(status) && response !== null && isRetained && agentId !== null
