import { expect, test } from 'vitest'
import type { ListedExecution } from '../wire.ts'
import { executionsAsCsv, valuesAsCsv } from './csv.ts'

test('each value is a line with its evidence; quotes, commas and formulas are safe', () => {
  const text = valuesAsCsv({
    response: { name: 'Ann "A", Ltd', rows: [{ sum: -5.5, note: '=HYPERLINK("x")' }], wide: '\uff1d1+1', due: null },
    evidence: { '/rows/0/sum': { status: 'verified', confidence: 0.9, input: 'document', page: 0, quote: '-5.50' } },
    reviewed_response: null,
    review: null,
  })
  expect(text.split('\r\n')).toEqual([
    'path,value,evidence,confidence,input,page,quote',
    '/name,"Ann ""A"", Ltd",,,,,',
    "/rows/0/sum,-5.5,verified,0.9,document,1,'-5.50",
    `/rows/0/note,"'=HYPERLINK(""x"")",,,,,`,
    "/wide,'\uff1d1+1,,,,,",
    '/due,,,,,,',
    '',
  ])
})

const found = { status: 'verified', confidence: 0.9, input: 'document', page: 0, quote: '12.50' } as const
const corrected = {
  response: { total: 12.5, number: '17' },
  evidence: { '/total': found, '/number': { ...found, quote: '17' } },
  reviewed_response: { total: 99, number: '17' },
  review: {
    status: 'done',
    version: 1,
    by: null,
    at: null,
    changes: [
      { path: '/total', from: 12.5, to: 99, kind: 'corrected' },
      { path: '/number', from: '17', to: '17', kind: 'confirmed' },
    ],
  },
} as const

test('a row that stays keeps its evidence when others are removed and added', () => {
  const text = valuesAsCsv({
    response: { sums: [1, 2] },
    evidence: { '/sums/0': { ...found, quote: '1' }, '/sums/1': { ...found, quote: '2' } },
    reviewed_response: { sums: [2, 3] },
    review: {
      ...corrected.review,
      changes: [{ path: '/sums', from: [1, 2], to: [2, 3], kind: 'corrected', rows: [1, null] }],
    },
  })
  expect(text.split('\r\n').slice(1, 3)).toEqual(['/sums/0,2,verified,0.9,document,1,2', '/sums/1,3,corrected,,,,'])
})

test('a value that a person corrected is exported as corrected, without the evidence of the earlier one', () => {
  expect(valuesAsCsv(corrected).split('\r\n').slice(1, 3)).toEqual([
    '/total,99,corrected,,,,',
    '/number,17,verified,0.9,document,1,17',
  ])
})

test('the table of executions has the corrected values', () => {
  const listed = {
    id: '1',
    file_names: [],
    name: 'agent:1',
    status: 'completed',
    created_at: '2026-11-23',
    ...corrected,
  }
  expect(executionsAsCsv([listed as unknown as ListedExecution])).toContain('completed,2026-11-23,99,17\r\n')
})
