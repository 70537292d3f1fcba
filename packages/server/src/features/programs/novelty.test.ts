import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainWords } from '../../agent/programs/plain-words.ts'
import { type Familiar, familiarOf, noveltyOf } from './novelty.ts'

const isNovel = (words: ReadonlySet<string>, familiar: Familiar): boolean => noveltyOf(words, familiar) !== undefined

const invoice = (n: number) =>
  plainWords(
    `Invoice number A-${n} date 2026-03-${n} due total amount payable thank you customer${'abcdefghij'[n % 10]}xyz`,
  )
const statement = plainWords('Statement of account opening balance deposits withdrawals closing balance branch')

test('a document of another kind is novel; one more of the same kind is not', () => {
  const familiar = familiarOf(Array.from({ length: 8 }, (_, n) => invoice(n)))
  expect(isNovel(invoice(9), familiar)).toBe(false)
  expect(isNovel(statement, familiar)).toBe(true)
  expect(isNovel(new Set(), familiar)).toBe(true)
})

test('a document of the same kind with more new content than any before is novel', () => {
  const familiar = familiarOf(Array.from({ length: 8 }, (_, n) => invoice(n)))
  const more = new Set([...invoice(7), 'freight', 'owed', 'surcharge'])
  expect(noveltyOf(more, familiar)).toEqual(['freight', 'owed', 'surcharge'])
  expect(noveltyOf(statement, familiar), 'a document of another kind has nothing to accept').toEqual([])
})

test('accepted words are no longer new, and others still are', () => {
  const familiar = familiarOf(Array.from({ length: 8 }, (_, n) => invoice(n)))
  const more = new Set([...invoice(7), 'freight', 'owed', 'surcharge'])
  expect(noveltyOf(more, familiar, ['freight', 'owed', 'surcharge'])).toBeUndefined()
  const other = new Set([...invoice(7), 'freight', 'void', 'cancelled', 'refund'])
  expect(noveltyOf(other, familiar, ['freight', 'owed', 'surcharge'])).toEqual(['void', 'cancelled', 'refund'])
})

test('a single new word is not novel, even where the words of each known document occur in others; two are', () => {
  const goods = ['rope', 'canvas', 'pulley']
  const slips = Array.from({ length: 12 }, (_, n) => plainWords(`Delivery slip goods ${goods[n % 3]} keep this slip`))
  const familiar = familiarOf(slips)
  expect(isNovel(plainWords('Delivery slip goods anchor keep this slip'), familiar)).toBe(false)
  expect(isNovel(plainWords('Delivery slip goods anchor freight keep this slip'), familiar)).toBe(true)
})

test('after too few documents, or documents that have nothing in common, everything is familiar', () => {
  expect(isNovel(statement, familiarOf([invoice(1), invoice(2)]))).toBe(false)
  expect(isNovel(statement, familiarOf([plainWords('one two'), plainWords('red blue'), plainWords('cat dog')]))).toBe(
    false,
  )
})

test('no document that a program was verified on is novel to it', () => {
  const document = fc.uniqueArray(
    fc.constantFrom(...'invoice total date due amount tax net customer thanks page'.split(' ')),
  )
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 12 }), (documents) => {
      const sets = documents.map((words) => new Set(words))
      const familiar = familiarOf(sets)
      for (const one of sets) expect(isNovel(one, familiar)).toBe(false)
    }),
  )
})
