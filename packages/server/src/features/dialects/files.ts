import { isId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import type { Sql } from '../../adapters/db/db.ts'
import { type Route, route, type Sendable } from '../../adapters/http/route.ts'
import {
  contentReply,
  deleteFile,
  type FileParts,
  type FileRecord,
  listFilePage,
  loadFile,
  receiveFile,
} from '../files/files.ts'
import type { Dialect } from './dialect.ts'

interface FileDialect<File, Deleted> extends Dialect {
  readonly file: z.ZodType<File>
  readonly shown: (file: FileRecord) => NoInfer<Sendable<File>>
  readonly deleted: z.ZodType<Deleted>
  readonly shownDeleted: (id: string) => NoInfer<Sendable<Deleted>>
  readonly uploadSummary: string
  readonly getSummary: string
  /** The purpose of an upload by the fields of its form. Refuses fields that have no effect. */
  readonly purposeOf: (fields: ReadonlyMap<string, string>) => FileRecord['purpose']
  readonly list: Route
}

/** A Files API on the files of the workspace; they are those of `/v1/files`. */
export function dialectFileRoutes<File, Deleted>(parts: FileParts, dialect: FileDialect<File, Deleted>): Route[] {
  const { tag, name, base, shown } = dialect
  const common = { tag, params: z.object({ id: z.string().max(200) }), failures: [404] } as const
  const reply = { status: 200, description: 'The file', schema: dialect.file }
  return [
    route({
      method: 'post',
      path: base,
      operation: `upload${name}File`,
      tag,
      scope: 'files:write',
      summary: dialect.uploadSummary,
      body: 'stream',
      reply,
      failures: [413, 503],
      handle: async (request) => ({ json: shown(await receiveFile(parts, request, dialect.purposeOf)) }),
    }),
    dialect.list,
    route({
      ...common,
      method: 'get',
      path: `${base}/{id}`,
      operation: `get${name}File`,
      scope: 'read',
      summary: dialect.getSummary,
      reply,
      handle: async ({ db, caller, params }) => ({ json: shown(await loadFile({ db }, { ...caller, ...params })) }),
    }),
    route({
      ...common,
      method: 'get',
      path: `${base}/{id}/content`,
      operation: `get${name}FileContent`,
      scope: 'read',
      summary: 'Download a file',
      reply: { status: 200, description: 'The bytes', contentType: 'application/octet-stream' },
      handle: async ({ db, caller, params }) =>
        contentReply(parts, await loadFile({ db }, { ...caller, ...params }), {}),
    }),
    route({
      ...common,
      method: 'delete',
      path: `${base}/{id}`,
      operation: `delete${name}File`,
      scope: 'files:write',
      summary: 'Delete a file',
      reply: { status: 200, description: 'The deletion', schema: dialect.deleted },
      handle: async ({ db, caller, params }) => {
        const { id } = await deleteFile({ ...parts, db }, { ...caller, ...params })
        return { json: dialect.shownDeleted(id) }
      },
    }),
  ]
}

/** The files after the id `after`, and whether more follow. */
export async function pageOfFiles(
  db: Sql,
  page: Omit<Parameters<typeof listFilePage>[1], 'after'> & { readonly after: string | undefined },
): Promise<{ readonly files: readonly FileRecord[]; readonly hasMore: boolean }> {
  const after = page.after?.toLowerCase() ?? null
  // Nothing stands behind an id that no file can have.
  if (after !== null && !isId(after)) return { files: [], hasMore: false }
  const found = await listFilePage(db, { ...page, after, limit: page.limit + 1 })
  return { files: found.slice(0, page.limit), hasMore: found.length > page.limit }
}
