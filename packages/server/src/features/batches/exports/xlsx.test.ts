import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { readWorkbook } from '../../../../../../test/support/workbook.ts'
import { type Cell, cellOf } from './cells.ts'
import { type Sheet, type StyledCell, writeXlsx } from './xlsx.ts'

const sheetOf = (name: string, rows: readonly (readonly (Cell | StyledCell)[])[]): Sheet => ({
  name,
  header: ['first', 'second'],
  rows: async function* () {
    yield* rows
  },
})
const written = async (...sheets: Sheet[]) => readWorkbook(await buffer(writeXlsx(sheets)))
const rowOf = async (...values: Parameters<typeof cellOf>[0][]) =>
  (await written(sheetOf('Results', [values.map(cellOf)])))[0]?.rows[1]

test('numbers, booleans, dates and texts have their types', async () => {
  const row = await rowOf(1234.5, -5, true, false, '2026-02-28', '2026-02-28T12:30:00', 'five', null, ['a'])
  expect(row?.map((cell) => cell && [cell.type, cell.text, cell.format])).toEqual([
    ['n', '1234.5', '0'],
    ['n', '-5', '0'],
    ['b', '1', '"TRUE";"TRUE";"FALSE"'],
    ['b', '0', '"TRUE";"TRUE";"FALSE"'],
    ['n', '46081', 'yyyy-mm-dd'],
    ['n', String(46081 + 12.5 / 24), 'yyyy-mm-dd hh:mm:ss'],
    ['inlineStr', 'five', '0'],
    undefined,
    ['inlineStr', '["a"]', '0'],
  ])
})

test.each(['2026-02-30', '1899-12-31', '2026-02-28T12:30:00+01:00', '2026-13-01', '20260228', '0000-00-00'])(
  '%s is no date of a spreadsheet and stays text',
  async (text) => {
    expect((await rowOf(text))?.[0]).toMatchObject({ type: 'inlineStr', text })
  },
)

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '=HYPERLINK("https://a.example")'])(
  'the text %j is no formula, also after it was edited',
  async (text) => {
    expect((await rowOf(text))?.[0]).toMatchObject({ type: 'inlineStr', text, format: '49', formula: undefined })
  },
)

test('any text comes back: markup, control characters, escapes, characters beyond the basic plane', async () => {
  const texts = ['<a href="x">&amp;</a>', 'bell \u0007, tab \t', '_x0041_', '𝄞 and \ud800 alone', ' spaces ']
  const row = await rowOf(...texts)
  expect(row?.map((cell) => cell?.text)).toEqual(texts.map((text) => text.replace('\ud800', '\ufffd')))
})

test('a text that is longer than a cell can be is cut with an ellipsis', async () => {
  const cell = (await rowOf('x'.repeat(40_000)))?.[0]
  expect([cell?.text.length, cell?.text.at(-1)]).toEqual([32_767, '…'])
})

test('sheets get names that spreadsheets accept, each once', async () => {
  const names = ['Results', 'results', 'History', 'a/b:[c]', 'x'.repeat(40), 'x'.repeat(41)]
  const sheets = await written(...names.map((name) => sheetOf(name, [])))
  expect(sheets.map(({ name }) => name)).toEqual([
    'Results',
    'results 2',
    'History 2',
    'a_b__c_',
    'x'.repeat(31),
    `${'x'.repeat(29)} 2`,
  ])
})

test('doubtful cells are marked, and a link is a formula with an address', async () => {
  const link = { link: 'https://a.example/executions/1?field=%2Ftotal', text: 'Open' }
  const [sheet] = await written(sheetOf('Results', [[{ cell: 5, isDoubtful: true }, link]]))
  expect(sheet?.rows[1]).toMatchObject([
    { text: '5', isMarked: true },
    { text: 'Open', type: 'str', isMarked: false, formula: expect.stringContaining('https://a.example/executions/1') },
  ])
})

test('an address that is longer than a text in a formula can be is a text', async () => {
  const [longest, tooLong] = [236, 237].map((rest) => `https://a.example/?${'x'.repeat(rest)}`)
  const [sheet] = await written(
    sheetOf('Results', [[longest, tooLong].map((link) => ({ link: link ?? '', text: 'Open' }))]),
  )
  expect(sheet?.rows[1]).toMatchObject([
    { text: 'Open', formula: expect.stringContaining(`${longest}"`) },
    { text: tooLong, type: 'inlineStr', formula: undefined },
  ])
})

test('rows are pulled one by one as the file is read, and a failure of theirs fails the file', async () => {
  let pulled = 0
  const endless: Sheet = {
    name: 'Endless',
    header: ['n'],
    rows: async function* () {
      for (;;) {
        pulled += 1
        yield [pulled, Math.random()]
      }
    },
  }
  const stream = writeXlsx([endless])
  await new Promise((readable) => stream.once('readable', readable))
  expect(pulled).toBeLessThan(20_000)
  stream.destroy()
  const failing: Sheet = {
    ...endless,
    rows: async function* () {
      yield [1]
      throw new Error('the database is away')
    },
  }
  await expect(buffer(writeXlsx([failing]))).rejects.toThrow('the database is away')
})
