import type { Job, JobTerms } from '@skillrun/core/job.ts'
import { expect, test } from 'vitest'
import { createInlineProcessPool } from '../adapters/process-pool/inline/inline-process-pool.ts'
import type { ProcessPool } from '../adapters/process-pool/process-pool.ts'
import { judgeAnswer, judgeText } from './judge-answer.ts'

/** A process pool that records its jobs and their sizes. */
function watched() {
  const inner = createInlineProcessPool()
  const ran: { name: string; text: number }[] = []
  const processPool: ProcessPool = {
    ...inner,
    run<I, O>(job: Job<I, O>, input: I, terms: JobTerms) {
      const { text = '', json = '' } = input as { text?: string; json?: string }
      ran.push({ name: job.name, text: text.length + json.length })
      return inner.run(job, input, terms)
    },
  }
  return { processPool, ran }
}

const signal = new AbortController().signal
const items = (count: number) => ({ items: Array.from({ length: count }, (_, n) => ({ id: n, name: `item ${n}` })) })
const item = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
const schema = { type: 'object', properties: { items: { type: 'array', items: item } } }
const wrong = { type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } } }

test('a large answer is parsed and checked in the process pool, in one job, and returned unchanged', async () => {
  const { processPool, ran } = watched()
  const answer = items(50_000)
  const text = `Here it is:\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``
  expect(await judgeAnswer({ processPool, schema }, { text, finish: 'stop' }, signal)).toEqual({
    ended: 'answered',
    answer,
  })
  expect(ran).toEqual([{ name: 'judge-text', text: text.length }])
})

test('a large answer gets the same error messages as a small one', async () => {
  const { processPool, ran } = watched()
  const problemsOf = async (count: number, against: object) => {
    const reply = { text: JSON.stringify(items(count)), finish: 'stop' as const }
    const verdict = await judgeAnswer({ processPool, schema: against as typeof schema }, reply, signal)
    return verdict.ended === 'violated' ? verdict.problems : verdict.ended
  }
  expect(await problemsOf(20_000, wrong)).toEqual((await problemsOf(20, wrong)).slice(0, 10))
  expect(ran.map(({ name }) => name)).toEqual(['judge-text', 'check-answer'])
  for (const padding of ['', 'x'.repeat(100_000)]) {
    const reply = (text: string) =>
      judgeAnswer({ processPool, schema }, { text: text + padding, finish: 'stop' }, signal)
    expect(await reply('no JSON at all')).toMatchObject({
      ended: 'violated',
      problems: [{ message: expect.stringContaining('is not valid JSON') }],
    })
    expect(await reply('{"items":[{"id":12345678901234567890}]} ')).toMatchObject({
      problems: [{ message: expect.stringContaining('12345678901234567890') }],
    })
  }
})

test('a long run of digits in a text is no problem, and a number of so many digits is named by its beginning', async () => {
  const { processPool } = watched()
  const digits = '7'.repeat(5_000)
  for (const padding of ['', 'x'.repeat(100_000)]) {
    const judged = (text: string) => judgeText({ processPool, schema: null }, text + padding, signal)
    const answer = { serial: `no ${digits}`, total: 12 }
    expect(await judged(`${JSON.stringify(answer)} `)).toEqual({ found: true, answer, problems: [] })
    const named = `the number ${digits.slice(0, 40)}…, which`
    for (const number of [digits, digits.slice(0, 309), digits.slice(0, 308)])
      expect(await judged(`{"serial":${number}} `)).toMatchObject({
        problems: [{ message: expect.stringContaining(named) }],
      })
  }
})

test('text that the database cannot store is made readable, and excessive nesting is no answer', async () => {
  const { processPool } = watched()
  const padding = 'x'.repeat(40_000)
  expect(await judgeText({ processPool, schema: null }, JSON.stringify({ a: 'b\0c', padding }), signal)).toEqual({
    found: true,
    answer: { a: 'b\uFFFDc', padding },
    problems: [],
  })
  const deep = `${'['.repeat(30_000)}1${']'.repeat(30_000)}`
  expect(await judgeText({ processPool, schema: null }, deep, signal)).toEqual({ found: false })
})
