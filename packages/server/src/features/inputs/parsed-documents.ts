import type { DeclaredText } from '@skillrun/reader/media/declared-text.ts'
import { type PackedDocument, readerVersion } from '@skillrun/reader/media/packed-document.ts'
import type { FrameRequest } from '@skillrun/reader/media/timed/frame-times.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'

type Summary = Omit<PackedDocument, 'packed'>

/** The fence of a run: writes need its attempt number in the row of its execution. */
interface Fence {
  readonly workspaceId: string
  readonly id: string
  readonly attempt: number
}

/** The tool name of document reading, in the transcript and in prices. */
export const readTool = 'document.read'

/** Which parsed documents an execution may use: with caching any of the same pages, without it only its own. */
export function variantOf(
  {
    id,
    request,
  }: {
    readonly id: string
    readonly request: {
      readonly pageIndices: readonly number[] | null
      readonly caching: boolean
      readonly frames?: FrameRequest | null
    }
  },
  { heardBy, declared }: { readonly heardBy?: string | undefined; readonly declared?: DeclaredText | undefined } = {},
): string {
  const { pageIndices, frames } = request
  const wanted = frames ? `, ${frames.perSegment} pictures every ${frames.segmentSeconds} s` : ''
  const heard = heardBy === undefined ? '' : `, heard by ${heardBy}`
  const kind = declared === undefined ? '' : `, as a ${declared}`
  const pages = `${pageIndices ? `pages ${pageIndices.join(',')}` : 'all pages'}${wanted}${heard}${kind}`
  return request.caching ? pages : `${pages} for ${id}`
}

/** The parsed document of these bytes in this workspace. `variant` distinguishes other pages and options. */
export async function findParsedDocument(
  sql: Sql,
  of: { workspaceId: string; sha256: Buffer; variant: string },
): Promise<PackedDocument | undefined> {
  const rows = await sql.query<{ document: Buffer; summary: Summary }>(
    'select document, summary from readings where workspace_id = $1 and sha256 = $2 and reader = $3',
    [of.workspaceId, of.sha256, `${readerVersion} ${of.variant}`],
  )
  const row = rows[0]
  return row && { ...row.summary, packed: row.document }
}

/** The newest parsed document of these bytes that is of this variant, as `variantOf` makes it, with any further options. */
export async function findParsedDocumentLike(
  sql: Sql,
  of: { workspaceId: string; sha256: Buffer; variant: string },
): Promise<PackedDocument | undefined> {
  const rows = await sql.query<{ document: Buffer; summary: Summary }>(
    `select document, summary from readings
     where workspace_id = $1 and sha256 = $2 and (reader = $3 or starts_with(reader, $3 || ', ')) and reader not like '% for %'
     order by created_at desc limit 1`,
    [of.workspaceId, of.sha256, `${readerVersion} ${of.variant}`],
  )
  const row = rows[0]
  return row && { ...row.summary, packed: row.document }
}

/** Where to store bytes derived from others, and the run that stores them. */
interface Keeping {
  readonly workspaceId: string
  readonly sha256: Buffer
  readonly variant: string
  readonly now: Date
  /** The run that alone may use them, if any: nothing is stored for it once its execution has ended. */
  readonly fence: Fence | undefined
}

/** The fence of a run that does not share its parsed documents; undefined with caching. */
export const aloneIn = ({
  execution,
  fence,
}: {
  execution: { readonly request: { readonly caching: boolean } }
  fence: Fence
}): Fence | undefined => (execution.request.caching ? undefined : fence)

async function keep(sql: Sql, of: Keeping & { reader: string; document: Buffer; summary: string }): Promise<void> {
  const { workspaceId, sha256, reader, document, summary, now, fence } = of
  const row = [workspaceId, sha256, reader, document, summary, now]
  const into = 'insert into readings (workspace_id, sha256, reader, document, summary, created_at)'
  const once = 'on conflict (workspace_id, sha256, reader) do nothing'
  if (!fence) await sql.query(`${into} values ($1, $2, $3, $4, $5, $6) ${once}`, row)
  else
    await sql.query(
      `with fenced as (
         select from executions
         where workspace_id = $1 and id = $7 and attempt = $8 and status in ('running', 'paused', 'enqueued') for share
       )
       ${into} select $1::uuid, $2::bytea, $3::text, $4::bytea, $5::json, $6::timestamptz from fenced ${once}`,
      [...row, fence.id, fence.attempt],
    )
}

/** Stores a parsed document for later runs. */
export async function keepParsedDocument(sql: Sql, of: Keeping & { document: PackedDocument }): Promise<void> {
  const { packed, ...summary } = of.document
  const reader = `${readerVersion} ${of.variant}`
  await keep(sql, { ...of, reader, document: Buffer.from(packed), summary: jsonb(summary) })
}

/** Change this whenever cropping or scaling of images changes. */
const videoImagesVersion = 'pictures-1'

/** The images of a video for a model, in order: those of these bytes in this workspace. */
export async function findVideoImages(
  sql: Sql,
  of: { workspaceId: string; sha256: Buffer; variant: string },
): Promise<readonly Uint8Array[] | undefined> {
  const [row] = await sql.query<{ document: Buffer; summary: { bytes: readonly number[] } }>(
    'select document, summary from readings where workspace_id = $1 and sha256 = $2 and reader = $3',
    [of.workspaceId, of.sha256, `${videoImagesVersion} ${of.variant}`],
  )
  if (!row) return undefined
  let from = 0
  return row.summary.bytes.map((bytes) => {
    from += bytes
    return row.document.subarray(from - bytes, from)
  })
}

/** Stores the images of a video beside its parsed document, for as long. */
export async function keepVideoImages(sql: Sql, of: Keeping & { images: readonly Uint8Array[] }): Promise<void> {
  const summary = jsonb({ bytes: of.images.map(({ length }) => length) })
  const reader = `${videoImagesVersion} ${of.variant}`
  await keep(sql, { ...of, reader, document: Buffer.concat(of.images), summary })
}

/** Deletes what was parsed before `olderThan` for all later executions, in all workspaces. */
export async function deleteParsedDocumentsBefore(db: Sql, olderThan: Date): Promise<void> {
  await db.query(`delete from readings where created_at < $1 and reader !~ ' for [0-9a-f-]{36}$'`, [olderThan])
}

/** Deletes everything stored for the runs of one execution only. */
export async function deleteParsedDocumentsFor(
  sql: Sql,
  execution: { workspaceId: string; id: string },
): Promise<void> {
  // Spelled as its index.
  await sql.query(`delete from readings where workspace_id = $1 and reader like '% for %' and right(reader, 36) = $2`, [
    execution.workspaceId,
    execution.id,
  ])
}
