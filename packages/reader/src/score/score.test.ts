import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { extract } from '../extract/extract.ts'
import type { Page, ReadDocument, Word } from '../media/document.ts'
import { readDocument } from '../media/read-document.ts'
import { read } from '../reader.ts'
import { choiceFeatureNames, choiceFeatures, chosen, rivalsOf } from './choice.ts'
import { featureNames } from './features.ts'
import { shippedModel, thresholdFor, valueOn } from './model.ts'
import { riskOf } from './risk.ts'
import { packed, probabilitiesOf, probabilityOf } from './trees.ts'

const schema = {
  type: 'object',
  properties: {
    invoice_number: { type: ['string', 'null'] },
    invoice_date: { type: ['string', 'null'], format: 'date' },
    total: { type: ['number', 'null'] },
  },
}
const letter = [
  'Acme Tools GmbH',
  'Invoice',
  'Invoice number: INV-2041',
  'Invoice date: 14 March 2026',
  'Subtotal: EUR 120.00',
  'VAT 20 %: EUR 24.00',
  'Total: EUR 144.00',
].join('\n')

const thresholdAt = (rate: number): number => thresholdFor(shippedModel(), 'text', rate).probability
const withheldAt = (maxWrongRate: number) => ({ risk: { maxWrongRate, unsure: 'withhold' } })

const ask = (document: ReadDocument, more: object = {}) =>
  extract({ documents: [{ input: 'letter', document }], values: {}, schema, ...more })

test('the shipped model was trained on the features that the code makes', () => {
  expect(shippedModel().features).toEqual(featureNames)
  expect(shippedModel().choiceFeatures).toEqual(choiceFeatureNames)
  const standing = { key: 'a', score: 0.5, row: new Float32Array(featureNames.length), cell: null, start: 0, end: 1 }
  const [features] = choiceFeatures([standing], null, rivalsOf([[standing]])[0] ?? [])
  expect(features).toHaveLength(choiceFeatureNames.length)
})

test('by default a value between the thresholds of 0.1 and 0.15 is given if the rules found it too, and withheld if the score alone did', async () => {
  const text =
    'Acme Ltd\nINVOICE\nInvoice no: AB-1207\nDate: 12 March 2026\nDelivery date: 13 March 2026\nDue: 12 April 2026\nTotal: 1,212.00'
  const [string, number] = [{ type: ['string', 'null'] }, { type: ['number', 'null'] }]
  const day = { ...string, format: 'date' }
  const properties = {
    ...{ vendor: string, issuer: string, job_title: string, contact_person: string },
    ...{ invoice_date: day, dispatch_date: day, total: number, deposit: number },
  }
  const asked = { schema: { type: 'object', properties } }
  const document = await readDocument({ text })
  const ofRules = ask(document, { ...asked, risk: null }).answer
  expect(ofRules).toMatchObject({ issuer: 'Acme Ltd', dispatch_date: null })
  const { evidence } = ask(document, { ...asked, ...withheldAt(0.005) })
  for (const field of ['/issuer', '/dispatch_date']) {
    const [{ confidence } = { confidence: 0 }] = evidence[field]?.candidates ?? []
    expect(confidence, field).toBeGreaterThanOrEqual(thresholdAt(0.15))
    expect(confidence, field).toBeLessThan(thresholdAt(0.1))
  }
  const { answer } = ask(document, { ...asked, risk: { maxWrongRate: 0.02, unsure: 'mark' } })
  expect(answer).toMatchObject({ issuer: 'Acme Ltd', dispatch_date: null })
})

test('by default both parties of the sample invoice are given', async () => {
  const sample = (name: string) => readFile(new URL(`../../../../samples/${name}`, import.meta.url))
  const document = await readDocument({ bytes: new Uint8Array(await sample('invoice.pdf')) })
  const { answer } = extract({
    documents: [{ input: 'invoice', document }],
    values: {},
    schema: JSON.parse(String(await sample('invoice.schema.json'))),
    risk: { maxWrongRate: 0.02, unsure: 'mark' },
  })
  expect(answer).toMatchObject({
    vendor: { name: 'Kestrel Coffee Roasters Ltd' },
    customer: { name: 'The Corner Shelf Bookshop & Café' },
  })
})

