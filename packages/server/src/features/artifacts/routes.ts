import { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { queryInteger } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { findArtifact, listArtifacts, type Namespace } from './store.ts'

const namespace = {
  execution_id: z.string().max(100).optional(),
  session_id: z.string().max(255).optional(),
}
const query = z.object({
  ...namespace,
  object_id: z
    .string()
    .max(100)
    .optional()
    .describe(
      'The id as it appears in responses: `img_` (PNG or JPEG), `vid_` (MP4), `aud_` (MP3), `doc_` (PDF) or `txt_` (text), followed by six hexadecimal digits',
    ),
  filename: z.string().max(255).optional(),
})
const listQuery = z.object({
  ...namespace,
  limit: queryInteger({ fallback: 100, min: 1, max: 1000 }, 'Maximum number of items to return'),
})
const list = z
  .object({
    namespace_id: z.string(),
    items: z.array(
      z.object({
        object_id: z.string(),
        filename: z.string(),
        source: z.enum(['store', 'manifest', 'workspace']),
        content_type: z.string(),
        bytes: z.int(),
        execution_id: z.string(),
        created_at: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'ArtifactList' })

export interface ArtifactRouteParts {
  /** Throws a Fault `missing` when the workspace has no execution of this id. */
  readonly loadExecution: (parts: { db: Db }, of: { workspaceId: string; id: string }) => Promise<unknown>
  readonly hasSession: (sql: Sql, of: { workspaceId: string; sessionId: string }) => Promise<boolean>
}

/** Lists artifacts and serves their bytes. */
export function artifactRoutes({ loadExecution, hasSession }: ArtifactRouteParts): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/artifacts',
      operation: 'getArtifact',
      tag: 'artifacts',
      scope: 'read',
      summary: 'Download an artifact, by object_id or filename within an execution or a session',
      query,
      reply: { status: 200, description: 'The bytes of the artifact, with its content type', contentType: '*/*' },
      failures: [404],
      handle: async ({ db, caller, query: asked }) => {
        const { object_id: id = null, filename = null } = asked
        if ((id === null) === (filename === null))
          throw invalid(['query', 'object_id'], 'Give exactly one of object_id and filename', { type: 'missing' })
        const found = await findArtifact(db, {
          workspaceId: caller.workspaceId,
          namespace: namespaceOf(asked),
          id,
          filename,
        })
        if (!found) throw new Fault('missing', 'unknown_artifact', 'There is no such artifact in this workspace')
        return {
          stream: Readable.from([found.content]),
          headers: {
            'Content-Type': found.contentType,
            'Content-Length': String(found.bytes),
            'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(found.filename)}`,
            'Content-Security-Policy': "default-src 'none'; sandbox",
            'Cache-Control': 'private, max-age=3600',
          },
        }
      },
    }),
    route({
      method: 'get',
      path: '/v1/artifacts/list',
      operation: 'listArtifacts',
      tag: 'artifacts',
      scope: 'read',
      summary:
        'What the runs of an execution or a session made, oldest first. A session is known once an execution or a chat of this workspace has named it',
      query: listQuery,
      reply: { status: 200, description: 'The artifacts', schema: list },
      failures: [404],
      handle: async ({ db, caller, query: asked }) => {
        const where = namespaceOf(asked)
        const { workspaceId } = caller
        if ('executionId' in where) await loadExecution({ db }, { workspaceId, id: where.executionId })
        else if (!(await hasSession(db, { workspaceId, sessionId: where.sessionId })))
          throw new Fault('missing', 'unknown_session', 'No execution of this workspace has this session_id')
        const found = await listArtifacts(db, { workspaceId: caller.workspaceId, namespace: where, limit: asked.limit })
        return {
          json: {
            namespace_id: 'executionId' in where ? where.executionId : where.sessionId,
            items: found.map((one) => ({
              object_id: one.id,
              filename: one.filename,
              source: 'store' as const,
              content_type: one.contentType,
              bytes: one.bytes,
              execution_id: one.executionId,
              created_at: one.createdAt.toISOString(),
            })),
          },
        }
      },
    }),
  ]
}

/** The one namespace that a query names. A malformed id matches nothing. */
function namespaceOf(asked: { execution_id?: string | undefined; session_id?: string | undefined }): Namespace {
  const { execution_id: executionId, session_id: sessionId } = asked
  if ((executionId === undefined) === (sessionId === undefined))
    throw invalid(['query', 'execution_id'], 'Give exactly one of execution_id and session_id', { type: 'missing' })
  if (sessionId !== undefined) return { sessionId }
  const id = (executionId ?? '').toLowerCase()
  return { executionId: isId(id) ? id : '00000000-0000-0000-0000-000000000000' }
}
