import { followExecution, waitForExecution } from '@skillrun/client/follow.ts'
import type { Http as ClientHttp } from '@skillrun/client/http.ts'
import type { Client, Execution, FileRecord, KeyRecord, ModelRecord } from './client-calls.ts'
import type { Connection } from './connection.ts'
import { bytesOf, createHttp, type Http, notSkillrun } from './http.ts'
import { list, queryText, record } from './reply.ts'
import { evaluationCalls, programCalls, skillCalls } from './skill-calls.ts'
import { type LocalFile, multipartOf } from './upload.ts'

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
