import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainWords } from '../../agent/programs/plain-words.ts'
import { familiarOf, isNovel } from './novelty.ts'

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
  const more = new Set([...invoice(9), 'freight', 'owed', 'surcharge'])
  expect(isNovel(more, familiar)).toBe(true)
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
