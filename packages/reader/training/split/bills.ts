import type { JsonObject } from '@skillrun/core/json.ts'
import { madePdf } from '../../src/media/testing/made.ts'
import type { Random } from '../documents/random.ts'

/** The words of bills in one language. */
interface Words {
  readonly invoice: string
  readonly number: string
  readonly date: string
  readonly due: string
  readonly customer: string
  readonly columns: readonly [string, string, string, string]
  readonly net: string
  readonly tax: string
  readonly total: string
  readonly page: string
  readonly carried: string
  readonly hours: readonly [string, string, string, string]
  readonly delivery: readonly [string, string, string]
  readonly terms: readonly [string, string]
}

const english: Words = {
  ...{ invoice: 'Invoice', number: 'Invoice number', date: 'Invoice date', due: 'Due date', customer: 'Bill to' },
  columns: ['Description', 'Quantity', 'Unit price', 'Amount'],
  ...{ net: 'Subtotal', tax: 'VAT 20 %', total: 'Total', page: 'Page', carried: 'Carried forward' },
  hours: ['Annex: record of hours', 'Date', 'Work', 'Hours'],
  delivery: ['Delivery note', 'Delivery note number', 'Delivery date'],
  terms: [
    'General terms and conditions',
    'Goods remain our property until they are paid in full. Claims are made in writing.',
  ],
}
const german: Words = {
  ...{ invoice: 'Rechnung', number: 'Rechnungsnummer', date: 'Rechnungsdatum', due: 'Zahlbar bis', customer: 'Kunde' },
  columns: ['Bezeichnung', 'Menge', 'Einzelpreis', 'Betrag'],
  ...{ net: 'Zwischensumme', tax: 'USt 19 %', total: 'Gesamtbetrag', page: 'Seite', carried: 'Übertrag' },
  hours: ['Anlage: Stundennachweis', 'Datum', 'Tätigkeit', 'Stunden'],
  delivery: ['Lieferschein', 'Lieferschein-Nr.', 'Lieferdatum'],
  terms: [
    'Allgemeine Geschäftsbedingungen',
    'Die Ware bleibt bis zur vollen Bezahlung unser Eigentum. Mängel sind anzuzeigen.',
  ],
}
const french: Words = {
  ...{ invoice: 'Facture', number: 'Facture n°', date: 'Date de facture', due: 'Échéance', customer: 'Client' },
  columns: ['Désignation', 'Quantité', 'Prix unitaire', 'Montant'],
  ...{ net: 'Total HT', tax: 'TVA 20 %', total: 'Total TTC', page: 'Page', carried: 'Report' },
  hours: ['Annexe : relevé des heures', 'Date', 'Travail', 'Heures'],
  delivery: ['Bon de livraison', 'Bon de livraison n°', 'Date de livraison'],
  terms: ['Conditions générales', 'La marchandise reste notre propriété. Les réclamations sont faites par écrit.'],
}

/** Who bills, and how the bills look. Several bills of a stack may have the same. */
export interface Shop {
  readonly words: Words
  readonly name: string
  readonly street: string
  readonly prefix: string
  readonly font: string
  readonly size: number
  /** How the data of the bill are written: a line each, or in two columns. */
  readonly form: 'colon' | 'columns' | 'right'
  readonly numbers: 'none' | 'of' | 'plain'
  readonly repeatsHead: boolean
  readonly footer: boolean
}

const trades = ['Joinery', 'Timber', 'Catering', 'Print', 'Cycles', 'Garden', 'Electric', 'Marine', 'Glass', 'Roofing']
const owners = ['Harbour', 'Linden', 'Corvus', 'Falk', 'Tamarisk', 'Orion', 'Belmont', 'Kessler', 'Aurora', 'Vesper']
const goods = [
  'Oak board',
  'Copper pipe',
  'Paint, white',
  'Work on site',
  'Delivery',
  'Cable',
  'Hinge',
  'Lamp',
  'Bolt set',
]

export const makeShop = (random: Random): Shop => ({
  words: random.pick([english, german, french]),
  name: `${random.pick(owners)} ${random.pick(trades)} ${random.pick(['Ltd', 'GmbH', 'SARL', 'Inc.'])}`,
  street: `${random.pick(['Mill Lane', 'Lindenallee', 'Rue du Port'])} ${random.int(1, 99)}, ${random.digits(5)} ${random.pick(['Ashford', 'Neustadt', 'Villiers'])}`,
  prefix: random.pick(['INV-', 'R', 'F-2026-', '', '2026/']),
  font: random.pick(['Helvetica', 'Times-Roman', 'Courier']),
  size: random.pick([9, 10, 11]),
  form: random.pick(['colon', 'columns', 'right']),
  numbers: random.pick(['none', 'of', 'plain']),
  repeatsHead: random.chance(0.4),
  footer: random.chance(0.5),
})

/** What comes after the items and the sums of a bill. */
export type Annex = 'none' | 'hours' | 'delivery note' | 'terms'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const date = { type: ['string', 'null'], format: 'date' }
const items = {
  type: 'array',
  items: { type: 'object', properties: { description: text, quantity: number, unit_price: number, amount: number } },
}

/** Several ways to ask for a bill. */
export const billSchemas: readonly JsonObject[] = [
  { invoice_number: text, invoice_date: date, total: number },
  { invoice_number: text, total: number },
  { total: number },
  {
    invoice_number: text,
    invoice_date: date,
    due_date: date,
    vendor_name: text,
    subtotal: number,
    total: number,
    items,
  },
  { vendor: { type: 'object', properties: { name: text, address: text } }, invoice_number: text, total: number, items },
].map((properties) => ({ type: 'object', properties }))

