import { execFile } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { beforeAll, expect, test } from 'vitest'
import { invoiceLines, madeInvoice, madePdf, picturedPdf } from '../packages/reader/src/media/testing/made.ts'
import { madeExcel } from '../packages/reader/src/media/testing/made-office.ts'
import { kinds, makeDocument } from '../packages/reader/training/documents/document.ts'
import { randomOf, statementOf } from '../packages/reader/training/tables/made-statement.ts'
import { type Asked, hashOf, sent } from './support/answer-hashes.ts'
import { photographOf } from './support/photograph.ts'

const wanted = {
  type: 'object',
  properties: {
    invoice_number: { type: 'string' },
    due_date: { type: 'string', format: 'date' },
    total: { type: 'number' },
    customer: { type: 'string', description: 'Name of the customer' },
  },
}

const rowsWanted = {
  type: 'object',
  properties: {
    account_number: { type: 'string' },
    transactions: {
      type: 'array',
      items: {
        type: 'object',
        properties: { date: { type: 'string' }, description: { type: 'string' }, amount: { type: 'number' } },
      },
    },
  },
}

const goodsWanted = {
  type: 'object',
  properties: {
    goods: {
      type: 'array',
      items: {
        type: 'object',
        properties: { sheet: { type: 'string' }, item: { type: 'string' }, price: { type: 'number' } },
      },
    },
  },
}

/** A spreadsheet of two sheets with the same columns. */
function goodsFile(seed: number): Promise<Buffer> {
  const random = randomOf(seed)
  const rows = (): (string | number)[][] => [
    ['Item', 'Price'],
    ...numbers(8).map((at) => [`Part ${at}-${seed}`, Math.round(random() * 100_000) / 100]),
  ]
  return madeExcel({ North: rows(), South: rows() })
}

function letter(seed: number): string {
  const random = randomOf(seed)
  const pick = (all: readonly string[]): string => all[Math.floor(random() * all.length)] ?? ''
  const cents = Math.floor(random() * 1_000_000)
  return [
    pick(['ACME Instruments Ltd', 'Nordwind GmbH', 'Dupont et Fils SARL']),
    `${pick(['Invoice number', 'Rechnungsnummer', 'Facture no', 'Our reference'])}: ${pick(['INV-', 'R', ''])}${cents % 9973}`,
    `${pick(['Due date', 'Fällig am', 'Échéance'])}  ${1 + (cents % 28)}.0${1 + (cents % 9)}.2026`,
    `${pick(['Customer', 'Kunde', 'Client'])}: ${pick(['Harbour Bakery', 'Miller & Sons', 'Stadtwerke Nord'])}`,
    `${pick(['Subtotal', 'Net', 'Deposit'])}  ${(cents / 200).toFixed(2)}`,
    `${pick(['Total', 'Gesamtbetrag', 'Amount due'])}  EUR ${(cents / 100).toFixed(2)}`,
  ].join('\n')
}

/** Readings take this long at most where many other programs run. */
const patienceMs = 900_000

const asked: Asked[] = []
let first: readonly string[]
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

beforeAll(async () => {
  for (const n of numbers(138))
    asked.push({ source: { text: letter(n) }, schema: wanted, ...(n % 2 === 0 && { maxWrongRate: 0.1 }) })
  for (const n of numbers(40)) asked.push({ source: { text: statementOf(n, 6).text }, schema: rowsWanted })
  for (const n of numbers(10)) asked.push({ source: await goodsFile(n), schema: goodsWanted })
  for (const kind of kinds)
    for (const seed of [1, 2]) {
      const { pdf, schema } = await makeDocument({ kind, seed, split: 'train' })
      asked.push({ source: pdf, schema, maxWrongRate: 0.1 })
    }
  // Small and blurred, so that their first reading is unsure and needs further passes.
  const slip = await madePdf((pdf) => pdf.font('Courier').fontSize(11).text(invoiceLines.join('\n'), 30, 30), {
    size: [320, 240],
  })
  for (const dotsPerInch of [90, 80])
    asked.push({ source: await (await picturedPdf(slip, dotsPerInch)).blur(0.9).png().toBuffer(), schema: wanted })
  const invoice = await madeInvoice()
  for (const seed of [1, 2])
    asked.push({ source: await photographOf(invoice, randomOf(seed)), schema: wanted, isPhotograph: true })
  first = await oneByOne()
}, patienceMs)

const oneByOne = async (): Promise<string[]> => {
  const hashes: string[] = []
  for (const one of asked) hashes.push(await hashOf(one))
  return hashes
}

/** Computes for 5 ms and rests for 20 ms, without end: interruptions count, not how long each takes. */
const busyThread = `
const never = new Int32Array(new SharedArrayBuffer(4))
for (;;) {
  for (const end = performance.now() + 5; performance.now() < end; ) Math.sqrt(2)
  Atomics.wait(never, 0, 0, 20)
}`

/** All at once, beside threads that compete for the processors now and then: what is interrupted, and by what, differs each time. */
async function allAtOnceBesideBusyThreads(): Promise<string[]> {
  const threads = numbers(3).map(() => new Worker(busyThread, { eval: true }))
  try {
    return await Promise.all(asked.map(hashOf))
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
}

test('200 documents were read, and hardly two answers are alike', () => {
  expect(first).toHaveLength(200)
  expect(new Set(first).size).toBeGreaterThan(190)
})

test(
  'the same documents give the same answers all at once and beside busy threads as one by one',
  async () => {
    expect(await allAtOnceBesideBusyThreads()).toEqual(first)
  },
  patienceMs,
)

test(
  'files give the same answers in a fresh process on a processor with fewer instructions, in the opposite order',
  async () => {
    const files = [...asked.entries()].filter(([, { source }]) => source instanceof Uint8Array).toReversed()
    // What other processors lack: AVX and later for WebAssembly and, as a mask, for libvips.
    const flags = ['--no-enable-avx', '--no-enable-fma3', '--no-enable-sse4-2', '--no-enable-bmi2']
    expect(files).toHaveLength(22)
    expect(await inOtherProcess(files, flags, { VIPS_VECTOR: '0xbf8' })).toEqual(files.map(([at]) => first[at]))
  },
  patienceMs,
)

test(
  'photographs show it if pictures are scaled otherwise: without any vector instructions libvips rounds differently',
  async () => {
    const photographs = [...asked.entries()].filter(([, { isPhotograph }]) => isPhotograph)
    const hashes = await inOtherProcess(photographs, [], { VIPS_NOVECTOR: '1' })
    expect(hashes).toHaveLength(2)
    for (const [at, [place]] of photographs.entries()) expect(hashes[at]).not.toBe(first[place])
  },
  patienceMs,
)

async function inOtherProcess(
  documents: readonly (readonly [number, Asked])[],
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const child = execFile(process.execPath, [...flags, 'test/support/answer-hashes.ts'], {
    env: { ...process.env, ...env },
  })
  const output = textOf(child.stdout as Readable)
  child.stdin?.end(JSON.stringify(documents.map(([, one]) => sent(one))))
  return JSON.parse(await output) as string[]
}
