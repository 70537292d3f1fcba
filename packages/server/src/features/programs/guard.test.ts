import type { Json } from '@skillrun/core/json.ts'
import { textDocument } from '@skillrun/reader/media/testing/text-document.ts'
import { gridPage } from '@skillrun/reader/media/text/grid.ts'
import { wordsOfText } from '@skillrun/reader/media/text/plain.ts'
import { expect, test } from 'vitest'
import { linesOf } from '../../agent/programs/lines-of.ts'
import { wordsOfLines } from '../../agent/programs/plain-words.ts'
import { citedEvidence } from './evidence.ts'
import { doubtOf, givenFields, givenIn, groundedFields, groundingOf } from './guard.ts'

const linesIn = (text: string) => linesOf('note', textDocument(text))
const lines = linesIn('Harbour Supplies\nPayable now  1,120.50\nDispatched  14 March 2026')
const words = wordsOfLines(lines)
const placeOf = (text: string): Json => {
  const cell = lines.flatMap(({ cells }) => cells).find((one) => one.text === text)
  return { input: 'note', page: 0, box: [...(cell?.box ?? [])], quote: 'whatever the program says' }
}

test('a place that a program cites counts when it was provided and contains the value, in any form', () => {
  const answer = { seller: 'Harbour Supplies', amount: 1120.5, date: '2026-03-14' }
  const cites = new Map([
    ['/seller', placeOf('Harbour Supplies')],
    ['/amount', placeOf('1,120.50')],
    ['/date', placeOf('14 March 2026')],
  ])
  expect(citedEvidence(answer, cites, lines)).toMatchObject({
    '/seller': { status: 'verified', quote: 'Harbour Supplies' },
    '/amount': { status: 'normalised', quote: '1,120.50' },
    '/date': { status: 'normalised', quote: '14 March 2026' },
  })
})

test('a value in video or audio has the time of the frame, or of the spoken words', () => {
  const page = gridPage(wordsOfText('Order PO-7731'))
  const spoken = {
    ...page,
    words: page.words.map((word, index) => ({ ...word, seconds: [2 + index, 3 + index] as const })),
  }
  const shown = { ...gridPage(wordsOfText('INV-4711')), index: 1, atSeconds: 4 }
  const timed = linesOf('talk', { mediaType: 'video/webm', pageCount: 2, pages: [spoken, shown] })
  const cites = new Map(
    timed.map(({ page: number, cells }): [string, Json] => [
      `/${number}`,
      { input: 'talk', page: number, box: [...(cells[0]?.box ?? [])] },
    ]),
  )
  expect(citedEvidence(['PO-7731', 'INV-4711'], cites, timed)).toMatchObject({
    '/0': { seconds: [2, 4] },
    '/1': { seconds: [4, 4] },
  })
})

test('a place without the value, or an invalid one, is no evidence', () => {
  const cites = new Map<string, Json>([
    ['/a', placeOf('1,120.50')],
    ['/b', { input: 'note', page: 0, box: [0, 0, 1, 1], quote: '5' }],
    ['/c', 'somewhere'],
    ['/d', placeOf('1,120.50')],
  ])
  expect(citedEvidence({ a: 9, b: 5, c: 1120.5, d: null }, cites, lines)).toEqual({})
})

test('a field whose values always were in the inputs must be again; one that was inferred in a case need not', () => {
  const supported = { status: 'verified', confidence: 1 } as const
  const not = { status: 'unsupported', confidence: 0 } as const
  const grounded = groundedFields([
    [
      ...groundingOf(
        { total: 1, kind: 'note', rows: [{ sum: 1 }] },
        { '/total': supported, '/kind': not, '/rows/0/sum': supported },
      ),
    ],
    [...groundingOf({ total: null, kind: 'note', rows: [] }, { '/kind': supported })],
  ])
  expect(grounded).toEqual(['/total', '/rows/*/sum'])
  const guard = { grounded, familiar: { words: [], shareMin: 0, seen: [], unseenMax: 1 } }
  const answer = { total: 5, kind: 'letter', rows: [{ sum: 1 }, { sum: 2 }] }
  const evidence = { '/total': supported, '/rows/0/sum': supported }
  expect(doubtOf(guard, { words, answer, evidence })).toEqual({
    because: 'nothing in the inputs supports /rows/1/sum',
    fields: ['/rows/*/sum'],
  })
  expect(doubtOf(guard, { words, answer, evidence: { ...evidence, '/rows/1/sum': supported } })).toBeUndefined()
})

test('a field whose name is a number is checked on its own, also by a guard from before that took it for an index', () => {
  const supported = { status: 'verified', confidence: 1 } as const
  const not = { status: 'unsupported', confidence: 0 } as const
  const answer = { '1': 'a', '2': 'b' }
  const grounded = groundedFields([[...groundingOf(answer, { '/1': supported, '/2': not })]])
  expect(grounded).toEqual(['/1'])
  const familiar = { words: [], shareMin: 0, seen: [], unseenMax: 1 }
  const evidence = { '/1': not, '/2': not }
  const doubt = { because: 'nothing in the inputs supports /1', fields: ['/1'] }
  expect(doubtOf({ grounded, familiar }, { words, answer, evidence })).toEqual(doubt)
  const older = { grounded: ['/*'], familiar }
  expect(doubtOf(older, { words, answer, evidence: { ...evidence, '/2': supported } })).toEqual(doubt)
})

test('a field counts as always given when it has a value in every answer, and at every position of a list', () => {
  const one = {
    number: 'A-1',
    note: null,
    tags: ['x'],
    items: [
      { amount: 1, unit: 'kg' },
      { amount: 2, unit: '' },
    ],
  }
  const other = { number: 'A-2', note: 'late', tags: [], items: [{ amount: 0, unit: 'kg' }] }
  const given = [one, other].map((answer) => ({ given: [...givenIn(answer)], left: [] }))
  expect(givenFields(given)).toEqual(['/number', '/items/*/amount', '/items'])
  expect(givenFields([])).toEqual([])
  // What an answer left to an agent was not missing.
  expect(givenFields([...given, { given: ['/number'], left: ['/items'] }])).toEqual(givenFields(given))
})

test('an answer without an always given value is left to an agent; a sometimes missing one is not', () => {
  const guard = {
    familiar: { words: [], shareMin: 0, seen: [], unseenMax: 1 },
    grounded: [],
    given: ['/number', '/items'],
  }
  const doubtIn = (answer: Json, left: string[] = []) => doubtOf(guard, { words, answer, evidence: {}, left })?.because
  expect(doubtIn({ number: 'A-3', note: null, items: [{ amount: 3 }] })).toBeUndefined()
  expect(doubtIn({ number: null, items: [{ amount: 3 }] })).toContain('nothing for /number')
  expect(doubtIn({ items: [] })).toContain('nothing for /number, /items')
  expect(doubtIn({ items: [] }, ['/items'])).toContain('nothing for /number, which')
})
