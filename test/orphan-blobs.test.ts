import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock as clock } from '../packages/core/src/clock.ts'
import { openDiskBlobs } from '../packages/server/src/adapters/blobs/disk/disk.ts'
import { limits } from '../packages/server/src/core/limits.ts'
import { sweepBlobs } from '../packages/server/src/features/files/files.ts'
import { uploadTo } from './support/call.ts'
import { openCluster } from './support/cluster.ts'
import { makeDatabase } from './support/database.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const lookAhead = (ms: number) => new Date(Date.now() + limits.orphanBlobMs + ms)

test('the bytes of an upload whose process was killed before the commit are deleted when they are old, and a stored file stays', async () => {
  const folder = await temporaryFolder('orphan')
  await using database = await makeDatabase()
  await using cluster = await openCluster(database.address, { SKILLRUN_DATA: folder })
  const { db } = database
  const member = await cluster.start('api')
  const kept = Buffer.from('these bytes have a row')
  expect((await uploadTo({ url: member.url, key: cluster.key }, kept, 'a.txt')).status).toBe(201)

  const lost = Buffer.from('the process that took these dies')
  const sha256 = createHash('sha256').update(lost).digest()
  const blobs = await openDiskBlobs({ clock }, join(folder, 'blobs'))
  const cut = await db.transaction(async (tx) => {
    // The bytes get their name, and then the transaction that would add the row waits for the lock that this test
    // holds.
    await tx.query('select pg_advisory_xact_lock($1, $2)', [sha256.readInt32BE(0), sha256.readInt32BE(4)])
    const answer = uploadTo({ url: member.url, key: cluster.key }, lost, 'a.txt').then(
      ({ status }) => status,
      () => 'cut',
    )
    await expect.poll(() => blobs.stat(sha256)).toEqual({ bytes: lost.length })
    await member.kill()
    return { answer }
  })
  expect(await cut.answer).toBe('cut')
  const rows = await db.query<{ bytes: number }>('select bytes from files')
  expect(rows).toEqual([{ bytes: kept.length }])

  expect(await sweepBlobs({ db, blobs }, new Date())).toBe(0)
  expect(await blobs.stat(sha256)).toEqual({ bytes: lost.length })
  expect(await sweepBlobs({ db, blobs }, lookAhead(60_000))).toBe(1)
  expect(await blobs.stat(sha256)).toBeUndefined()
  expect(await blobs.stat(createHash('sha256').update(kept).digest())).toEqual({ bytes: kept.length })
  expect(await sweepBlobs({ db, blobs }, lookAhead(60_000))).toBe(0)
})

test('a sweep that meets an upload of the same bytes keeps them, or makes the upload retry: a file never lacks its bytes', async () => {
  await using service = await openTestService()
  const { db } = service.database
  const blobs = await openDiskBlobs({ clock }, join(service.dataFolder, 'blobs'))
  for (let round = 0; round < 20; round++) {
    const bytes = Buffer.from(`round ${round}`)
    const [answers] = await Promise.all([
      Promise.all([uploadTo(service, bytes, 'a.txt'), uploadTo(service, bytes, 'a.txt')]),
      ...[1, 2, 3].map(() => sweepBlobs({ db, blobs }, lookAhead(60_000))),
    ])
    for (const answer of answers) {
      expect([201, 503]).toContain(answer.status)
      if (answer.status === 201)
        expect((await service.call('GET', `/v1/files/${answer.json.id}/content`)).json).toBe(bytes.toString())
    }
  }
})

test('the collector deletes the bytes of a file whose process died between deleting the two', async () => {
  await using database = await makeDatabase()
  await using cluster = await openCluster(database.address)
  const { db } = database
  const member = await cluster.start('api')
  const bytes = Buffer.from('deleted in the very last moment')
  const sha256 = createHash('sha256').update(bytes).digest()
  const { id } = (await uploadTo({ url: member.url, key: cluster.key }, bytes, 'a.txt')).json
  await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1, $2)', [sha256.readInt32BE(0), sha256.readInt32BE(4)])
    const headers = { Authorization: `Bearer ${cluster.key}` }
    void fetch(`${member.url}/v1/files/${id}`, { method: 'DELETE', headers }).catch(() => undefined)
    await expect.poll(async () => (await db.query('select 1 from files where deleted_at is not null')).length).toBe(1)
    await member.kill()
  })
  expect(await db.query('select sha256 from blob_leftovers')).toEqual([{ sha256 }])
})
