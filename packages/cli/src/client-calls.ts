import type { Waiting } from '@skillrun/client/follow.ts'
import type { ExecutionEvent } from '@skillrun/client/openapi.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { Connection } from './connection.ts'
import type { Query } from './reply.ts'
import type { LocalFile } from './upload.ts'

/** The record of an execution: the fields that the command line reads, and all others as they came. */
export interface Execution extends JsonObject {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly created_at: string | null
  readonly completed_at: string | null
}

/** The record of a stored file. */
export interface FileRecord extends JsonObject {
  readonly id: string
  readonly filename: string
  readonly bytes: number
  readonly created_at: string | null
}

/** A known answer of a skill. */
export interface CaseRecord extends JsonObject {
  readonly id: string
  readonly source: string
}

/** A program of a skill, as far as the command line looks at it. */
export interface ProgramRecord {
  readonly id: string
  readonly status: string
  readonly origin: string
  readonly reason: string | null
  readonly source: string | null
  readonly runs: number
  readonly shadow: { readonly runs: number; readonly disagreements: number; readonly bound: number }
  readonly economics: {
    readonly agent_run_dollars: number | null
    readonly program_run_dollars: number | null
    readonly break_even_runs: number | null
    readonly saved_dollars: number
  }
  readonly created_at: string
}

/** An evaluation of a version of a skill. */
export interface EvaluationRecord extends JsonObject {
  readonly id: string
  readonly status: string
}

/** A version of a skill. */
export interface SkillRecord extends JsonObject {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly skill_version: string
  readonly created_at: string
}

/** A key as the server lists it, and, when it was just made, its text. */
export interface KeyRecord extends JsonObject {
  readonly id: string
}

/** One entry of the list of models. */
export interface ModelRecord extends JsonObject {
  readonly model: string
}

/** The routes that the command line uses. All throw what `Http` throws. */
export interface Client {
  readonly connection: Connection
  /** Resolves when the server answers and takes the key. */
  checkKey(signal: AbortSignal): Promise<void>
  /** The body must carry an `id`: the request may be sent more than once. */
  execute(body: JsonObject & { id: string }, signal: AbortSignal): Promise<Execution>
  execution(id: string, signal: AbortSignal): Promise<Execution>
  /** The record at the execution's end or pause, told of by the server's events. Throws a TimeoutError after `timeoutMs`. */
  wait(id: string, how: Waiting & { readonly signal: AbortSignal }): Promise<Execution>
  /** What happens to an execution, to its end; a connection that breaks is made again. */
  events(id: string, how: { readonly after?: string; readonly signal: AbortSignal }): AsyncIterable<ExecutionEvent>
  executions(query: Query, signal: AbortSignal): Promise<readonly Execution[]>
  upload(
    file: LocalFile,
    options: { purpose?: string; onSent: (bytes: number) => void },
    signal: AbortSignal,
  ): Promise<FileRecord>
  files(query: Query, signal: AbortSignal): Promise<readonly FileRecord[]>
  file(id: string, signal: AbortSignal): Promise<FileRecord>
  deleteFile(id: string, signal: AbortSignal): Promise<FileRecord>
  createSkill(body: JsonObject, signal: AbortSignal): Promise<SkillRecord>
  updateSkill(id: string, body: JsonObject, signal: AbortSignal): Promise<SkillRecord>
  skill(id: string, signal: AbortSignal): Promise<SkillRecord>
  lookupSkill(body: JsonObject, signal: AbortSignal): Promise<SkillRecord>
  skills(query: Query, signal: AbortSignal): Promise<readonly SkillRecord[]>
  skillVersions(id: string, signal: AbortSignal): Promise<readonly SkillRecord[]>
  skillZip(id: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  addCases(id: string, cases: readonly JsonObject[], signal: AbortSignal): Promise<readonly CaseRecord[]>
  cases(id: string, signal: AbortSignal): Promise<readonly CaseRecord[]>
  deleteCase(of: { id: string; caseId: string }, signal: AbortSignal): Promise<CaseRecord>
  /** Begins an evaluation of a version. */
  evaluate(id: string, json: JsonObject, signal: AbortSignal): Promise<EvaluationRecord>
  programs(id: string, signal: AbortSignal): Promise<readonly ProgramRecord[]>
  program(of: { id: string; programId: string }, signal: AbortSignal): Promise<ProgramRecord>
  compileProgram(id: string, json: JsonObject, signal: AbortSignal): Promise<ProgramRecord>
  deleteProgram(of: { id: string; programId: string }, signal: AbortSignal): Promise<ProgramRecord>
  evaluation(of: { id: string; evaluationId: string }, signal: AbortSignal): Promise<EvaluationRecord>
  deleteSkill(id: string, signal: AbortSignal): Promise<SkillRecord>
  createKey(body: JsonObject, signal: AbortSignal): Promise<KeyRecord>
  keys(workspace: string | undefined, signal: AbortSignal): Promise<readonly KeyRecord[]>
  revokeKey(key: { id: string; workspace: string | undefined }, signal: AbortSignal): Promise<unknown>
  /** Any other route: its JSON, as the caller knows it. */
  call<T>(
    request: { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string; readonly json?: unknown },
    signal: AbortSignal,
  ): Promise<T>
  /** The bytes that a route answers with, as they come. */
  content(path: string, signal: AbortSignal, json?: JsonObject): Promise<AsyncIterable<Uint8Array>>
  models(signal: AbortSignal): Promise<readonly ModelRecord[]>
}
