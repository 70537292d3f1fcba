import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareWithDrawing, type Quotation } from './compare-drawn.ts'
import type { EvidenceMap } from './evidence.ts'

const evidenceOf = (count: number): EvidenceMap =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `/rows/${at}`,
      {
        status: 'verified',
        confidence: 1,
        input: 'scan',
        page: 0,
        bbox: [0, at / 1_000, 0.1, 0.001],
        quote: String(at),
      } as const,
    ]),
  )

/** Compares an answer of so many values, of which the page shows some otherwise; refilled fields are left empty. */
async function compare(count: number, forged: ReadonlySet<string>) {
  const rounds: number[] = []
  const result = await compareWithDrawing({
    isDoubted: () => true,
    answerWithout: async (differences) => {
      const gone = new Set(differences.map(({ text }) => text))
      const left = Object.entries(evidenceOf(count)).filter(([, { quote }]) => !gone.has(quote ?? ''))
      return { evidence: Object.fromEntries(left) }
    },
    findDifferences: async (quotations: readonly Quotation[]) => {
      rounds.push(quotations.length)
      return quotations.filter(({ text }) => forged.has(text)).map((one) => ({ ...one, drawn: 'something else' }))
    },
  })
  return { ...result, rounds }
}

test('each of up to 180 values is compared with the page, and one that differs is left out, wherever it stands', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 180 }), fc.nat(), async (count, pick) => {
      const forged = String(pick % count)
      const { answered, differences, unchecked } = await compare(count, new Set([forged]))
      expect(differences.map(({ text }) => text)).toEqual([forged])
      expect(Object.keys(answered.evidence)).toHaveLength(count - 1)
      expect(unchecked).toBe(0)
    }),
  )
})

test('of longer lists 180 values are compared, evenly spaced, and the rest is counted', async () => {
  const { rounds, unchecked } = await compare(1_000, new Set())
  expect([rounds, unchecked]).toEqual([[60, 60, 60], 820])
})
