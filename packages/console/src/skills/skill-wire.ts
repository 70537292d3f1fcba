import type { Json, JsonObject } from '../wire.ts'

/** What the routes of skills answer, as far as these screens look at it. */
export interface ListedSkill {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly skill_version: string
  readonly is_public: boolean
  readonly created_at: string
  readonly updated_at: string
}

export interface BundleFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

export interface ReviewNote {
  readonly kind: string
  readonly path: string
  readonly line: number | null
  readonly message: string
}

/** A version of a skill; only its owner is told the fields that may be absent. */
export interface Skill extends ListedSkill {
  readonly status?: 'pending' | 'running' | 'completed' | 'failed'
  readonly error?: { readonly code: string; readonly message: string } | null
  readonly warnings?: readonly { readonly code: string; readonly message: string }[]
  readonly number?: number | null
  readonly is_latest?: boolean
  readonly is_held?: boolean
  readonly bundle_sha256?: string
  readonly bytes?: number
  readonly files?: readonly BundleFile[]
  readonly json_schema?: JsonObject | null
  readonly model?: string | null
  readonly toolsets?: readonly string[] | null
  readonly allowed_tools?: readonly string[] | null
  readonly hosts?: readonly string[]
  readonly review?: readonly ReviewNote[]
  readonly session_id?: string | null
}

export interface Case {
  readonly id: string
  readonly inputs: JsonObject
  readonly response: Json
  readonly prompt: string | null
  readonly source: 'added' | 'execution' | 'bundle'
  readonly execution_id: string | null
  readonly created_at: string
}

export const arms = ['with', 'without', 'before'] as const
export type Arm = (typeof arms)[number]
export type ByArm<T> = Readonly<Partial<Record<Arm, T>>>

export interface ArmReport {
  readonly completed: number
  readonly failed: number
  readonly agreement: number
  readonly cost_dollars: number
  readonly median_ms: number | null
}

export interface RunReport {
  readonly execution_id: string | null
  readonly status: string
  readonly error: string | null
  readonly fields: number
  readonly agreed: number
  readonly disagreements: readonly { readonly pointer: string; readonly expected?: Json; readonly actual?: Json }[]
}

export interface Evaluation {
  readonly id: string
  readonly status: 'running' | 'completed' | 'failed'
  readonly skill_version: string
  readonly number: number
  readonly before: { readonly skill_id: string; readonly number: number } | null
  readonly model: string | null
  readonly runs: number
  readonly created_at: string
  readonly completed_at: string | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly report: {
    readonly cases: number
    readonly arms: ByArm<ArmReport>
    readonly fields: readonly (ByArm<{ readonly fields: number; readonly agreed: number }> & {
      readonly field: string
    })[]
    readonly results: readonly { readonly case_id: string; readonly runs: ByArm<RunReport> }[]
    readonly gate: { readonly passed: boolean; readonly because: string | null } | null
  } | null
}

export interface Program {
  readonly id: string
  readonly skill_version: string
  readonly status: 'compiling' | 'candidate' | 'ready' | 'rejected' | 'demoted'
  readonly reason: string | null
  readonly origin: string
  readonly execution_id: string | null
  readonly sha256: string | null
  readonly source: string | null
  readonly language: string
  readonly gate: {
    readonly checks: readonly { readonly name: string; readonly passed: boolean; readonly message: string }[]
    readonly agreement: readonly { readonly pointer: string; readonly agreed: number; readonly compared: number }[]
    readonly cases: { readonly answered: number; readonly declined: number; readonly failed: number }
    readonly threshold: number
  } | null
  readonly input_shape: Readonly<Record<string, string>> | null
  readonly runs: number
  readonly run_ms: number | null
  readonly shadow: { readonly runs: number; readonly disagreements: number; readonly bound: number }
  readonly economics: Economics
  readonly created_at: string
}

export interface Economics {
  readonly compile_cost_dollars: number
  readonly agent_run_dollars: number | null
  readonly program_run_dollars: number | null
  readonly break_even_runs: number | null
  readonly saved_dollars: number
}

export const skillPath = (id: string, rest = ''): string => `/v1/skills/${encodeURIComponent(id)}${rest}`
