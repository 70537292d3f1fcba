/** Responses of the API: the client's types under the console's names. */
import type * as Api from '@skillrun/client/openapi.ts'

export type {
  AgentInfo,
  AuditEntry,
  BackfillEstimate,
  Callback,
  CallbackSecret,
  CostEstimate,
  File as StoredFile,
  Json,
  Key,
  ListedSkill,
  Me,
  Model as ModelRoute,
  Program,
  Queues,
  ResumedExecutions,
  ReviewSetting,
  SavedFilter,
  Session,
  Settings,
  SignInState,
  Skill,
  SkillCase,
  SkillEvaluation,
  SkillImprovement,
  Step,
  Tool,
  Usage,
  User,
  UserWithPassword,
  Warning,
} from '@skillrun/client/openapi.ts'

export type JsonObject = { readonly [key: string]: Api.Json }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export type Status = Api.AgentExecutionResponse['status']
export const statuses: readonly Status[] = ['pending', 'enqueued', 'running', 'paused', 'completed', 'failed']

export type EvidenceStatus = Api.Evidence['status']
export type Evidence = Omit<Api.Evidence, 'bbox' | 'span' | 'seconds'> & {
  readonly bbox?: readonly [x: number, y: number, w: number, h: number] | undefined
  readonly span?: readonly [start: number, end: number] | undefined
  readonly seconds?: readonly [from: number, to: number] | undefined
}
export type EvidenceMap = Readonly<Record<string, Evidence>>

export type Execution = Omit<Api.AgentExecutionResponse, 'evidence'> & { readonly evidence: EvidenceMap | null }

export type Replay = Api.Replay
export type Difference = Api.ExecutionDiff[number]

/** An execution in a list. */
export type ListedExecution = Omit<Api.ListedExecution, 'evidence'> & { readonly evidence: EvidenceMap | null }

/** Whether an execution failed for a temporary reason, so that it can be resumed. The server has the last word. */
export const isResumable = ({ status, error }: Pick<Execution, 'status' | 'error'>): boolean =>
  status === 'failed' && /^(poison|timeout|provider_.*)$/.test(error?.code ?? '')

export const hasEnded = (status: Status): boolean => status === 'completed' || status === 'failed'

/** The request of an execution: a body of POST /v1/agent/execute. */
export interface Asked {
  readonly name?: string
  readonly model?: string
  readonly inputs?: JsonObject
  readonly config?: JsonObject
  readonly metadata?: JsonObject
  readonly callback_url?: string
}

export const arms = ['with', 'without', 'before'] as const
export type Arm = (typeof arms)[number]

export const skillPath = (id: string, rest = ''): string => `/v1/skills/${encodeURIComponent(id)}${rest}`
