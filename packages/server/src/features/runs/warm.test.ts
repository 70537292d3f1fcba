import { afterAll, expect, test } from 'vitest'
import { createInlineProcessPool } from '../../adapters/process-pool/inline/inline-process-pool.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { silentLog as log } from '../../core/log.ts'
import { warmProcessPool } from './warm.ts'

const inline = createInlineProcessPool()
afterAll(() => inline.close())

test('a process pool is warmed by a usual document: the sample invoice is read, answered and drawn', async () => {
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
  expect(done.map(([name]) => name)).toEqual(['read', 'answer', 'draw-page'])
  expect(done[1]?.[1]).toMatchObject({ answer: { invoice_number: 'KR-2026-0318', total: 1304.34 } })
})
