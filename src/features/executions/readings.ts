import type { Reading } from '../../media/reading.ts'
import { readerVersion } from '../../media/reading.ts'
import { jsonb, type Sql } from '../../seams/db/db.ts'
import type { Execution, ExecutionRequest } from './execution.ts'

type Summary = Omit<Reading, 'packed'>

/** The name of the tool that reads a document, in the transcript and in prices. */
export const readTool = 'document.read'

/** Which kept readings an execution may use: with caching any of the same pages, without it only its own. */
export function variantOf(
  {
    id,
    request,
  }: {
    readonly id: string
    readonly request: Pick<ExecutionRequest, 'pageIndices' | 'caching' | 'frames'>
  },
  heardBy?: string,
): string {
  const { pageIndices, frames } = request
  const wish = frames ? `, ${frames.perSegment} pictures every ${frames.segmentSeconds} s` : ''
  const heard = heardBy === undefined ? '' : `, heard by ${heardBy}`
  const pages = `${pageIndices ? `pages ${pageIndices.join(',')}` : 'all pages'}${wish}${heard}`
  return request.caching ? pages : `${pages} for ${id}`
}

/** The kept reading of these bytes in this workspace. `variant` tells readings of other pages apart. */
export async function findReading(
  sql: Sql,
  of: { workspaceId: string; sha256: Buffer; variant: string },
): Promise<Reading | undefined> {
  const rows = await sql.query<{ document: Buffer; summary: Summary }>(
    'select document, summary from readings where workspace_id = $1 and sha256 = $2 and reader = $3',
    [of.workspaceId, of.sha256, `${readerVersion} ${of.variant}`],
  )
  const row = rows[0]
  return row && { ...row.summary, packed: row.document }
}

/** Keeps a reading for later executions of the same workspace. */
export async function keepReading(
  sql: Sql,
  of: { workspaceId: string; sha256: Buffer; variant: string; reading: Reading; now: Date },
): Promise<void> {
  const { packed, ...summary } = of.reading
  await sql.query(
    `insert into readings (workspace_id, sha256, reader, document, summary, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (workspace_id, sha256, reader) do nothing`,
    [of.workspaceId, of.sha256, `${readerVersion} ${of.variant}`, Buffer.from(packed), jsonb(summary), of.now],
  )
}

/** Changes whenever pictures would be cut out or made smaller otherwise. */
const picturesVersion = 'pictures-1'

/** Pictures of a film as a model is shown them, in their order: those of these bytes in this workspace. */
export async function findPictures(
  sql: Sql,
  of: { workspaceId: string; sha256: Buffer; variant: string },
): Promise<readonly Uint8Array[] | undefined> {
  const [row] = await sql.query<{ document: Buffer; summary: { bytes: readonly number[] } }>(
    'select document, summary from readings where workspace_id = $1 and sha256 = $2 and reader = $3',
    [of.workspaceId, of.sha256, `${picturesVersion} ${of.variant}`],
  )
  if (!row) return undefined
  let from = 0
  return row.summary.bytes.map((bytes) => {
    from += bytes
    return row.document.subarray(from - bytes, from)
  })
}

/** Keeps the pictures of a film beside its reading, for as long. */
export async function keepPictures(
  sql: Sql,
  of: { workspaceId: string; sha256: Buffer; variant: string; pictures: readonly Uint8Array[]; now: Date },
): Promise<void> {
  const { workspaceId, sha256, variant, pictures, now } = of
  await sql.query(
    `insert into readings (workspace_id, sha256, reader, document, summary, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (workspace_id, sha256, reader) do nothing`,
    [
      workspaceId,
      sha256,
      `${picturesVersion} ${variant}`,
      Buffer.concat(pictures),
      jsonb({ bytes: pictures.map(({ length }) => length) }),
      now,
    ],
  )
}

/** Drops the readings that an execution without caching kept for its own runs alone. */
export async function deleteOwnReadings(sql: Sql, execution: Pick<Execution, 'id' | 'workspaceId'>): Promise<void> {
  await sql.query(
    `delete from readings using steps where steps.workspace_id = $1 and steps.execution_id = $2 and steps.name = $3
       and readings.workspace_id = $1 and readings.sha256 = decode(steps.detail->>'sha256', 'hex')
       and readings.reader like '% for ' || $2::text`,
    [execution.workspaceId, execution.id, readTool],
  )
}

/** Drops whatever was kept for the runs of one execution alone. */
export async function deleteReadingsFor(sql: Sql, execution: { workspaceId: string; id: string }): Promise<void> {
  await sql.query(`delete from readings where workspace_id = $1 and reader like '% for ' || $2`, [
    execution.workspaceId,
    execution.id,
  ])
}
