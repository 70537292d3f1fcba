import { expect, test } from 'vitest'
import { decimalOf } from './document-decimals.ts'

test('the habit of a document shows in the numbers that its answer quotes', () => {
  const habit = (...quotes: string[]) =>
    decimalOf({
      response: { amounts: quotes.map(() => 1), phone: '030.12' },
      evidence: Object.fromEntries(
        [...quotes.map((quote, at) => [`/amounts/${at}`, quote]), ['/phone', '030.12']].map(([path, quote]) => [
          path,
          { status: 'verified', confidence: 1, quote },
        ]),
      ),
    } as Parameters<typeof decimalOf>[0])
  expect(habit('1.250', '€ 4,24')).toBe(',')
  expect(habit('12.50', '7')).toBe('.')
  expect(habit('1.250', '7')).toBeUndefined()
  expect(habit('1.250,00', '4.20')).toBeUndefined()
})
