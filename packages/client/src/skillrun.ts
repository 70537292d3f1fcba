import { agentsOf } from './agents.ts'
import { artifactsOf } from './artifacts.ts'
import { batchesOf } from './batches.ts'
import { chatOf } from './chat.ts'
import { ExecutionNotCompleted } from './failure.ts'
import { executionPath, followExecution, type Waiting, waitForExecution } from './follow.ts'
import { type Asking, type Connection, type Http, makeHttp, newId, type Stoppable } from './http.ts'
import type {
  AgentExecuteRequest,
  AgentExecutionResponse,
  Callback,
  Json,
  Key,
  KeyRequest,
  MadeKey,
  Operations,
  ResumedExecutions,
  Step,
  File as StoredFile,
} from './openapi.ts'
import { skillsOf } from './skills.ts'
import { type Content, type UploadOptions, uploadFile } from './upload.ts'

export type { ArtifactPlace } from './artifacts.ts'
export {
  type DocumentToolInput,
  type DocumentToolOptions,
  type DocumentToolOutput,
  documentTool,
  type ToolDocument,
} from './document-tool.ts'
export { ExecutionNotCompleted, type FailureDetail, SkillrunFailure } from './failure.ts'
export type { Waiting } from './follow.ts'
export type { Asking, Connection, Stoppable } from './http.ts'
export type * from './openapi.ts'
export type { SkillSource } from './skills.ts'
export type { Content, UploadOptions } from './upload.ts'
export { type CallbackHeaders, type CallbackToVerify, verifyCallback } from './verify-callback.ts'
export type { Folder } from './zip.ts'

type Query<Name extends keyof Operations> = Operations[Name] extends { query: infer Fields }
  ? { readonly [Field in keyof Fields]?: Fields[Field] | undefined }
  : never

/**
 * A client of one server with one key. All functions throw SkillrunFailure, or the reason of their signal; `run` also throws
 * ExecutionNotCompleted.
 */
export type Skillrun = ReturnType<typeof clientOf>

export const createClient = (connection: Connection) => clientOf(makeHttp(connection))

/** The same on another `Http`, such as one with different error messages. */
export function clientOf(http: Http) {
  const execute = (request: AgentExecuteRequest, { signal }: Stoppable = {}) =>
    // A client-chosen id makes a repetition safe: it returns the first execution.
    http.json<AgentExecutionResponse>('/v1/agent/execute', {
      method: 'POST',
      body: { id: newId(), batch: true, ...request },
      repeatable: true,
      signal,
    })
  const wait = (execution: string | { readonly id: string }, how?: Waiting) =>
    waitForExecution(http, typeof execution === 'string' ? execution : execution.id, how)
  const runSettled = async (request: AgentExecuteRequest, how?: Waiting) =>
    wait(await execute({ ...request, batch: true }, how), how)
  return {
    /** Creates an execution and returns its record at once, unless `batch` is false. */
    execute,
    /** The record at the execution's end or at a pause; follows events instead of polling. */
    wait,
    /** Runs a request and returns the completed execution. Throws ExecutionNotCompleted if it fails or is paused. */
    run: async (request: AgentExecuteRequest, how?: Waiting) => {
      const execution = await runSettled(request, how)
      if (execution.status !== 'completed') throw new ExecutionNotCompleted(execution)
      return execution
    },
    /** Like `run`, but also returns an execution that failed or was paused; check `status` before using `response`. */
    runSettled,
    /** The events of an execution from its beginning to its end; resumes a broken stream without a gap. */
    events: (id: string, how?: Stoppable & { after?: string }) => followExecution(http, id, how),
    /** Uploads a file; `onProgress` gets the bytes sent so far. */
    upload: (content: Content, options?: UploadOptions): Promise<StoredFile> => uploadFile(http, content, options),
    executions: executionsOf(http),
    batches: batchesOf(http),
    files: filesOf(http),
    skills: skillsOf(http),
    agents: agentsOf(http),
    artifacts: artifactsOf(http),
    chat: chatOf(http),
    keys: keysOf(http),
    models: (how?: Stoppable) => http.json<Operations['listModels']['reply']>('/v1/models', how),
    usage: (query?: Query<'getUsage'>, how?: Stoppable) =>
      http.json<Operations['getUsage']['reply']>('/v1/usage', { ...how, query }),
    /** Estimates the cost of an execution in advance. */
    estimate: (request: AgentExecuteRequest, how?: Stoppable) =>
      http.json<Operations['estimateExecution']['reply']>('/v1/agent/estimate', {
        ...how,
        method: 'POST',
        body: request,
        repeatable: true,
      }),
    /** The reply of any other route. */
    send: http.send,
    /** The JSON of any other route. */
    call: <T = Json>(path: string, asking?: Asking) => http.json<T>(path, asking),
  }
}

