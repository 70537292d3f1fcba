import type { JsonObject } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { ReadDocument } from '@skillrun/reader/media/document.ts'
import { packDocument } from '@skillrun/reader/media/packed-document.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import groundAnswer from '../ground-answer.job.ts'
import compareVersions from './compare-versions.job.ts'

const documentOf = (texts: readonly string[], more: Partial<ReadDocument> = {}): ReadDocument => ({
  mediaType: 'application/pdf',
  pageCount: texts.length,
  pages: texts.map((text, index) => ({
    ...{ index, width: 600, height: 800, source: 'text-layer', turnedDegrees: 0 },
    words: text.split(' ').map((word, at) => ({ text: word, box: [0.05 + at * 0.12, 0.1, 0.1, 0.02], confidence: 1 })),
  })),
  ...more,
})

const schema = {
  type: 'object',
  properties: {
    lease_code: { type: ['string', 'null'] },
    iban: { type: ['string', 'null'] },
    sheets: { type: ['integer', 'null'] },
    tenants: { type: 'array', items: { type: 'string' } },
  },
}
const first = ['The paper with LC-7 holds', 'The boiler was replaced', 'Snow is cleared in turn']
const onPage = (page: number): EvidenceMap[string] =>
  ({ status: 'verified', confidence: 1, input: 'lease', page }) as EvidenceMap[string]

function askedBecause(
  field: string,
  {
    now,
    value,
    found,
    more,
  }: { now: readonly string[]; value: unknown; found?: EvidenceMap[string]; more?: Partial<ReadDocument> },
): string | undefined {
  const name = field.slice(1)
  const { asked, kept } = compareVersions({
    before: [{ input: 'lease', packed: packDocument(documentOf(first)).packed }],
    now: [{ input: 'lease', packed: packDocument(documentOf(now, more)).packed }],
    fields: [field],
    schema: { ...schema, properties: { [name]: (schema.properties as JsonObject)[name] ?? null } },
    answer: { [name]: value } as JsonObject,
    evidence: found ? { [field]: found } : {},
    isFound: true,
  })
  expect(kept).toEqual(asked.length === 0 ? [field] : [])
  return asked[0]?.because
}

test.each([
  { what: 'nothing that matters changed', now: first.with(1, 'The boiler is new'), because: undefined },
  {
    what: 'the page of its value changed',
    now: first.with(0, 'Nothing is here any more'),
    because: 'the page of the earlier value changed',
  },
  {
    what: 'its value now also occurs on a changed page',
    now: first.with(1, 'Instead of LC-7 nothing'),
    because: 'the earlier value also occurs on a changed page',
  },
  {
    what: 'a changed page has a word of its name',
    now: first.with(1, 'The lease was extended'),
    because: 'a changed page has words of the field',
  },
  {
    what: 'its value stood on no page',
    now: first.with(1, 'The boiler is new'),
    found: { ...onPage(0), status: 'unsupported' } as EvidenceMap[string],
    because: 'the earlier value was not found on a page',
  },
  {
    what: 'the facts of the whole document changed',
    now: first,
    more: { warnings: [{ code: 'odd', message: 'It is odd.' }] },
    because: 'the page of the earlier value changed',
  },
])('a field is kept or asked again when $what', ({ now, because, found = onPage(0), more = {} }) => {
  expect(askedBecause('/lease_code', { now, value: 'LC-7', found, more })).toBe(because)
})

test('the number of pages is asked again when it changed, and other numbers are not', () => {
  const now = [...first, 'Bicycles belong in the cellar']
  const of = { now, found: onPage(0) }
  expect(askedBecause('/sheets', { ...of, value: 3 })).toBe('the earlier value is the number of pages, which changed')
  expect(askedBecause('/sheets', { ...of, value: 12 })).toBeUndefined()
})

