import { z } from 'zod'
import { queryInteger } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { dialectFileRoutes, pageOfFiles } from '../dialects/dialects.ts'
import { type FileParts, type FileRecord, purposes } from '../files/files.ts'

const base = '/v1/openai/files'
const file = z
  .object({
    id: z.string(),
    object: z.literal('file'),
    bytes: z.int().min(0),
    created_at: z.int(),
    filename: z.string(),
    purpose: z.enum(purposes),
    status: z.literal('processed'),
  })
  .meta({ id: 'OpenAIFile' })
const filesMax = 10_000
const page = z.object({
  limit: queryInteger({ min: 1, max: filesMax, fallback: filesMax }, 'Maximum number of files to return'),
  order: z.enum(['asc', 'desc']).default('desc').describe('By time of upload'),
  after: z.string().max(200).optional().describe('The id of the last file of the page before'),
  purpose: z.enum(purposes).optional(),
})

/** OpenAI's Files API on the files of the workspace; they are those of `/v1/files`. */
export function openAiFileRoutes(parts: FileParts): Route[] {
  return dialectFileRoutes(parts, {
    tag: 'openai',
    name: 'OpenAi',
    base,
    file,
    shown,
    deleted: z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) }),
    shownDeleted: (id) => ({ id, object: 'file' as const, deleted: true as const }),
    uploadSummary: 'Upload a file in the part `file`, with a `purpose`; its id works as `file_id`',
    getSummary: 'Get a file',
    purposeOf,
    list: listRoute(),
  })
}

function listRoute(): Route {
  return route({
    method: 'get',
    path: base,
    operation: 'listOpenAiFiles',
    tag: 'openai',
    scope: 'read',
    summary: 'List the files of this workspace by age',
    query: page,
    reply: {
      status: 200,
      description: 'The files',
      schema: z.object({
        object: z.literal('list'),
        data: z.array(file),
        first_id: z.string().nullable(),
        last_id: z.string().nullable(),
        has_more: z.boolean(),
      }),
    },
    handle: async ({ db, caller: { workspaceId }, query: { limit, order, after, purpose } }) => {
      const { files, hasMore } = await pageOfFiles(db, {
        workspaceId,
        purpose: purpose ?? null,
        after,
        descending: order === 'desc',
        limit,
      })
      const data = files.map(shown)
      return {
        json: {
          object: 'list' as const,
          data,
          first_id: data[0]?.id ?? null,
          last_id: data.at(-1)?.id ?? null,
          has_more: hasMore,
        },
      }
    },
  })
}

/** The purpose that the form of an upload names. Refuses fields that have no effect. */
function purposeOf(fields: ReadonlyMap<string, string>): FileRecord['purpose'] {
  for (const name of fields.keys()) {
    if (name.startsWith('expires_after'))
      throw invalid(['body', 'expires_after'], 'Files do not expire: leave expires_after out, and delete the file', {
        type: 'unsupported_parameter',
      })
    if (name !== 'purpose')
      throw invalid(['body', name.slice(0, 100)], `Unknown parameter: ${JSON.stringify(name.slice(0, 100))}`, {
        type: 'unknown_parameter',
      })
  }
  const given = fields.get('purpose')
  const purpose = purposes.find((one) => one === given)
  if (!purpose)
    throw invalid(['body', 'purpose'], `purpose must be one of ${purposes.join(', ')}`, {
      type: given === undefined ? 'missing' : 'enum',
    })
  return purpose
}

const shown = ({ id, bytes, createdAt, filename, purpose }: FileRecord) => ({
  id,
  object: 'file' as const,
  bytes,
  created_at: Math.floor(createdAt.getTime() / 1000),
  filename,
  purpose,
  status: 'processed' as const,
})