test('by default a value can be given that the rules did not find', () => {
  for (const source of ['text', 'recognised'] as const)
    expect(thresholdFor(shippedModel(), source, 0.1).probability).toBeLessThan(1)
})

test('where no probability keeps to a rate, the reason says so instead of naming one that cannot be reached', async () => {
  const { pages, ...rest } = await readDocument({ text: letter })
  const recognised = { ...rest, pages: pages.map((page) => ({ ...page, source: 'ocr' as const })) }
  const marked = ask(recognised, { risk: riskOf(undefined) }).evidence['/total']?.note
  expect(marked).toMatch(/^Its probability is 0\.\d+; no probability is high enough for at most 2 % wrong values\.$/)
  const { reason } = ask(recognised, withheldAt(0.02)).evidence['/total'] ?? {}
  expect(reason).toMatch(/has a probability of 0\.\d+; no probability is high enough for at most 2 % wrong values\.$/)
})

test('a tree goes left up to its threshold, and the sum of the leaves is a probability', () => {
  const stump = { feature: [1, -1, -1], threshold: [0.5, -2, 2], left: [1, 0, 0], right: [2, 0, 0] }
  const forest = packed({ base: 0, trees: [stump, stump] })
  expect(probabilityOf(forest, Float32Array.of(9, 0.5))).toBeCloseTo(1 / (1 + Math.exp(4)))
  expect(probabilityOf(forest, Float32Array.of(0, 0.6))).toBeCloseTo(1 / (1 + Math.exp(-4)))
})

test('candidates that are far behind after a quarter of the trees keep the score that they have then', () => {
  const stump = { feature: [0, -1, -1], threshold: [0.5, -4, 4], left: [1, 0, 0], right: [2, 0, 0] }
  const forest = packed({ base: 0, trees: [stump, stump, stump, stump] })
  const [low, high] = [Float32Array.of(0), Float32Array.of(1)]
  const share = (margin: number) => 1 / (1 + Math.exp(-margin))
  expect(probabilitiesOf(forest, [low, high])).toEqual([share(-4), share(16)])
  expect(probabilitiesOf(forest, [low, low])).toEqual([share(-16), share(-16)])
})

test('the second stage chooses among the first values and none, by what else claims their places', () => {
  const value = (key: string, score: number, start: number) => ({
    ...{ key, score, start, end: start + 1 },
    ...{ row: new Float32Array(featureNames.length), cell: 'one' },
  })
  const [first, second] = [value('a', 0.6, 0), value('b', 0.5, 5)]
  const rivals = rivalsOf([[first, second], [value('c', 0.9, 0)]])
  expect(rivals[0]).toMatchObject([
    { forPlace: 0.9, isTheirFirst: true },
    { forPlace: 0, isTheirFirst: false },
  ])
  const at = choiceFeatureNames.indexOf('isTheirFirst')
  const forest = packed({
    base: 0,
    trees: [{ feature: [at, -1, -1], threshold: [0.5, 2, -2], left: [1, 0, 0], right: [2, 0, 0] }],
  })
  const ordered = chosen([first, second], choiceFeatures([first, second], null, rivals[0] ?? []), forest)
  const all = 1 + Math.exp(2) + Math.exp(-2)
  expect(ordered.map(({ key }) => key)).toEqual(['b', 'a'])
  expect(ordered.map(({ share }) => share)).toEqual([Math.exp(2) / all, Math.exp(-2) / all])
})

