import { expect, test } from 'vitest'
import { noDatabase } from '../../../../../../test/support/no-database.ts'
import type { Db } from '../../../adapters/db/db.ts'
import { limits } from '../../../core/limits.ts'
import { silentLog } from '../../../core/log.ts'
import { makeEventStreams } from './event-stream.ts'
import { nothingSeen } from './events.ts'

const db: Db = { ...noDatabase, query: async () => [] }
const place = { workspaceId: '0', id: '0' }

const streamsOf = () => makeEventStreams({ db, endings: { watch: () => () => {} }, log: silentLog })

test('the number of event streams of a process is limited, and a closed one makes room', async () => {
  const streams = streamsOf()
  let opened = 0
  // Each workspace opens as many as it may.
  const open = () => {
    const workspaceId = String(Math.floor(opened / limits.eventStreamsPerWorkspaceMax))
    const stream = streams.open({ ...place, workspaceId }, nothingSeen, new AbortController().signal)
    opened += 1
    return stream
  }
  const all = Array.from({ length: limits.eventStreamsMax }, open)
  expect(open).toThrow('has reached its limit')
  const closed = new Promise((resolve) => all[0]?.once('close', resolve))
  all[0]?.destroy()
  await closed
  expect(() => all.push(open())).not.toThrow()
  expect(open).toThrow('has reached its limit')
  for (const stream of all) stream.destroy()
})
