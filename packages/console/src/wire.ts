/** What the API answers, as far as the console looks at it. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const statuses = ['pending', 'enqueued', 'running', 'paused', 'completed', 'failed'] as const
export type Status = (typeof statuses)[number]

export type EvidenceStatus = 'verified' | 'normalised' | 'derived' | 'unsupported'

export interface Evidence {
  readonly status: EvidenceStatus
  readonly input?: string
  readonly page?: number
  readonly bbox?: readonly [x: number, y: number, w: number, h: number]
  readonly span?: readonly [start: number, end: number]
  readonly seconds?: readonly [from: number, to: number]
  readonly quote?: string
  readonly confidence: number
  readonly note?: string
}
export type EvidenceMap = Readonly<Record<string, Evidence>>

export interface Warning {
  readonly code: string
  readonly path: string
  readonly message: string
}

/** Whether an execution failed for a reason that may pass, so that it can go on. The server has the last word. */
export const isResumable = ({ status, error }: Pick<Execution, 'status' | 'error'>): boolean =>
  status === 'failed' && /^(poison|timeout|provider_.*)$/.test(error?.code ?? '')

export interface Execution {
  readonly id: string
  readonly name: string
  readonly response: Json
  readonly execution_mode: string
  readonly status: Status
  readonly created_at: string
  readonly completed_at: string | null
  readonly usage: {
    readonly elements_processed: number | null
    readonly element_type: string | null
    readonly credits_used: number | null
    readonly steps: number | null
    readonly message: string | null
    readonly duration_seconds: number
    readonly mode_multiplier: number | null
    readonly standard_cost_dollars: number | null
    readonly cost_dollars: number | null
    readonly savings_dollars: number | null
  }
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean } | null
  readonly model: string
  readonly model_selection: { readonly resolved: string | null; readonly reason: string | null }
  readonly client_id: string | null
  readonly service_tier: string
  readonly skills: readonly { readonly id: string | null; readonly name: string; readonly skill_version: string }[]
  readonly program: { readonly id: string; readonly sha256: string } | null
  readonly session_id: string | null
  readonly evidence: EvidenceMap | null
  readonly completeness: { readonly asked: number; readonly found: number; readonly low_confidence: number } | null
  readonly warnings: readonly Warning[]
  readonly attempts: number
}

export const hasEnded = (status: Status): boolean => status === 'completed' || status === 'failed'

export interface Step {
  readonly seq: number
  readonly attempt: number
  readonly kind: 'input' | 'tool' | 'model'
  readonly name: string
  readonly detail: Json
  readonly result: Json
  readonly cost_dollars: number
  readonly started_at: string
  readonly ended_at: string
}

/** What an execution was asked: a body of POST /v1/agent/execute. */
export interface Asked {
  readonly name?: string
  readonly model?: string
  readonly inputs?: JsonObject
  readonly config?: JsonObject
  readonly metadata?: JsonObject
  readonly callback_url?: string
}

export interface StoredFile {
  readonly id: string
  readonly filename: string
  readonly bytes: number
  readonly created_at: string
  readonly public_url: string | null
  readonly sha256: string
  readonly content_type: string
}

export interface Key {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly hint: string
  readonly expires_at: string | null
  readonly created_at: string
  readonly revoked_at?: string | null
}

export interface ModelRoute {
  readonly model: string
  readonly engine: string
}
