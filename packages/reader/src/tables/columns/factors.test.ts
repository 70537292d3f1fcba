import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { productOf } from '../../candidates/inferred.ts'
import type { Heading } from '../headers.ts'
import { pagesOfCells, readItems, rowsAt } from '../testing/placed-cells.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const properties = { item: text, quantity: number, unit_price: number, amount: number }

const headings = [
  ['Item', 'Quantity', 'Unit price', 'Amount'],
  ['Description', 'Hours', 'Rate', 'Total'],
  ['Leistung', 'Stunden', 'Einzelpreis', 'Betrag'],
  ['Désignation', 'Quantité', 'Prix unitaire', 'Montant'],
  ['Descripción', 'Cantidad', 'Precio', 'Importe'],
  ['Descrizione', 'Quantità', 'Prezzo unitario', 'Importo'],
  ['Omschrijving', 'Aantal', 'Prijs', 'Bedrag'],
  ['Descrição', 'Quantidade', 'Preço', 'Valor'],
] as const

/** Numbers of 2 to 90 with up to so many decimals. */
const withDecimals = (decimals: number) =>
  fc.integer({ min: 2 * 10 ** decimals, max: 90 * 10 ** decimals }).map((whole) => whole / 10 ** decimals)

const tables = fc
  .record({ quantity: fc.constantFrom(0, 1, 2), price: fc.constantFrom(0, 2) })
  .chain(({ quantity, price }) =>
    fc.record({
      names: fc.constantFrom(...headings),
      isTurned: fc.boolean(),
      decimals: fc.constant(quantity),
      isPdf: fc.boolean(),
      factors: fc.array(fc.tuple(withDecimals(quantity), withDecimals(price)), { minLength: 2, maxLength: 4 }),
    }),
  )

const items = ['Gravel', 'Sand', 'Audit report', 'Topsoil']

describe('quantity and unit price', () => {
  test('are what the headings say, whichever of them has decimals', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async ({ names, factors, decimals, isTurned, isPdf }) => {
        const amounts = factors.map(([quantity, price]) => (quantity * price).toFixed(2))
        const cells = [
          [...names],
          ...factors.map(([quantity, price], at) => [
            items[at] ?? '',
            quantity.toFixed(decimals),
            price.toFixed(2),
            amounts[at] ?? '',
          ]),
        ].map(([item = '', one = '', other = '', amount = '']) =>
          isTurned ? [item, other, one, amount] : [item, one, other, amount],
        )
        const lines = cells.map((row) => row.map((cell) => cell.padEnd(20)).join(''))
        const source = isPdf ? await pagesOfCells([rowsAt(cells, 80, [50, 200, 300, 420])]) : { text: lines.join('\n') }
        const read = await readItems(source, properties)
        expect(read.items).toEqual(
          factors.map(([quantity, price], at) => ({
            item: items[at],
            quantity,
            unit_price: price,
            amount: Number(amounts[at]),
          })),
        )
      }),
      { numRuns: 60, seed: 7 },
    )
  })

  test('are told apart by headings that are little like either, and by whole numbers where no heading is like any', () => {
    const values = [
      [12.4, 7.85],
      [38, 29],
      [471.2, 227.65],
    ]
    const heading = (target: string, weight: number): Heading => ({
      text: '',
      words: [],
      x0: 0,
      x1: 0,
      targets: [{ target, weight }],
      isWrapped: false,
    })
    const unknown = heading('c:description', 0.2)
    expect(productOf(values, [heading('c:quantity', 0.6), unknown, unknown])).toEqual([0, 1, 2])
    expect(productOf(values, [unknown, heading('c:unit_price', 0.6), unknown])).toEqual([0, 1, 2])
    expect(productOf(values, [unknown, unknown, unknown])).toEqual([1, 0, 2])
  })
})
