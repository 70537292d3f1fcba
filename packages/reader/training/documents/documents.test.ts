import { PDFiumLibrary } from '@hyzyla/pdfium'
import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Kind, kinds, layoutNames, type MadeDocument, makeDocument } from './document.ts'
import { render } from './render.ts'
import type { Truth } from './schemas.ts'
import { localesOf, type Split, splits } from './words.ts'

const seeds = fc.integer({ min: 0, max: 1_000_000 })
const anySplit = fc.constantFrom(...splits)
const cents = (value: Json | undefined) => (typeof value === 'number' ? Math.round(value * 100) : 0)
const rowsOf = (truth: Truth, key: string) => (Array.isArray(truth[key]) ? truth[key].filter(isJsonObject) : [])

let library: PDFiumLibrary
beforeAll(async () => {
  library = await PDFiumLibrary.init()
})
afterAll(() => library.destroy())

async function textOf(pdf: Buffer): Promise<string> {
  const document = await library.loadDocument(pdf)
  const text = [...document.pages()].map((page) => page.getText()).join('\n')
  document.destroy()
  return text
}

const read = new Map<string, Promise<{ made: MadeDocument; text: string }[]>>()

/** A document of each layout with its printed text, cached. */
function readEach(kind: Kind, split: Split) {
  const known = read.get(kind + split)
  if (known) return known
  const all = Promise.all(
    layoutNames(kind, split).map(async (layout, n) => {
      const made = await makeDocument({ kind, split, layout, seed: 100 + n })
      return { made, text: await textOf(made.pdf) }
    }),
  )
  read.set(kind + split, all)
  return all
}

/** Letters and digits only, in lower case: line breaks, spaces and punctuation differ between prints. */
const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function leavesOf(value: Json, path = ''): [string, string | number][] {
  if (Array.isArray(value)) return value.flatMap((item, n) => leavesOf(item, `${path}/${n}`))
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, item]) => leavesOf(item, `${path}/${key}`))
  return typeof value === 'string' || typeof value === 'number' ? [[path, value]] : []
}

/** Dates, times, currencies and payment methods are printed in another form than in the truth. */
const reformed = /date|time$|currency|payment_method|period_/

function missingFrom(text: string, made: MadeDocument): string[] {
  const held = bare(text)
  return leavesOf(made.truth)
    .filter(([path]) => !reformed.test(path) && !/description$/.test(path))
    .filter(([path, value]) => {
      const isMoney = typeof value === 'number' && !/quantity|tax_rate/.test(path)
      const printed = isMoney ? Math.abs(value).toFixed(2) : String(value)
      return !held.includes(bare(printed))
    })
    .map(([path, value]) => `${made.name} ${made.layout} ${path}: ${value}`)
}

/** True when a code or symbol is in the text, not as part of a word. */
const standsIn = (text: string, mark: string) =>
  new RegExp(`(^|[^\\p{L}])${mark.replace(/[$.]/g, '\\$&')}($|[^\\p{L}])`, 'u').test(text)

