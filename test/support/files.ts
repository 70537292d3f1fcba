import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { newId } from '../../packages/core/src/ids.ts'
import { openDiskBlobs } from '../../packages/server/src/adapters/blobs/disk/disk.ts'
import type { Db } from '../../packages/server/src/adapters/db/db.ts'
import { makeRateLimit, ownCounts } from '../../packages/server/src/adapters/http/rate.ts'
import { type HttpServer, serveHttp } from '../../packages/server/src/adapters/http/serve.ts'
import { silentLog } from '../../packages/server/src/core/log.ts'
import { fileRoutes } from '../../packages/server/src/features/files/routes.ts'
import { makeDatabase, type TestDatabase } from './database.ts'
import { lookAgain } from './until.ts'

/** An uploaded file in the wire format. */
export interface WireFile {
  id: string
  filename: string
  bytes: number
  purpose: string
  created_at: string
  object: string
  public_url: string | null
  sha256: string
  content_type: string
}

/** A request; without a body and headers it is one of the workspace `first`. */
interface Asked {
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
  readonly body?: Buffer
}

/** The file routes on a real server, database and disk, with a clock that the test sets. */
export class FilesService {
  now = new Date('2026-11-21T12:00:00.000Z')
  readonly clock = { now: () => this.now, monotonicMs: () => this.now.getTime() }
  readonly signingSecret = randomBytes(32)
  /** By the name of the workspace, which is also its key. That of `reader` may not write. */
  readonly workspaceIds: Record<string, string> = {}
  /** Errors that the server logged as its own bugs. */
  readonly bugs: object[] = []
  #database: TestDatabase | undefined
  #server: HttpServer | undefined
  #folder = ''

  async open(bounds: { fileBytesMax?: number; uploadIdleMs?: number }): Promise<void> {
    this.#database = await makeDatabase()
    this.#folder = await mkdtemp(path.join(tmpdir(), 'skillrun-files-'))
    for (const name of ['first', 'second', 'reader']) {
      const id = newId(this.now)
      this.workspaceIds[name] = id
      await this.db.query('insert into workspaces (id, name, created_at) values ($1, $2, $3)', [id, name, this.now])
    }
    const { clock, signingSecret, db } = this
    const blobs = await openDiskBlobs({ clock }, this.#folder)
    this.#server = await serveHttp(
      {
        db,
        routes: fileRoutes({ blobs, clock, signingSecret, bounds }),
        authenticate: async (key) => {
          const workspaceId = this.workspaceIds[key]
          const scopes = key === 'reader' ? ['read'] : ['read', 'files:write']
          return workspaceId === undefined ? undefined : { workspaceId, keyId: randomUUID(), scopes }
        },
        rate: makeRateLimit({ clock, counts: ownCounts() }, { name: 'rate', perMinute: 100_000 }),
        badKeys: makeRateLimit({ clock, counts: ownCounts() }, { name: 'badKeys', perMinute: 100_000 }),
        log: { ...silentLog, error: (fields) => this.bugs.push(fields) },
      },
      { host: '127.0.0.1', port: 0 },
    )
  }

  async close(): Promise<void> {
    await this.#server?.close(AbortSignal.abort())
    await this.#database?.[Symbol.asyncDispose]()
    await rm(this.#folder, { recursive: true, force: true })
  }

  get db(): Db {
    if (!this.#database) throw new Error('the service is not open')
    return this.#database.db
  }

  get url(): string {
    if (!this.#server) throw new Error('the service is not open')
    return this.#server.url
  }

  /** Calls the server. `json` is the body if it is JSON and no content of a file. */
  async call(method: string, target: string, asked: Asked = {}) {
    const key = 'key' in asked ? asked.key : 'first'
    const reply = await fetch(target.startsWith('http') ? target : this.url + target, {
      method,
      headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...asked.headers },
      ...(asked.body ? { body: new Uint8Array(asked.body) } : {}),
    })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const isJson = reply.headers.get('content-type') === 'application/json' && !target.includes('/content')
    const json = isJson ? JSON.parse(bytes.toString()) : undefined
    return { status: reply.status, headers: reply.headers, bytes, json }
  }

  /** Uploads a file, which must succeed. */
  async upload(
    filename: string,
    content: Buffer | string,
    more: { key?: string; query?: string } = {},
  ): Promise<WireFile> {
    const body = formOf(partOf(`name="file"; filename="${filename}"`, content))
    const { key = 'first', query = '' } = more
    const reply = await this.call('POST', `/v1/files${query}`, { headers: multipart, body, key })
    expect(reply.status).toBe(201)
    return reply.json
  }

  /** Names of all files in the store on disk, including unfinished ones. */
  async storedFiles(): Promise<string[]> {
    const found = await readdir(this.#folder, { recursive: true, withFileTypes: true })
    return found
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort()
  }
}

/** A server for all tests of a file. No test may end with a bug in the server's log. */
export function useFilesService(bounds: { fileBytesMax?: number; uploadIdleMs?: number } = {}): FilesService {
  const service = new FilesService()
  beforeAll(() => service.open(bounds))
  afterAll(() => service.close())
  afterEach(() => {
    expect(service.bugs.splice(0)).toEqual([])
  })
  return service
}

export const boundary = '----boundary'
export const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }
/** The end of a multipart body. */
export const endOfForm = Buffer.from(`--${boundary}--\r\n`)

/** One part of a multipart body; `headers` are lines with their ends. */
export const partOf = (disposition: string, bytes: Buffer | string = '', headers = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])

/** A complete multipart body. */
export const formOf = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, endOfForm])

export const sha256Of = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
export const md5Of = (bytes: Buffer | string): string => createHash('md5').update(bytes).digest('hex')

/** Polls until the condition holds; otherwise the test's timeout ends it. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await lookAgain()
}
