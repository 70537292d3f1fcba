import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { FrameRequest } from '@skillrun/reader/media/timed/frame-times.ts'
import type { ChatTurn } from '../../agent/conversation.ts'
import type { ExecutionInput } from '../inputs/inputs.ts'
import type { PinnedSkill } from '../skills/skills.ts'
import type { ApprovalRule, HoldNotice, ReviewRule } from './review-and-approval.ts'

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

/** The ids of the files among the inputs, each once. */
export const fileIdsOf = ({ inputs }: Pick<ExecutionRequest, 'inputs'>): string[] => [
  ...new Set(inputs.flatMap(({ source }) => (source.kind === 'file' ? [source.fileId] : []))),
]
