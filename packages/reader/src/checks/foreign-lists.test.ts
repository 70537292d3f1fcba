import { expect, test } from 'vitest'
import { extracted } from '../extract/testing/extracted.ts'

/** The lowest confidence of the values of a list in a document of a heading and a table. */
function confidenceOf(list: string, heading: string): number {
  const text = [
    heading,
    '',
    'Description          Quantity     Price      Amount',
    'Oars of ash          2            40.00      80.00',
    'Rope, ten metres     1            12.50      12.50',
    'Anchor               1            30.00      30.00',
  ].join('\n')
  const items = { type: 'object', properties: { name: { type: 'string' }, amount: { type: 'number' } } }
  const schema = { type: 'object', properties: { [list]: { type: 'array', items } } }
  const { answer, evidence } = extracted(text, schema)
  expect(answer).toMatchObject({ [list]: [{}, {}, {}] })
  return Math.min(...Object.values(evidence).map(({ confidence }) => confidence))
}

test.each(['deductions', 'medications', 'passengers', 'children'])('lines of an invoice are doubtful "%s"', (list) => {
  expect(confidenceOf(list, 'Invoice 4711')).toBeLessThan(0.5)
})

test.each([
  ['items', 'Invoice 4711'],
  ['invoice_lines', 'Invoice 4711'],
  ['positionen', 'Rechnung 4711'],
  ['deductions', 'Deductions'],
  ['deductions', 'Deductions of May 2027'],
])('rows are sure where the list has a general name or the page has its name: "%s" under "%s"', (list, heading) => {
  expect(confidenceOf(list, heading)).toBeGreaterThanOrEqual(0.5)
})
