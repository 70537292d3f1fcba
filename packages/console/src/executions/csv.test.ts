import { expect, test } from 'vitest'
import { valuesAsCsv } from './csv.ts'

test('each value is a line with its evidence; quotes, commas and formulas are safe', () => {
  const text = valuesAsCsv(
    { name: 'Ann "A", Ltd', rows: [{ sum: -5.5, note: '=HYPERLINK("x")' }], due: null },
    { '/rows/0/sum': { status: 'verified', confidence: 0.9, input: 'document', page: 0, quote: '-5.50' } },
  )
  expect(text.split('\r\n')).toEqual([
    'path,value,evidence,confidence,input,page,quote',
    '/name,"Ann ""A"", Ltd",,,,,',
    "/rows/0/sum,-5.5,verified,0.9,document,1,'-5.50",
    `/rows/0/note,"'=HYPERLINK(""x"")",,,,,`,
    '/due,,,,,,',
    '',
  ])
})