test('a curve is straight between its corners and level beyond them', () => {
  const curve = { x: [0.2, 0.6], y: [0.1, 0.9] }
  expect([0, 0.2, 0.4, 0.6, 1].map((x) => Math.round(valueOn(curve, x) * 1000) / 1000)).toEqual([
    0.1, 0.1, 0.5, 0.9, 0.9,
  ])
})

test('the smaller the share of wrong values, the higher the threshold', () => {
  for (const source of ['text', 'recognised'] as const) {
    const least = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2].map(
      (rate) => thresholdFor(shippedModel(), source, rate).probability,
    )
    expect(least).toEqual(least.toSorted((a, b) => b - a))
    expect(least.at(-1)).toBeLessThan(1)
  }
  // A rate between two that were calibrated is held to the stricter one.
  expect(thresholdFor(shippedModel(), 'text', 0.04)).toEqual(thresholdFor(shippedModel(), 'text', 0.03))
})

test('every value that is held to a share of wrong values is at least as likely as its threshold, and says so', async () => {
  const document = await readDocument({ text: letter })
  const { answer, evidence, promise } = ask(document, withheldAt(0.15))
  const { probability } = thresholdFor(shippedModel(), 'text', 0.15)
  expect(answer).toEqual({ invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 })
  for (const one of Object.values(evidence)) expect(one.confidence).toBeGreaterThanOrEqual(probability)
  expect(promise).toMatchObject({ maxWrongRate: 0.15, calibration: expect.stringContaining(shippedModel().version) })
})

test('a share that is stricter gives no more values, and never another one', async () => {
  const document = await readDocument({ text: letter })
  const loose = ask(document, withheldAt(0.2)).answer as Record<string, unknown>
  const strict = ask(document, withheldAt(0.005)).answer as Record<string, unknown>
  for (const [name, value] of Object.entries(strict)) expect([null, loose[name]]).toContain(value)
})

test('a field without a sure value is null, says why, and has its likeliest values with their places', async () => {
  const text =
    'Minutes of the meeting\n12.03.2026 and 14.03.2026 were named\nParts 4711 and 4712 were shown\n20.00 or 30.00'
  const { answer, evidence } = ask(await readDocument({ text }), withheldAt(0.005))
  expect(answer).toEqual({ invoice_number: null, invoice_date: null, total: null })
  const { candidates = [], reason, confidence, status } = evidence['/total'] ?? { reason: '' }
  expect([status, confidence]).toEqual(['unsupported', 0])
  expect(candidates.length).toBeGreaterThan(0)
  expect(candidates.length).toBeLessThanOrEqual(3)
  expect(reason).toContain(JSON.stringify(candidates[0]?.value))
  const least = thresholdFor(shippedModel(), 'text', 0.005).probability
  for (const { value, ...place } of candidates) {
    expect(place.confidence).toBeLessThan(least)
    expect(place).toMatchObject({ input: 'letter', page: 0, quote: expect.stringContaining(String(value)) })
  }
})

test('ambiguous readings are candidates with evidence of their own words', async () => {
  const text =
    'Contract of 12 January 2026\nNotice: six weeks\nDate of purchase 2 4 1 2 2 0 0 4\nIBAN DE00 2409 0000 0044 1772 00'
  const [string, integer] = [{ type: ['string', 'null'] }, { type: ['integer', 'null'] }]
  const properties = { notice_weeks: integer, purchase_date: { ...string, format: 'date' }, iban: string }
  const asked = { schema: { type: 'object', properties }, ...withheldAt(0.005) }
  const document = await readDocument({ text })
  const { evidence } = ask(document, asked)
  const foundAt = (pointer: string, value: unknown) => evidence[pointer]?.candidates?.find((one) => one.value === value)
  expect(foundAt('/notice_weeks', 6)).toMatchObject({ status: 'derived', quote: 'six' })
  expect(foundAt('/purchase_date', '2004-12-24')).toMatchObject({ status: 'normalised', quote: '2 4 1 2 2 0 0 4' })
  const note = 'It is given as printed, but its check digits are wrong for an IBAN.'
  expect(foundAt('/iban', 'DE00240900000044177200')).toMatchObject({ note })
  // OCR may have misread a digit.
  const recognised = { ...document, pages: document.pages.map((page) => ({ ...page, source: 'ocr' as const })) }
  expect(ask(recognised, asked).evidence['/iban']?.candidates ?? []).toEqual([])
})

