import { describe, expect, test } from 'vitest'
import { pagesOfCells, readItems, rowsAt } from '../testing/placed-cells.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }

const candidates = [
  ['259774', 'Lindqvist', 'Julien', '16,39', 'Admis', 'Très bien'],
  ['259593', 'Dahl', 'Aïcha', '11,54', 'Admis', 'Passable'],
  ['251465', 'Gauthier', 'Théo', '11,32', 'Admis', 'Passable'],
  ['250593', 'Perrin', 'Inès', '06,82', 'Refusé', ''],
  ['255814', 'Marchand', 'Zoé', '12,29', 'Admis', 'Assez bien'],
  ['250403', 'Moreau', 'Camille', '11,24', 'Admis', 'Passable'],
  ['257858', 'Zetterberg', 'Hugo', '06,95', 'Refusé', ''],
]

describe('columns that stand a space apart', () => {
  test('are two where both are asked for', async () => {
    const head = ['N° cand.', 'Nom', 'Prénom', 'Moy.', 'Décision', 'Mention']
    const pdf = await pagesOfCells([rowsAt([head, ...candidates], 80, [50, 130, 250, 350, 375, 465])])
    const { items } = await readItems(pdf, {
      candidate_number: text,
      last_name: text,
      first_name: text,
      average: number,
      decision: text,
      honours: text,
    })
    expect((items as { average: number; decision: string }[]).map((row) => [row.average, row.decision])).toEqual(
      candidates.map(([, , , mean, result]) => [Number(mean?.replace(',', '.')), result]),
    )
  })

  test('are one where words stand below each other by chance, and one field has both', async () => {
    const parts = [
      'Bolt M8 zinc',
      'Bolt M9 plain',
      'Bolt M5 brass',
      'Bolt M3 zinc',
      'Bolt M4 black',
      'Bolt M6 zinc',
      'Bolt M7 steel',
    ]
    const rows = parts.map((part, at) => [
      `25${at}74`,
      part,
      `${at + 3}.2${at}`,
      ['Lund', 'Visby', 'Kalmar'][at % 3] as string,
    ])
    const pdf = await pagesOfCells([rowsAt([['Réf.', 'Pièce', 'Prix', 'Dépôt'], ...rows], 80, [50, 110, 240, 380])])
    const { items } = await readItems(pdf, { code: text, part_name: text, price: number, store: text })
    expect((items as { part_name: string }[]).map((one) => one.part_name)).toEqual(parts)
  })
})
