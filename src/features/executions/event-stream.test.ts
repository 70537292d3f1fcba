import { expect, test } from 'vitest'
import { limits } from '../../kit/limits.ts'
import { silentLog } from '../../kit/log.ts'
import type { Db } from '../../seams/db/db.ts'
import { makeEventStreams } from './event-stream.ts'
import { nothingSeen } from './events.ts'

const db = { query: async () => [] } as unknown as Db
const place = { workspaceId: '0', id: '0' }

test('a process opens only so many streams of events, and one that was closed makes room for another', async () => {
  const streams = makeEventStreams({ db, endings: { watch: () => () => {} }, log: silentLog })
  const open = () => streams.open(place, nothingSeen, new AbortController().signal)
  const all = Array.from({ length: limits.eventStreamsMax }, open)
  expect(open).toThrow('takes no more')
  const closed = new Promise((resolve) => all[0]?.once('close', resolve))
  all[0]?.destroy()
  await closed
  expect(() => all.push(open())).not.toThrow()
  expect(open).toThrow('takes no more')
  for (const stream of all) stream.destroy()
})