interface ExecutionsPage {
  readonly executions: readonly AgentExecutionResponse[]
  /** Query of the next page; undefined for the last. */
  readonly next: string | undefined
}

function executionsOf(http: Http) {
  const act = (id: string, verb: string, asking: Asking = {}) =>
    http.json<AgentExecutionResponse>(`${executionPath(id)}/${verb}`, { ...asking, method: 'POST' })
  /** One page of the list, of a query or of the `next` of another page. */
  const page = async (of: Query<'listExecutions'> | string = {}, how: Stoppable = {}): Promise<ExecutionsPage> => {
    const reply = await (typeof of === 'string'
      ? http.send(of, how)
      : http.send('/v1/agent/executions', { ...how, query: of }))
    const next = /<([^>]+)>;\s*rel="next"/.exec(reply.headers.get('link') ?? '')?.[1]
    return { executions: (await reply.json()) as readonly AgentExecutionResponse[], next }
  }
  return {
    get: (id: string, how?: Stoppable) => http.json<AgentExecutionResponse>(executionPath(id), how),
    /** All matching executions, newest first; fetches pages as needed. */
    async *list(query: Query<'listExecutions'> = {}, how: Stoppable = {}): AsyncGenerator<AgentExecutionResponse> {
      for (let of: Query<'listExecutions'> | string | undefined = { limit: 100, ...query }; of !== undefined; ) {
        const { executions, next }: ExecutionsPage = await page(of, how)
        yield* executions
        of = next
      }
    },
    page,
    steps: (id: string, how?: Stoppable) => http.json<readonly Step[]>(`${executionPath(id)}/steps`, how),
    /** The request, as a body that repeats it. */
    request: (id: string, how?: Stoppable) => http.json<AgentExecuteRequest>(`${executionPath(id)}/request`, how),
    cancel: (id: string, how?: Stoppable) => act(id, 'cancel', how),
    pause: (id: string, how?: Stoppable) => act(id, 'pause', how),
    resume: (id: string, body: { max_cost_dollars?: number } = {}, how?: Stoppable) =>
      act(id, 'resume', { ...how, body }),
    /** Resumes many executions, by ids or by a filter as for `list`, and reports which cannot be resumed and why. */
    resumeMany: (which: Operations['resumeExecutions']['body'], how?: Stoppable) =>
      http.json<ResumedExecutions>('/v1/agent/executions/resume', { ...how, method: 'POST', body: which }),
    /** Repeats the request as a new execution; `changes` overrides parts of it. */
    rerun: (id: string, changes: AgentExecuteRequest = {}, how?: Stoppable) =>
      act(id, 'rerun', { ...how, body: { id: newId(), ...changes }, repeatable: true }),
    callbacks: (id: string, how?: Stoppable) => http.json<readonly Callback[]>(`${executionPath(id)}/callbacks`, how),
    redeliver: (id: string, n: number | string, how?: Stoppable) =>
      http.json<Callback>(`${executionPath(id)}/callbacks/${encodeURIComponent(n)}/redeliver`, {
        ...how,
        method: 'POST',
      }),
  }
}

function filesOf(http: Http) {
  const at = (id: string) => `/v1/files/${encodeURIComponent(id)}`
  return {
    list: (query?: Query<'listFiles'>, how?: Stoppable) =>
      http.json<readonly StoredFile[]>('/v1/files', { ...how, query }),
    get: (id: string, how?: Stoppable) => http.json<StoredFile>(at(id), how),
    /** The bytes; `body` of the reply is their stream. */
    content: (id: string, how?: Stoppable) => http.send(`${at(id)}/content`, how),
    delete: (id: string, how?: Stoppable) => http.json<StoredFile>(at(id), { ...how, method: 'DELETE' }),
  }
}

function keysOf(http: Http) {
  return {
    list: (query?: Query<'listKeys'>, how?: Stoppable) => http.json<readonly Key[]>('/v1/keys', { ...how, query }),
    /** The only reply with the text of the key. */
    create: (key: KeyRequest = {}, how?: Stoppable) =>
      http.json<MadeKey>('/v1/keys', { ...how, method: 'POST', body: key }),
    revoke: (id: string, query?: Query<'revokeKey'>, how?: Stoppable) =>
      http.json<Key>(`/v1/keys/${encodeURIComponent(id)}`, { ...how, method: 'DELETE', query }),
  }
}
