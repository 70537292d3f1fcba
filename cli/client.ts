import { isJsonObject, type Json, type JsonObject } from '../src/kit/json.ts'
import type { Connection } from './connection.ts'
import { bytesOf, createHttp, type Http, notSkillrun } from './http.ts'
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

/** A key as the server lists it, and, when it was just made, its text. */
interface KeyRecord extends JsonObject {
  readonly id: string
}

/** One entry of the list of models. */
interface ModelRecord extends JsonObject {
  readonly model: string
}

type Query = Readonly<Record<string, string | number | undefined>>

/** The routes that the command line uses. All throw what `Http` throws. */
export interface Client {
  readonly connection: Connection
  /** Resolves when the server answers and takes the key. */
  checkKey(signal: AbortSignal): Promise<void>
  /** The body must carry an `id`: the request may be sent more than once. */
  execute(body: JsonObject & { id: string }, signal: AbortSignal): Promise<Execution>
  execution(id: string, signal: AbortSignal): Promise<Execution>
  executions(query: Query, signal: AbortSignal): Promise<readonly Execution[]>
  upload(
    file: LocalFile,
    options: { purpose?: string; onSent: (bytes: number) => void },
    signal: AbortSignal,
  ): Promise<FileRecord>
  files(query: Query, signal: AbortSignal): Promise<readonly FileRecord[]>
  file(id: string, signal: AbortSignal): Promise<FileRecord>
  fileContent(id: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  deleteFile(id: string, signal: AbortSignal): Promise<FileRecord>
  createKey(body: JsonObject, signal: AbortSignal): Promise<KeyRecord>
  keys(workspace: string | undefined, signal: AbortSignal): Promise<readonly KeyRecord[]>
  revokeKey(key: { id: string; workspace: string | undefined }, signal: AbortSignal): Promise<unknown>
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
    executions: async (query, signal) =>
      list(await get(`/v1/agent/executions${queryText(query)}`, signal), url).map((each) => executionOf(each, url)),
    upload: (file, options, signal) => upload(http, { file, ...options }, signal),
    files: async (query, signal) =>
      list(await get(`/v1/files${queryText(query)}`, signal), url).map((each) => fileOf(each, url)),
    file: async (id, signal) => fileOf(await get(filePath(id), signal), url),
    fileContent: async (id, signal) => {
      const reply = await http.send({ method: 'GET', path: `${filePath(id)}/content` }, signal)
      return bytesOf(reply, connection, signal)
    },
    deleteFile: async (id, signal) =>
      fileOf(await http.sendJson({ method: 'DELETE', path: filePath(id) }, signal), url),
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
    models: async (signal) =>
      list(await get('/v1/models', signal), url).map((each) => record(each, ['model'], url) as ModelRecord),
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

function queryText(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** A JSON object with these texts in it; anything else comes from something that is no Skillrun server. */
function record(value: unknown, texts: readonly string[], url: string): JsonObject {
  if (!isJsonObject(value) || texts.some((name) => typeof value[name] !== 'string')) throw notSkillrun(url)
  return value
}

const executionOf = (value: unknown, url: string): Execution =>
  record(value, ['id', 'name', 'status'], url) as Execution

function fileOf(value: unknown, url: string): FileRecord {
  const file = record(value, ['id', 'filename'], url)
  if (typeof file['bytes'] !== 'number') throw notSkillrun(url)
  return file as FileRecord
}

function list(value: unknown, url: string): readonly Json[] {
  if (!Array.isArray(value)) throw notSkillrun(url)
  return value
}

const inWorkspace = (workspace: string | undefined): string =>
  workspace === undefined ? '' : `?workspace=${encodeURIComponent(workspace)}`
