import { expect, test } from 'vitest'
import { madeDocuments } from './made.ts'

async function made(count: number) {
  const truths: unknown[] = []
  const takes = (name: string): boolean => /^train-statement-.*-pdf-0$/.test(name)
  for await (const { truth } of madeDocuments('train', { cache: undefined, forms: ['pdf'], takes })) {
    truths.push(truth['account_number'])
    if (truths.length === count) break
  }
  return truths
}

test('every layout has facts of its own, and the same ones each time', async () => {
  const first = await made(5)
  expect(new Set(first).size).toBe(5)
  expect(await made(2)).toEqual(first.slice(0, 2))
})
