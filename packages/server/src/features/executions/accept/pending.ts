import type { Sql } from '../../../adapters/db/db.ts'
import { Deferred, type Job, type Queue } from '../../../adapters/queue/queue.ts'
import { type FileRecord, holdFiles, type PendingUpload } from '../../files/files.ts'
import type { ExecutionInput } from '../../inputs/inputs.ts'
import { type ControlParts, endAsFailed } from '../control.ts'
import { wakeWaiting } from '../follow/waiting.ts'
import type { Place } from '../store/execution-row.ts'
import { forgetAwaited, startPending } from '../store/moves.ts'
import { batchTopic, topicOf } from '../topics.ts'

/** Jobs that check a pending execution, after an upload or when its URL expires. */
export const uploadTopic = 'execution.upload'

/** Slots for these jobs: each runs a few short queries. */
export const uploadSlots = 4

/** An upload that an execution waits for, and the input that names it. */
export type AwaitedUpload = Pick<PendingUpload, 'id' | 'expiresAt'> & { readonly input: ExecutionInput['name'] }

/** Records the uploads that a new execution waits for, with a job for the expiry of each. */
export async function awaitUploads(
  { tx, queue }: { tx: Sql; queue: Pick<Queue, 'add'> },
  { workspaceId, id, uploads, now }: Place & { uploads: readonly AwaitedUpload[]; now: Date },
): Promise<void> {
  for (const { id: fileId, input, expiresAt } of uploads) {
    await tx.query(
      'insert into execution_uploads (workspace_id, execution_id, file_id, input, expires_at) values ($1, $2, $3, $4, $5)',
      [workspaceId, id, fileId, input, expiresAt],
    )
    const delayMs = Math.max(0, expiresAt.getTime() - now.getTime())
    await queue.add(tx, uploadTopic, { workspaceId, id, expiresMs: expiresAt.getTime() }, { delayMs })
  }
}

/**
 * Wakes the executions that wait for a file, in the transaction that adds it. The lock on the upload ensures that a concurrently accepted
 * execution either sees the file or is found here.
 */
export async function wakePending(
  { tx, queue }: { tx: Sql; queue: Pick<Queue, 'add'> },
  { workspaceId, id: fileId }: Pick<FileRecord, 'workspaceId' | 'id'>,
): Promise<void> {
  await tx.query('select from uploads where workspace_id = $1 and id = $2 for update', [workspaceId, fileId])
  const waiting = await tx.query<{ id: string }>(
    'select execution_id as id from execution_uploads where workspace_id = $1 and file_id = $2',
    [workspaceId, fileId],
  )
  for (const { id } of waiting) await queue.add(tx, uploadTopic, { workspaceId, id })
}

/** Starts a pending execution once all its files exist; fails it when one of them cannot come any more. */
export async function settlePending(parts: ControlParts, job: Pick<Job, 'data'>): Promise<void> {
  const { db, clock } = parts
  const place = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  const uploads = await listAwaited(db, place)
  if (uploads.length === 0) return
  const now = clock.now()
  const deleted = uploads.find(({ state }) => state === 'deleted')
  if (deleted)
    return failPending(parts, place, `inputs.${deleted.input}: the file was deleted before the execution started`)
  const late = uploads.find(({ state, expiresAt }) => state !== 'there' && expiresAt <= now)
  if (late)
    return failPending(
      parts,
      place,
      `inputs.${late.input}: no file was uploaded before its upload URL expired at ${late.expiresAt.toISOString()}; request a new URL and execute again`,
    )
  const dropped = uploads.find(({ state }) => state === 'dropped')
  if (dropped) return failPending(parts, place, `inputs.${dropped.input}: the upload was deleted before its bytes came`)
  if (uploads.every(({ state }) => state === 'there'))
    return start(
      parts,
      place,
      uploads.map(({ fileId }) => fileId),
    )
  // The queue uses the database's clock, which may be ahead of this one.
  const earlyMs = Number(job.data['expiresMs'] ?? 0) - now.getTime()
  if (earlyMs > 0) throw new Deferred('the upload URL has not expired yet', earlyMs)
}

async function start(parts: ControlParts, place: Place, fileIds: readonly string[]): Promise<void> {
  const { db, clock, queue, intake } = parts
  const [row] = await db.query<{ tier: keyof typeof topicOf; batchId: string | null }>(
    'select tier, batch_id as "batchId" from executions where workspace_id = $1 and id = $2',
    [place.workspaceId, place.id],
  )
  if (!row) return
  const turn = await intake.admission.turnAgain(row.tier)
  await db.transaction(async (tx) => {
    const started = await startPending(tx, { ...place, now: clock.now() })
    await forgetAwaited(tx, place)
    if (!started) return
    // The error makes the queue retry the job, which then finds the file deleted.
    if (!(await holdFiles(tx, { workspaceId: place.workspaceId, executionId: place.id, fileIds })))
      throw new Error('a file was deleted while its execution was being started')
    await queue.add(tx, topicOf[row.tier], { ...place, number: started.job }, { turn, group: place.workspaceId })
    // A batch that is paused pauses it.
    if (row.batchId !== null) await queue.add(tx, batchTopic, { workspaceId: place.workspaceId, id: row.batchId })
    await wakeWaiting(tx, place)
  })
}

async function failPending(parts: ControlParts, place: Place, message: string): Promise<void> {
  await endAsFailed(parts, place, { code: 'upload_missing', message, retryable: false })
}

interface Awaited {
  readonly fileId: string
  readonly input: string
  readonly expiresAt: Date
  /** `absent`: the bytes may still come. `dropped`: the upload was deleted or has expired. */
  readonly state: 'there' | 'deleted' | 'absent' | 'dropped'
}

async function listAwaited(sql: Sql, { workspaceId, id }: Place): Promise<readonly Awaited[]> {
  return sql.query<Awaited>(
    `select u.file_id as "fileId", u.input, u.expires_at as "expiresAt",
       case when f.id is null then case when p.id is null then 'dropped' else 'absent' end when f.deleted_at is null then 'there' else 'deleted' end as state
     from execution_uploads u left join files f on f.workspace_id = u.workspace_id and f.id = u.file_id
       left join uploads p on p.workspace_id = u.workspace_id and p.id = u.file_id
     where u.workspace_id = $1 and u.execution_id = $2 order by u.input`,
    [workspaceId, id],
  )
}
