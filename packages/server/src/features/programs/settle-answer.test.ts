import type { Json } from '@skillrun/core/json.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { createInlineProcessPool } from '../../adapters/process-pool/inline/inline-process-pool.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { markedAnswer } from '../../agent/programs/marked-answer.ts'
import type { Guard } from './guard.ts'
import { settleAnswer } from './settle-answer.ts'

const inline = createInlineProcessPool()
afterAll(() => inline.close())

const schema = {
  type: 'object',
  properties: {
    rows: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'number' }, name: { type: 'string' } } },
    },
  },
}
const guard: Guard = { familiar: { words: [], shareMin: 0, seen: [], unseenMax: 1 }, grounded: ['/rows/*/name'] }
const rows = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `part ${id}`, name_metadata: 'a claim' }))

/** Settles an answer, and says which jobs the process pool ran for it. */
async function settled(answer: Json, more: { guard?: Guard; schema?: object } = {}) {
  const jobs: string[] = []
  const processPool: ProcessPool = {
    ...inline,
    run: (job, input, terms) => {
      jobs.push(job.name)
      return inline.run(job, input, terms)
    },
  }
  const values = { parts: rows(6_000).map(({ name }) => name) }
  const known = { documents: [], values }
  const result = { value: answer, cites: new Map<string, Json>(), lines: null }
  const signal = new AbortController().signal
  const settling = await settleAnswer({ processPool }, { known, result, schema, guard, ...more } as never, signal)
  const marked = await markedAnswer(processPool, { answer, evidence: settling.evidence, schema }, signal)
  return { jobs, settling, marked: marked as { rows: Record<string, Json>[] } }
}

describe('what is done with all values of a large answer is done in a child', () => {
  test('and gives what is found for a small one', async () => {
    const [small, large] = [await settled({ rows: rows(3) }), await settled({ rows: rows(6_000) })]
    expect([small.jobs, large.jobs]).toEqual([['settle'], ['settle-large-answer', 'mark-answer']])
    const { evidence, ...rest } = large.settling
    expect(rest).toEqual({ problem: undefined, words: null, doubt: undefined })
    for (const [pointer, found] of Object.entries(small.settling.evidence)) expect(evidence[pointer]).toEqual(found)
    expect(large.marked.rows.slice(0, 3)).toEqual(small.marked.rows)
    expect(large.marked.rows[0]?.['name_metadata']).toMatchObject({ confidence: 'hi' })
  })

  test.each([3, 6_000])('the guard and the schema judge %i rows alike', async (count) => {
    const strange = rows(count).map((row) => ({ ...row, name: `${row.name} that is nowhere` }))
    const { settling } = await settled({ rows: strange })
    const more = count > 5 ? `, /rows/3/name, /rows/4/name and ${count - 5} more` : ''
    expect(settling.doubt?.because).toBe(
      `nothing in the inputs supports /rows/0/name, /rows/1/name, /rows/2/name${more}`,
    )
    const wrong = await settled({ rows: [...rows(count - 1), { id: 'seven', name: 'part 1' }] })
    expect(wrong.settling.problem).toContain(`its answer violates the schema: /rows/${count - 1}/id`)
  })
})