test('a list is asked again when any page changed, and kept when none did', () => {
  const value = ['Jo Quill']
  expect(askedBecause('/tenants', { now: first.with(1, 'The boiler is new'), value })).toBe(
    'a list may have rows on every page',
  )
  expect(askedBecause('/tenants', { now: first, value })).toBeUndefined()
})

test('a field without a value is asked again when a changed page may hold one that it does not name', () => {
  const asked = (text: string) => askedBecause('/iban', { now: first.with(1, text), value: null })
  expect(asked('Pay to DE89370400440532013000 soon')).toBe('a changed page has something that may be the value')
  expect(asked('Pay to nobody soon')).toBeUndefined()
})

test('evidence of kept values is what would be found in the new documents, wherever pages went', () => {
  const facts = ['LC-7', 'Hollis', 'Jo Quill', 'G104', '12.50', '2026-03-04', '1,250', '04/03/2026', 'K.7-1']
  const sentence = fc.constantFrom(
    ...['The boiler is new', 'Snow is cleared', 'Pay 1.250,00 in cash', 'Bill of 05/20/2026', 'LC 7 is void', 'K71'],
  )
  const page = fc.tuple(sentence, fc.option(fc.constantFrom(...facts), { nil: '' })).map((words) => words.join(' '))
  const versions = fc.array(page, { minLength: 1, maxLength: 12 }).chain((before) =>
    fc.tuple(
      fc.constant(before),
      fc.array(fc.oneof({ weight: 25, arbitrary: fc.constantFrom(...before) }, page), {
        minLength: 1,
        maxLength: 12,
      }),
    ),
  )
  const value = fc.constantFrom(null, 12.5, 1250, '2026-04-03', ...facts)
  const names = ['lessor', 'code']
  const shape = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: ['string', 'number', 'null'] }])),
  }
  const packed = (texts: readonly string[]) => [{ input: 'lease', packed: packDocument(documentOf(texts)).packed }]
  const counts = { carried: 0, looked: 0 }
  fc.assert(
    fc.property(versions, value, value, ([before, now], lessor, code) => {
      const answer = { lessor, code }
      const ground = (texts: readonly string[]) =>
        groundAnswer({ documents: packed(texts), values: {}, schema: shape, json: JSON.stringify(answer) }).evidence
      const { kept, evidence } = compareVersions({
        ...{ before: packed(before), now: packed(now), isFound: true, schema: shape, answer },
        ...{ fields: names.map((name) => `/${name}`), evidence: ground(before) },
      })
      const found = ground(now)
      for (const [field, one] of Object.entries(evidence)) expect(one).toEqual(found[field])
      counts.carried += Object.values(evidence).filter(({ page }) => page !== undefined).length
      counts.looked += kept.length - Object.keys(evidence).length
    }),
    { numRuns: 300, seed: 2026 },
  )
  expect(counts.carried).toBeGreaterThanOrEqual(10)
  expect(counts.looked).toBeGreaterThanOrEqual(10)
})

test('evidence that the server did not find itself, or in other inputs, is looked for again', () => {
  const request = {
    ...{ fields: ['/lease_code'], schema, answer: { lease_code: 'LC-7' }, isFound: true },
    before: [{ input: 'lease', packed: packDocument(documentOf(first)).packed }],
    now: [{ input: 'lease', packed: packDocument(documentOf(['Cats are allowed', ...first])).packed }],
    evidence: { '/lease_code': onPage(0) } as EvidenceMap,
  }
  expect(compareVersions(request)).toMatchObject({ kept: ['/lease_code'], evidence: { '/lease_code': { page: 1 } } })
  expect(compareVersions({ ...request, isFound: false })).toMatchObject({ kept: ['/lease_code'], evidence: {} })
  const other = { input: 'annex', packed: packDocument(documentOf(['Cats are not allowed'])).packed }
  expect(compareVersions({ ...request, now: [other, ...request.now] })).toMatchObject({
    kept: ['/lease_code'],
    evidence: {},
  })
})
