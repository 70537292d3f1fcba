import { describe, expect, test } from 'vitest'
import { pagesOfCells, readItems, rowsAt } from '../testing/placed-cells.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }

const candidates = [
  ['259774', 'Lindqvist', '16.39', 'Passed', 'Uppsala'],
  ['259593', 'Dahl', '11.54', 'Passed', 'Malmö'],
  ['251465', 'Gauthier', '11.32', 'Passed', 'Lund'],
  ['250593', 'Perrin', '06.82', 'Failed', 'Kiruna'],
  ['255814', 'Marchand', '12.29', 'Passed', 'Visby'],
  ['250403', 'Moreau', '11.24', 'Passed', 'Kalmar'],
  ['257858', 'Zetterberg', '06.95', 'Failed', 'Lund'],
]
const head = ['Number', 'Name', 'Mean', 'Result', 'Town']
const asked = { number: text, name: text, mean: number, result: text, town: text }

describe('columns that stand a space apart', () => {
  test('are two where both are asked for', async () => {
    const pdf = await pagesOfCells([rowsAt([head, ...candidates], 80, [50, 110, 240, 265, 380])])
    const { items } = await readItems(pdf, asked)
    expect(items).toEqual(
      candidates.map(([id, name, mean, result, town]) => ({ number: id, name, mean: Number(mean), result, town })),
    )
  })

  test('are one where words stand below each other by chance, and one field has both', async () => {
    const rows = candidates.map(([id, , mean, , town]) => [
      id as string,
      `Bolt M${id?.at(-1)} zinc`,
      mean as string,
      town as string,
    ])
    const pdf = await pagesOfCells([
      rowsAt([['Number', 'Part name', 'Price', 'Store'], ...rows], 80, [50, 110, 240, 380]),
    ])
    const { items } = await readItems(pdf, { number: text, part_name: text, price: number, store: text })
    expect((items as { part_name: string }[]).map((one) => one.part_name)).toEqual(rows.map(([, name]) => name))
  })
})