test('a field without a sure value has that of the rules among its candidates, although another one is likelier', async () => {
  const lines =
    'Bill to:\nPaid on 14.03.2026\nCustomer 7781\nFrom: Acme Ltd\nTel 01904 555 018\n4 High Street\nDate 12.03.2026\nDelivered 13.03.2026\nSubtotal 10.00\nLeeds LS1 4AP'.split(
      '\n',
    )
  const string = { type: ['string', 'null'] }
  const number = { type: ['number', 'null'] }
  const names =
    'customer_address vendor_name customer_name contact_person reference invoice_number order_number phone supplier issuer sender recipient address company_name customer_number document_number buyer seller payer'
  const days = 'invoice_date due_date delivery_date payment_date date order_date issued_on'
  const amounts = 'total balance subtotal net_amount amount_due tax_amount'
  const properties = {
    ...Object.fromEntries(names.split(' ').map((name) => [name, string])),
    ...Object.fromEntries(days.split(' ').map((name) => [name, { ...string, format: 'date' }])),
    ...Object.fromEntries(amounts.split(' ').map((name) => [name, number])),
  }
  const asked = { schema: { type: 'object', properties } }
  const places: number[] = []
  for (const first of lines.keys()) {
    const document = await readDocument({ text: [...lines.slice(first), ...lines.slice(0, first)].join('\n') })
    const ofRules = ask(document, { ...asked, risk: null }).answer as Record<string, unknown>
    const { answer, evidence } = ask(document, { ...asked, ...withheldAt(0.02) })
    for (const [name, value] of Object.entries(answer as Record<string, unknown>)) {
      const candidates = evidence[`/${name}`]?.candidates?.map((one) => one.value) ?? []
      if (value === null) places.push(candidates.indexOf(ofRules[name] as string))
    }
  }
  expect(places.some((place) => place > 0)).toBe(true)
})

test('marking gives what is likely, with a note where it is unsure, and withholds the rest', async () => {
  const texts = [
    letter,
    'Minutes of the meeting\n12.03.2026 and 14.03.2026 were named\nParts 4711 and 4712 were shown\n20.00 or 30.00',
    'Blue House Bakery\n12 Mill Lane\nReceipt 88\n3 Bread 9.00\nTea 2.50\n11.50\nPaid in cash 20.00\nBack 8.50',
  ]
  let [given, withheld] = [0, 0]
  for (const text of texts) {
    const {
      answer,
      evidence,
      unsure = [],
    } = ask(await readDocument({ text }), {
      risk: { maxWrongRate: 0.02, unsure: 'mark' },
    })
    for (const [name, value] of Object.entries(answer as Record<string, unknown>)) {
      const { confidence = 0, note, candidates = [] } = evidence[`/${name}`] ?? { reason: '' }
      if (value === null) {
        withheld += 1
        for (const one of candidates) expect(one.confidence).toBeLessThan(thresholdAt(0.1))
        continue
      }
      given += 1
      expect(confidence).toBeGreaterThanOrEqual(Math.max(0.5, thresholdAt(0.2)))
      expect([note !== undefined, unsure.includes(`/${name}`)]).toEqual(Array(2).fill(confidence < thresholdAt(0.02)))
    }
  }
  expect([given >= 3, withheld >= 3]).toEqual([true, true])
})