const [left, right, bottom] = [56, 540, 770]

/** A bill as PDF; `pages` of items at least. */
export function drawBill(
  shop: Shop,
  random: Random,
  { pages, annex, amount }: { readonly pages: number; readonly annex: Annex; readonly amount?: number | undefined },
): Promise<Buffer> {
  const { words, size } = shop
  const bill = `${shop.prefix}${random.digits(random.int(4, 6))}`
  const day = (from: number, to: number): string =>
    `${random.int(10, 28)}.${String(random.int(from, to)).padStart(2, '0')}.2026`
  return madePdf(
    (doc) => {
      let y = 0
      const at = (x: number, value: string): void => {
        doc.text(value, x, y, { lineBreak: false })
      }
      const line = (...cells: readonly (readonly [number, string])[]): void => {
        for (const [x, value] of cells) at(x, value)
        y += size * 1.7
      }
      const head = (): void => {
        doc.fontSize(size * 1.5)
        line([left, shop.name])
        doc.fontSize(size * 0.85)
        line([left, shop.street])
        doc.fontSize(size)
        y += 10
      }
      const newPage = (withHead: boolean): void => {
        doc.addPage().font(shop.font).fontSize(size)
        y = 50
        if (withHead) head()
      }
      const titled = (title: string): void => {
        doc.fontSize(size * 1.6)
        line([left, title])
        doc.fontSize(size)
        y += 8
      }
      const fact = (name: string, value: string): void => {
        if (shop.form === 'colon') line([left, `${name}: ${value}`])
        else if (shop.form === 'columns') line([left, name], [left + 130, value])
        else line([340, name], [450, value])
      }
      const columns = [left, 300, 380, 470] as const
      const row = (cells: readonly string[]): void =>
        line(...cells.map((cell, n) => [columns[n] ?? left, cell] as const))
      newPage(true)
      titled(words.invoice)
      fact(words.number, bill)
      fact(words.date, day(1, 6))
      fact(words.due, day(7, 12))
      line([left, `${words.customer}: ${random.pick(owners)} ${random.pick(trades)}`])
      y += 14
      row(words.columns)
      let sum = 0
      const add = (price: number): void => {
        const quantity = random.int(1, 9)
        sum += quantity * price
        row([random.pick(goods), String(quantity), price.toFixed(2), (quantity * price).toFixed(2)])
      }
      if (amount === undefined) for (let n = random.int(2, 6); n > 0; n -= 1) add(random.int(300, 9000) / 100)
      else {
        sum = amount
        row([goods[3] ?? '', '1', amount.toFixed(2), amount.toFixed(2)])
      }
      for (let page = 1; page < pages; page += 1) {
        while (y < bottom - 30) add(random.int(300, 9000) / 100)
        if (random.chance(0.5)) line([columns[2], words.carried], [columns[3], sum.toFixed(2)])
        newPage(shop.repeatsHead)
        if (random.chance(0.7)) row(words.columns)
        for (let n = random.int(3, 8); n > 0; n -= 1) add(random.int(300, 9000) / 100)
      }
      y += 10
      line([columns[2], words.net], [columns[3], sum.toFixed(2)])
      line([columns[2], words.tax], [columns[3], (sum * 0.2).toFixed(2)])
      line([columns[2], words.total], [columns[3], `${(sum * 1.2).toFixed(2)} EUR`])
      if (annex !== 'none') newPage(shop.repeatsHead || annex === 'delivery note')
      if (annex === 'hours') {
        titled(words.hours[0])
        if (random.chance(0.6)) fact(words.number, bill)
        line(...words.hours.slice(1).map((name, n) => [left + n * 150, name] as const))
        let hours = 0
        for (let n = random.int(4, 12); n > 0; n -= 1) {
          const spent = random.int(2, 18) / 2
          hours += spent
          line([left, day(1, 6)], [left + 150, random.pick(goods)], [left + 300, spent.toFixed(2)])
        }
        line([left, words.total], [left + 300, hours.toFixed(2)])
      } else if (annex === 'delivery note') {
        titled(words.delivery[0])
        fact(words.delivery[1], `L${random.digits(5)}`)
        fact(words.delivery[2], day(1, 6))
        if (random.chance(0.5)) fact(words.number, bill)
        y += 14
        line([left, words.columns[0]], [300, words.columns[1]])
        for (let n = random.int(2, 8); n > 0; n -= 1) line([left, random.pick(goods)], [300, String(random.int(1, 9))])
      } else if (annex === 'terms') {
        titled(words.terms[0])
        for (let n = 1; n < 14; n += 1) line([left, `${n}. ${words.terms[1]}`])
      }
      const { start, count } = doc.bufferedPageRange()
      for (let n = 0; n < count; n += 1) {
        doc.switchToPage(start + n)
        doc.font(shop.font).fontSize(8)
        y = 800
        if (shop.footer) at(left, `${shop.name} · ${shop.street}`)
        const count_ = shop.numbers === 'of' ? ` / ${count}` : ''
        if (shop.numbers !== 'none') at(right - 60, `${words.page} ${n + 1}${count_}`)
      }
    },
    { autoFirstPage: false, bufferPages: true, margin: 0 },
  )
}
