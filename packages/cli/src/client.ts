import { followExecution, type Waiting, waitForExecution } from '@skillrun/client/follow.ts'
import type { Http as ClientHttp } from '@skillrun/client/http.ts'
import type { ExecutionEvent } from '@skillrun/client/openapi.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { Connection } from './connection.ts'
import { bytesOf, createHttp, type Http, notSkillrun } from './http.ts'
import { list, type Query, queryText, record } from './reply.ts'
import { evaluationCalls, programCalls, skillCalls } from './skill-calls.ts'
import { type LocalFile, multipartOf } from './upload.ts'

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
interface KeyRecord extends JsonObject {
  readonly id: string
}

/** One entry of the list of models. */
interface ModelRecord extends JsonObject {
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

/** A client of the server of this connection. */
export function createClient(connection: Connection): Client {
  const http = createHttp(connection)
  const get = (path: string, signal: AbortSignal) => http.sendJson({ method: 'GET', path }, signal)
  const { url } = connection
  return {
    connection,
    checkKey: async (signal) => {
      record(await get('/v1/health', signal), ['status'], url)
    },
    execute: async (json, signal) =>
      executionOf(
        await http.sendJson({ method: 'POST', path: '/v1/agent/execute', json, repeatable: true }, signal),
        url,
      ),
    execution: async (id, signal) =>
      executionOf(await get(`/v1/agent/executions/${encodeURIComponent(id)}`, signal), url),
    wait: async (id, how) => executionOf(await waitForExecution(asClient(http, how.signal), id, how), url),
    events: (id, how) => followExecution(asClient(http, how.signal), id, how),
    executions: async (query, signal) =>
      list(await get(`/v1/agent/executions${queryText(query)}`, signal), url).map((each) => executionOf(each, url)),
    upload: (file, options, signal) => upload(http, { file, ...options }, signal),
    files: async (query, signal) =>
      list(await get(`/v1/files${queryText(query)}`, signal), url).map((each) => fileOf(each, url)),
    file: async (id, signal) => fileOf(await get(filePath(id), signal), url),
    deleteFile: async (id, signal) =>
      fileOf(await http.sendJson({ method: 'DELETE', path: filePath(id) }, signal), url),
    ...skillCalls(http),
    ...evaluationCalls(http),
    ...programCalls(http),
    createKey: async (json, signal) =>
      record(await http.sendJson({ method: 'POST', path: '/v1/keys', json }, signal), ['id', 'key'], url) as KeyRecord,
    keys: async (workspace, signal) =>
      list(await get(`/v1/keys${inWorkspace(workspace)}`, signal), url).map(
        (each) => record(each, ['id'], url) as KeyRecord,
      ),
    revokeKey: async ({ id, workspace }, signal) =>
      (
        await http.send(
          { method: 'DELETE', path: `/v1/keys/${encodeURIComponent(id)}${inWorkspace(workspace)}` },
          signal,
        )
      )
        .json()
        .catch(() => null),
    call: async <T>(request: Parameters<Http['sendJson']>[0], signal: AbortSignal) =>
      (await http.sendJson(request, signal)) as T,
    content: async (path, signal, json) =>
      bytesOf(
        await http.send(json ? { method: 'POST', path, json } : { method: 'GET', path }, signal),
        connection,
        signal,
      ),
    models: async (signal) =>
      list(await get('/v1/models', signal), url).map((each) => record(each, ['model'], url) as ModelRecord),
  }
}

/** Our way to speak, as the typed client asks for it: what goes wrong is told in our words. It only reads. */
function asClient(http: Http, signal: AbortSignal): ClientHttp {
  const { url, key } = http.connection
  const request = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    ({ method: 'GET', path, headers }) as const
  return {
    base: url,
    key: key ?? '',
    send: (path, asking) => http.send(request(path, asking?.headers), asking?.signal ?? signal),
    json: async <T>(path: string, asking: { signal?: AbortSignal | undefined } = {}) =>
      (await http.sendJson(request(path), asking.signal ?? signal)) as T,
  }
}

async function upload(
  http: Http,
  { file, purpose, onSent }: { file: LocalFile; purpose?: string; onSent: (bytes: number) => void },
  signal: AbortSignal,
): Promise<FileRecord> {
  const path = `/v1/files${queryText({ purpose: purpose ?? 'assistants' })}`
  return fileOf(
    await http.sendJson({ method: 'POST', path, stream: multipartOf(file, onSent) }, signal),
    http.connection.url,
  )
}

const filePath = (id: string): string => `/v1/files/${encodeURIComponent(id)}`

const executionOf = (value: unknown, url: string): Execution =>
  record(value, ['id', 'name', 'status'], url) as Execution

function fileOf(value: unknown, url: string): FileRecord {
  const file = record(value, ['id', 'filename'], url)
  if (typeof file['bytes'] !== 'number') throw notSkillrun(url)
  return file as FileRecord
}

const inWorkspace = (workspace: string | undefined): string =>
  workspace === undefined ? '' : `?workspace=${encodeURIComponent(workspace)}`
