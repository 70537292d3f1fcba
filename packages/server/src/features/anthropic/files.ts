import { z } from 'zod'
import { queryInteger } from '../../adapters/http/query.ts'
import { type Route, route, withAliases } from '../../adapters/http/route.ts'
import { unsupported } from '../../adapters/http/schemas.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { dialectFileRoutes, pageOfFiles } from '../dialects/dialects.ts'
import type { FileParts, FileRecord } from '../files/files.ts'

const base = '/anthropic/v1/files'
const file = z
  .object({
    id: z.string(),
    type: z.literal('file'),
    filename: z.string(),
    mime_type: z.string(),
    size_bytes: z.int().min(0),
    created_at: z.string().meta({ format: 'date-time' }),
    downloadable: z.literal(true),
    expires_at: z.null(),
    scope: z.null(),
  })
  .meta({ id: 'AnthropicFile' })
const cursor = z.string().max(200).optional()
const noIds = 'files are not listed by id; get each one'
const page = z.object({
  limit: queryInteger({ min: 1, max: 1_000, fallback: 20 }, 'Maximum number of files to return'),
  page: cursor.describe('The `next_page` of the page before'),
  after_id: cursor.describe('The `last_id` of the page before, for older clients'),
  before_id: unsupported('files are listed forwards; use page or after_id'),
  ids: unsupported(noIds),
  'ids[]': unsupported(noIds),
  scope_id: unsupported('files belong to the workspace, not to a session'),
})

/** Anthropic's Files API on the files of the workspace; they are those of `/v1/files`. */
export function anthropicFileRoutes(parts: FileParts): Route[] {
  const routes = dialectFileRoutes(parts, {
    tag: 'anthropic',
    name: 'Anthropic',
    base,
    file,
    shown,
    deleted: z.object({ id: z.string(), type: z.literal('file_deleted') }),
    shownDeleted: (id) => ({ id, type: 'file_deleted' as const }),
    uploadSummary: 'Upload a file in the part `file`; its id works as the source of blocks',
    getSummary: 'Get the metadata of a file',
    purposeOf,
    list: listRoute(),
  })
  return withAliases(routes, '/anthropic/v1', { Alias: '/v1/anthropic/v1' })
}

function listRoute(): Route {
  return route({
    method: 'get',
    path: base,
    operation: 'listAnthropicFiles',
    tag: 'anthropic',
    scope: 'read',
    summary: 'List the files of this workspace, newest first',
    query: page,
    reply: {
      status: 200,
      description: 'The files',
      schema: z.object({
        data: z.array(file),
        next_page: z.string().nullable(),
        first_id: z.string().nullable(),
        last_id: z.string().nullable(),
        has_more: z.boolean(),
      }),
    },
    handle: async ({ db, caller: { workspaceId }, query }) => {
      const { files, hasMore } = await pageOfFiles(db, {
        workspaceId,
        purpose: null,
        after: query.page ?? query.after_id,
        descending: true,
        limit: query.limit,
      })
      const data = files.map(shown)
      const last = data.at(-1)?.id ?? null
      return {
        json: {
          data,
          next_page: hasMore ? last : null,
          first_id: data[0]?.id ?? null,
          last_id: last,
          has_more: hasMore,
        },
      }
    },
  })
}

/** Refuses fields that have no effect; the purpose is that of files for models. */
function purposeOf(fields: ReadonlyMap<string, string>): FileRecord['purpose'] {
  const [name] = fields.keys()
  if (name === 'expires_in_seconds')
    throw invalid(['body', name], 'Files do not expire: leave expires_in_seconds out, and delete the file', {
      type: 'unsupported_parameter',
    })
  if (name !== undefined)
    throw invalid(['body', name.slice(0, 100)], `Unknown parameter: ${JSON.stringify(name.slice(0, 100))}`, {
      type: 'unknown_parameter',
    })
  return 'user_data'
}

const shown = ({ id, filename, contentType, bytes, createdAt }: FileRecord) => ({
  id,
  type: 'file' as const,
  filename,
  mime_type: contentType,
  size_bytes: bytes,
  created_at: createdAt.toISOString(),
  downloadable: true as const,
  expires_at: null,
  scope: null,
})
