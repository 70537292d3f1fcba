import { afterAll, expect, test } from 'vitest'
import { createInlineProcessPool } from '../../adapters/process-pool/inline/inline-process-pool.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { trialJob } from '../../adapters/process-pool/testing/trial.ts'
import { silentLog as log } from '../../core/log.ts'
import { afterWarming, warmDrawing, warmProcessPool } from './warm.ts'

const inline = createInlineProcessPool()
afterAll(() => inline.close())

test('a process pool is warmed by a usual document: the sample invoice is read and answered, and drawn where asked', async () => {
  const done: [string, unknown][] = []
  const processPool: ProcessPool = {
    run: async (job, input, terms) => {
      const result = await inline.run(job, input, terms)
      done.push([job.name, result])
      return result
    },
    close: async () => {},
  }
  await warmProcessPool({ processPool, log })
  expect(done.map(([name]) => name)).toEqual(['read', 'answer'])
  expect(done[1]?.[1]).toMatchObject({ answer: { invoice_number: 'KR-2026-0318', total: 1304.34 } })
  await warmDrawing({ processPool, log })
  expect(done.map(([name]) => name)).toEqual(['read', 'answer', 'draw-page'])
})

test('jobs wait until a child is warm, except quick ones, and may be given up meanwhile', async () => {
  const begun: string[] = []
  const processPool: ProcessPool = {
    run: (job, input, terms) => {
      begun.push(job.name)
      return inline.run(job, input, terms)
    },
    close: async () => {},
  }
  const warming = Promise.withResolvers<void>()
  const pool = afterWarming(processPool, warming.promise)
  const run = (name: string, isQuick = false, signal = new AbortController().signal) => {
    const job = { ...trialJob, name, ...(isQuick && { isQuick: true as const }) }
    return pool.run(job, { act: 'echo', value: 1 }, { wallMs: 10_000, memoryMb: 100, signal })
  }
  const giveUp = new AbortController()
  const givenUp = run('given up', false, giveUp.signal).catch((error: unknown) => error)
  const long = run('long')
  await run('quick', true)
  giveUp.abort('enough')
  expect(await givenUp).toBe('enough')
  expect(begun).toEqual(['quick'])

  warming.resolve()
  await long
  await run('later')
  expect(begun).toEqual(['quick', 'long', 'later'])
})
