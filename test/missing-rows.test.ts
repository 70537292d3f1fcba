import { expect, test } from 'vitest'
import type { Json } from '../packages/core/src/json.ts'
import { statementOf } from '../packages/reader/training/tables/made-statement.ts'
import { makePdf } from './support/documents.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'

let said: Json

const model = await opened(
  startMockModel({
    script: () => ({ text: JSON.stringify(said), usage: { inputTokens: 100, outputTokens: 10 } }),
  }),
)
const service = await opened(
  openTestService({
    file: fileOfSmallModel(model.baseUrl, { context_tokens: 1_000_000, output_tokens_max: 100_000 }),
  }),
)

const item = {
  type: 'object',
  properties: { date: { type: 'string' }, description: { type: 'string' }, amount: { type: 'number' } },
}
const json_schema = { type: 'object', properties: { transactions: { type: 'array', items: item } } }
const { text, items } = statementOf(7, 300)
const rows = items.map(({ date = null, description = null, amount = null }) => ({ date, description, amount }))

async function answered(answer: Json, input: Json) {
  said = answer
  const json = await service.execute({
    inputs: { statement: input },
    config: { prompt: 'List all transactions', json_schema },
  })
  expect(json).toMatchObject({ status: 'completed', response: answer })
  return json
}

const pdf = async (): Promise<Json> => {
  const lines = text.split('\n')
  const pages = Array.from({ length: Math.ceil(lines.length / 50) }, (_, at) => lines.slice(at * 50, at * 50 + 50))
  const file = await service.upload(
    await makePdf(pages, { font: 'Courier', size: [842, 1300] } as PDFKit.PDFDocumentOptions),
    'statement.pdf',
  )
  return { type: 'input_file', file_id: file.id }
}

test.each([
  ['a text', async (): Promise<Json> => text],
  ['a PDF', pdf],
])('a language model that drops one row of %s is found out; a complete answer is not doubted', async (_, input) => {
  const given = await input()
  const short = await answered({ transactions: rows.toSpliced(123, 1) }, given)
  expect(short.warnings).toEqual([
    {
      code: 'list_incomplete',
      path: '/transactions',
      message: expect.stringMatching(
        /^The list has 299 rows, but the input shows 300 of this form\. Not in the answer: "\S.+" on page \d+\.$/,
      ),
    },
  ])
  expect(short.warnings[0].message).toContain(String(rows[123]?.description))
  expect(short.completeness.listed).toEqual([{ path: '/transactions', returned: 299, expected: 300 }])
  const confidenceIn = ({ evidence }: typeof short): number =>
    Math.max(
      ...Object.entries(evidence).flatMap(([pointer, one]) =>
        pointer.startsWith('/transactions/') ? [(one as { confidence: number }).confidence] : [],
      ),
    )
  expect(confidenceIn(short)).toBe(0.6)
  const whole = await answered({ transactions: rows }, given)
  expect(whole.warnings ?? []).toEqual([])
  expect(confidenceIn(whole)).toBe(1)
  expect(whole.completeness.listed).toEqual([{ path: '/transactions', returned: 300, expected: null }])
})