test('forms of kinds without rules are sure enough where labels mean what was asked for', async () => {
  const text = [
    'Câmara Municipal de Vila Nova',
    'Licença de esplanada',
    'N.º de licença: LE-4471/26',
    'Titular: Rita Alves Moreira',
    'Data de emissão: 12/02/2026',
    'Válida até: 31/12/2026',
    'Taxa: 148,50 €',
  ].join('\n')
  const string = { type: ['string', 'null'] }
  const date = { ...string, format: 'date' }
  const properties = {
    licence_number: string,
    holder: string,
    issue_date: date,
    valid_until: date,
    fee: { type: ['number', 'null'] },
  }
  const { answer, evidence } = ask(await readDocument({ text }), {
    schema: { type: 'object', properties },
    risk: { maxWrongRate: 0.02, unsure: 'mark' },
  })
  expect(answer).toEqual({
    licence_number: 'LE-4471/26',
    holder: 'Rita Alves Moreira',
    issue_date: '2026-02-12',
    valid_until: '2026-12-31',
    fee: 148.5,
  })
  for (const name of Object.keys(properties)) expect(evidence[`/${name}`]?.confidence).toBeGreaterThanOrEqual(0.7)
})

test('the same document gives the same answer', async () => {
  const document = await readDocument({ text: letter })
  const first = ask(document, withheldAt(0.02))
  expect(ask(document, withheldAt(0.02))).toEqual(first)
})

test('without a share of wrong values the rules decide, and nothing is promised', async () => {
  const { answer, promise, warnings } = ask(await readDocument({ text: letter }))
  expect(answer).toEqual({ invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 })
  expect([promise, warnings]).toEqual([null, []])
})

test('recognised pages are held to thresholds of their own', async () => {
  const lines = letter.split('\n')
  const words: Word[] = lines.flatMap((line, row) =>
    line.split(' ').map((text, at) => ({
      text,
      box: [0.1 + at * 0.12, 0.1 + row * 0.04, 0.1, 0.02] as const,
      confidence: 0.95,
    })),
  )
  const page: Page = { index: 0, width: 1000, height: 1400, source: 'ocr', words, turnedDegrees: 0 }
  const document: ReadDocument = { mediaType: 'image/png', pageCount: 1, pages: [page] }
  const { evidence, promise } = ask(document, withheldAt(0.1))
  const { probability } = thresholdFor(shippedModel(), 'recognised', 0.1)
  expect(promise?.calibration).toContain('recognised text: ')
  for (const { status, confidence } of Object.values(evidence))
    if (status !== 'unsupported') expect(confidence).toBeGreaterThanOrEqual(probability)
})

test('values of a sheet are held to a share as those of a page', async () => {
  const document = await readDocument({ bytes: Buffer.from('Invoice number,INV-2041\nTotal,144.00\nCity,Bonn\n') })
  expect(document.pages[0]?.isTabular).toBe(true)
  const { promise, evidence } = ask(document, withheldAt(0.02))
  expect(promise?.maxWrongRate).toBe(0.02)
  const { probability } = thresholdFor(shippedModel(), 'text', 0.02)
  for (const { status, confidence } of Object.values(evidence))
    if (status !== 'unsupported') expect(confidence).toBeGreaterThanOrEqual(probability)
})

test.each([
  ['gross_pay', 'Hours : 260   Bonus 284\nHours 98.53   Level 184\nNet pay   89   Hours 220.0'],
  ['weight', 'Level   259   Points 277.9\nRate : 254.9   Net pay 100\nRate : 184.2   Base 104.3'],
  ['working_days', 'Bonus 191   Rate 228\nLevel 265.72   Bonus 288\nFactor 39.25   Bonus 223.9'],
])('of the candidates of a field that is left empty, %s, the first is the likeliest', async (name, text) => {
  const schema = { type: 'object', properties: { [name]: { type: ['number', 'null'] } } }
  const { evidence } = await read({ text }, { schema, fileName: 'form.txt' })
  const shares = (evidence[`/${name}`]?.candidates ?? []).map(({ confidence }) => confidence)
  expect(shares.length).toBeGreaterThan(1)
  expect(shares).toEqual(shares.toSorted((a, b) => b - a))
})
