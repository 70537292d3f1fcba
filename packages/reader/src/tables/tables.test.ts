import { expect, test } from 'vitest'
import { madePdf } from '../media/testing/made.ts'
import { read } from '../reader.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }

test('a list in two tables beside each other is read completely, from page to page', async () => {
  const rows = Array.from({ length: 50 }, (_, at) => ({
    date: `2026-01-${String(1 + Math.floor(at / 2)).padStart(2, '0')}`,
    reference: `A${10_000 + at}`,
    amount: 1 + at / 4,
  }))
  const pdf = await madePdf((document) => {
    document.font('Helvetica').fontSize(9)
    const put = (cells: readonly string[], x: number, y: number): void => {
      for (const [at, cell] of cells.entries()) document.text(cell, x + at * 80, y, { lineBreak: false })
    }
    for (const [at, { date, reference, amount }] of rows.entries()) {
      const [page, half, row] = [Math.floor(at / 20), Math.floor(at / 10) % 2, at % 10]
      if (at > 0 && half === 0 && row === 0) document.addPage()
      if (row === 0) put(['Date', 'Reference', 'Amount'], 45 + half * 265, 60)
      put([date, reference, amount.toFixed(2)], 45 + half * 265, 80 + row * 15)
      if (row === 0 && half === 0) put([`Page ${page + 1}`], 500, 30)
    }
  })
  const schema = {
    type: 'object',
    properties: {
      payments: {
        type: 'array',
        items: { type: 'object', properties: { date: text, reference: text, amount: number } },
      },
    },
  }
  const { response } = await read(pdf, { schema })
  expect(response).toEqual({ payments: rows })
})
