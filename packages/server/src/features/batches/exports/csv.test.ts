import { expect, test } from 'vitest'
import { cellOf } from './cells.ts'
import { csvLine } from './csv.ts'

test.each([
  ['=1+1', '"\'=1+1"'],
  ['+49 30 123', '"\'+49 30 123"'],
  ['-5 pieces', '"\'-5 pieces"'],
  ['@SUM(A1)', '"\'@SUM(A1)"'],
  ['\t=1', '"\'\t=1"'],
  ['\r=1', '"\'\r=1"'],
  ['＝1+1', '"\'＝1+1"'],
  ['=HYPERLINK("https://a.example","x")', '"\'=HYPERLINK(""https://a.example"",""x"")"'],
])('the text %j stays text in a spreadsheet', (text, written) => {
  expect(csvLine([cellOf(text)])).toBe(`${written}\r\n`)
})

test('numbers, dates, booleans and links are written as they are; commas, quotes and line breaks are quoted', () => {
  const link = { link: 'https://a.example/executions/1', text: 'Open' }
  const cells = [-5.25, true, null, cellOf('2026-02-28'), 'a,b', 'say "hi"', 'two\nlines', ' x', link]
  expect(csvLine(cells)).toBe(
    '-5.25,true,,2026-02-28,"a,b","say ""hi""","two\nlines"," x",https://a.example/executions/1\r\n',
  )
})