describe('generated documents', () => {
  it('are identical to the byte for the same seed', async () => {
    for (const kind of kinds)
      for (const split of splits) {
        const first = await makeDocument({ kind, seed: 7, split })
        const again = await makeDocument({ kind, seed: 7, split })
        expect(again).toEqual(first)
        const other = await makeDocument({ kind, seed: 8, split })
        expect(other.truth).not.toEqual(first.truth)
      }
  })

  it('of the kept-out part have layouts, places and wordings that the train part does not have', () => {
    for (const kind of kinds) {
      const own = layoutNames(kind, 'kept-out')
      expect(own.length).toBeGreaterThanOrEqual(4)
      expect(own.filter((layout) => layoutNames(kind, 'train').includes(layout))).toEqual([])
    }
    const places = localesOf('train').map(({ id }) => id)
    expect(localesOf('kept-out').filter(({ id }) => !places.includes(id)).length).toBeGreaterThanOrEqual(5)
    const lower = (wordings: readonly string[] = []) => wordings.map((wording) => wording.toLowerCase())
    const known = (language: string, key: string) =>
      localesOf('train').flatMap(({ id, labels }) => (id.startsWith(language) ? lower(labels[key]) : []))
    for (const { id, ownLabels } of localesOf('kept-out')) {
      expect(Object.keys(ownLabels).length).toBeGreaterThan(40)
      const shared = Object.entries(ownLabels).flatMap(([key, own]) =>
        lower(own).filter((wording) => known(id.slice(0, 2), key).includes(wording)),
      )
      expect(shared).toEqual([])
    }
  })

  it('have wordings for the same labels in all languages', () => {
    const [first, ...others] = localesOf('train').map(({ labels }) => Object.keys(labels).toSorted())
    expect(first?.length).toBeGreaterThan(80)
    for (const keys of others) expect(keys).toEqual(first)
  })

  it.each(kinds)(
    'of the kind %s name their currency where they have one, and show none where they have not',
    async (kind) => {
      const wrong: string[] = []
      for (const split of splits)
        for (const { made, text } of await readEach(kind, split)) {
          const locale = localesOf(split).find(({ id }) => made.language.startsWith(id))
          if (locale === undefined) throw new Error(`${made.language} is no locale of ${split}`)
          const { code, symbol } = locale.currency
          const isNamed = [code, symbol].some((mark) => standsIn(text, mark))
          if (isNamed !== (made.truth['currency'] !== null))
            wrong.push(`${made.name} ${made.layout} ${made.language} ${made.truth['currency']}`)
        }
      expect(wrong).toEqual([])
    },
  )

  it.each(kinds)('of kind %s print every value of their truth', async (kind) => {
    const missing: string[] = []
    for (const split of splits)
      for (const { made, text } of await readEach(kind, split)) missing.push(...missingFrom(text, made))
    expect(missing).toEqual([])
  })

  it('are checked by a checker that notices a missing value', async () => {
    const made = await makeDocument({ kind: 'invoice', seed: 3, split: 'train' })
    const forged = { ...made, truth: { ...made.truth, invoice_number: 'never-printed-9' } }
    expect(missingFrom(await textOf(made.pdf), forged)).toHaveLength(1)
  })

  it('have invoices and orders whose lines add up to the subtotal, the tax and the total', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('invoice' as const, 'order' as const),
        seeds,
        anySplit,
        async (kind, seed, split) => {
          const { truth, layout } = await makeDocument({ kind, seed, split })
          const items = rowsOf(truth, 'line_items')
          // Discounted lines cost up to a fifth less than quantity × price.
          const least = /discount/.test(layout) ? 0.8 : 1
          const sum = items.reduce((total, item) => total + cents(item['amount']), 0)
          if (truth['subtotal'] !== null) expect(cents(truth['subtotal'])).toBe(sum)
          const taxable = sum - cents(truth['discount']) + cents(truth['shipping'])
          expect(cents(truth['total'])).toBe(taxable + cents(truth['tax']))
          if (typeof truth['tax_rate'] === 'number')
            expect(Math.abs(cents(truth['tax']) - (taxable * truth['tax_rate']) / 100)).toBeLessThanOrEqual(0.5001)
          for (const { quantity, unit_price, amount } of items)
            if (typeof quantity === 'number') {
              const full = quantity * cents(unit_price)
              expect(cents(amount)).toBeLessThanOrEqual(full + 0.5001)
              expect(cents(amount)).toBeGreaterThanOrEqual(full * least - 0.5001)
            }
        },
      ),
      { numRuns: 12 },
    )
  })

  it('have receipts with change = cash − total, and rounding that explains the total', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, anySplit, async (seed, split) => {
        const { truth } = await makeDocument({ kind: 'receipt', seed, split })
        const sum = rowsOf(truth, 'items').reduce((total, item) => total + cents(item['amount']), 0)
        const taxed = sum + cents(truth['rounding'])
        expect([taxed, taxed + cents(truth['tax'])]).toContain(cents(truth['total']))
        if (truth['change'] !== null)
          expect(cents(truth['change'])).toBe(cents(truth['cash_given']) - cents(truth['total']))
      }),
      { numRuns: 12 },
    )
  })

  it('have statements whose movements lead from the opening to the closing balance', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, anySplit, async (seed, split) => {
        const { truth } = await makeDocument({ kind: 'statement', seed, split })
        let balance = cents(truth['opening_balance'])
        for (const movement of rowsOf(truth, 'transactions')) {
          balance += cents(movement['amount'])
          if (movement['balance'] !== null) expect(cents(movement['balance'])).toBe(balance)
        }
        expect(cents(truth['closing_balance'])).toBe(balance)
      }),
      { numRuns: 12 },
    )
  })
})

describe('renderings', () => {
  it('are one image for one page, a PDF of images for several, and identical for the same seed', async () => {
    const made = await Promise.all(
      [...Array(20).keys()].map((seed) => makeDocument({ kind: 'invoice', split: 'train', seed })),
    )
    const counted = await Promise.all(made.map(async ({ pdf }) => ({ pdf, pages: await pagesOf(pdf) })))
    const single = counted.find(({ pages }) => pages === 1)
    const several = counted.find(({ pages }) => pages === 2)
    if (single === undefined || several === undefined)
      throw new Error('the sample lacks a document of one or two pages')
    const scan = await render(single.pdf, 'scan', 1)
    expect(scan.mediaType).toBe('image/png')
    expect(scan.bytes.equals((await render(single.pdf, 'scan', 1)).bytes)).toBe(true)
    expect((await render(single.pdf, 'noisy', 1)).mediaType).toBe('image/jpeg')
    const bound = await render(several.pdf, 'scan', 1)
    expect(bound.mediaType).toBe('application/pdf')
    expect(await pagesOf(bound.bytes)).toBe(2)
    expect((await textOf(bound.bytes)).trim()).toBe('')
  })
})

async function pagesOf(pdf: Buffer): Promise<number> {
  const document = await library.loadDocument(pdf)
  const count = document.getPageCount()
  document.destroy()
  return count
}
