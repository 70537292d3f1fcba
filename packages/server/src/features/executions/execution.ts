import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { Completeness } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import type { FrameRequest } from '@skillrun/reader/media/timed/frame-times.ts'
import type { ChatTurn } from '../../agent/conversation.ts'
import type { ExecutionInput } from '../inputs/inputs.ts'
import type { Tier } from '../pricing/pricing.ts'
import type { PinnedSkill } from '../skills/skills.ts'

export type Status = 'pending' | 'enqueued' | 'running' | 'paused' | 'completed' | 'failed'

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

/** All of an execution but what was asked. */
export interface ExecutionState {
  readonly id: string
  readonly workspaceId: string
  /** `<name>:<version>` of the agent; `chat` for a turn of a chat. */
  readonly name: string
  /** The agent version that runs; null for a turn of a chat. */
  readonly agentId: string | null
  /** The caller's own request id, where it is no UUID; null too once its content was purged. */
  readonly clientId: string | null
  readonly status: Status
  readonly attempt: number
  readonly model: string
  readonly tier: Tier
  readonly keyId: string
  readonly sessionId: string | null
  readonly skills: readonly UsedSkill[]
  /** The evaluation of a skill that this is a run of. */
  readonly evaluationId: string | null
  /** The batch that it belongs to. */
  readonly batchId: string | null
  /** Where its ends and pauses are told to. */
  readonly callbackUrl: string | null
  readonly executionMode: 'agent' | 'program'
  /** The program that answered. */
  readonly program: { readonly id: string; readonly sha256: string } | null
  /** The execution that a program served and that this one is run beside, to see whether they agree. */
  readonly shadowOf: string | null
  /** The engine that answers, `embedded` or `provider/model`; null until it is chosen. */
  readonly answeredBy: string | null
  /** Who named the model identifier; null in older rows. */
  readonly modelChosenBy: 'request' | 'skill' | 'default' | null
  /** The rule that chose the engine, in words; null where the identifier left no choice. */
  readonly modelReason: string | null
  /** What it may cost in all, in micro-dollars; null: no bound. */
  readonly maxCostMicros: number | null
  readonly response: Json
  readonly evidence: EvidenceMap | null
  readonly error: ExecutionError | null
  /** Null: no schema was given, or there is no answer. */
  readonly completeness: Completeness | null
  readonly warnings: readonly Warning[]
  readonly usage: Usage
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly completedAt: Date | null
  /** False: what it works with is gone when it ends, and its answer once it was read. */
  readonly isRetained: boolean
  /** The names of its input files when it was accepted, in their order. */
  readonly fileNames: readonly string[]
}

/** One entry of the transcript. */
export interface Step {
  readonly seq: number
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
