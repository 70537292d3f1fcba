import { expect, test } from 'vitest'
import { readDocument } from '../media/read-document.ts'
import { madePdf } from '../media/testing/made.ts'
import { type Cell, layoutDocument } from './layout.ts'
import { runningTextOf, topicOf } from './running-text.ts'

/** The cells of a page of lines at these places. */
async function cellsOf(lines: readonly (readonly [x: number, y: number, text: string])[]): Promise<Cell[]> {
  const bytes = await madePdf((pdf) => {
    for (const [x, y, text] of lines) pdf.text(text, x, y, { lineBreak: false })
  })
  return layoutDocument(await readDocument({ bytes }), 0).flatMap((page) =>
    page.lines.flatMap(({ cells }) => [...cells]),
  )
}

const clause = [
  [60, 60, '12. Governing Law. This Agreement shall be governed by the laws of the State'],
  [60, 76, 'of Oregon, without regard to its rules on conflicts of law, and the courts of'],
  [60, 92, 'Salem decide.'],
] as const

test('lines of a paragraph go on in the next one, and the next paragraph does not', async () => {
  const cells = await cellsOf([
    ...clause,
    [60, 108, '13. Notices are sent to the addresses above by courier, and to nobody else.'],
  ])
  const [first, second, last, next] = cells.map(runningTextOf)
  expect(first).toMatchObject({ before: '', below: { text: clause[1][2] } })
  expect(second?.before).toBe(clause[0][2])
  expect(last?.before).toBe(`${clause[0][2]} ${clause[1][2]}`)
  expect(last?.below).toBeUndefined()
  expect(next?.before).toBe('')
})

test('cells of a form and lines far apart do not go on', async () => {
  const form = await cellsOf([
    [60, 60, 'Name:'],
    [200, 60, 'Ada Okafor'],
    [60, 76, 'Town:'],
    [60, 120, 'The committee met in the old hall on the third of May this year'],
    [60, 160, 'and closed at noon after all items of the agenda had been dealt with.'],
  ])
  for (const cell of form) expect(runningTextOf(cell), cell.text).toMatchObject({ above: [], below: undefined })
})

test('a line that ends before the width of its column ends its paragraph', async () => {
  const cells = await cellsOf([
    [60, 60, 'The tenant pays the rent in advance and keeps the garden in order at his own cost, whatever'],
    [60, 76, 'the weather may be in any year.'],
    [60, 92, 'Pets are allowed with the consent of the landlord, who gives it for all animals that bother nobody'],
  ])
  const [first, last, next] = cells.map(runningTextOf)
  expect(first?.below).toMatchObject({ text: 'the weather may be in any year.' })
  expect(last?.below).toBeUndefined()
  expect(next?.before).toBe('')
})

test('the heading of a clause is found where it runs in and where it stands alone', async () => {
  const cells = await cellsOf([
    ...clause,
    [60, 124, '§ 5 Kündigung'],
    [60, 140, 'Das Mietverhältnis kann von jeder Partei mit einer Frist von drei Monaten zum'],
    [60, 156, 'Ende eines Monats gekündigt werden.'],
  ])
  expect(cells.map(topicOf)).toEqual([
    ...['Governing Law', 'Governing Law', 'Governing Law'],
    ...['Kündigung', 'Kündigung', 'Kündigung'],
  ])
})
