import { expect, test } from 'vitest'
import { read } from '../reader.ts'

const date = { type: ['string', 'null'], format: 'date' }

async function dateIn(body: string, field: string, maxWrongRate?: number) {
  const mail = [
    'From: Ann <ann@acme.example>',
    'To: bob@beta.example',
    'Subject: Your order',
    'Date: Sat, 14 Mar 2026 10:30:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/plain',
    '',
    body,
  ].join('\r\n')
  const schema = { type: 'object', properties: { [field]: date } }
  const { response, evidence, completeness } = await read(Buffer.from(mail), {
    schema,
    fileName: 'order.eml',
    ...(maxWrongRate && { maxWrongRate }),
  })
  const { note, reason, confidence, candidates } = evidence[`/${field}`] ?? {}
  return { response, note, reason, confidence, candidates, completeness }
}

const body = 'Please pay soon.\r\nInvoice No: INV-77\r\nTotal: EUR 99.00\r\n'

test('the date of an email is doubted as the date of what it is about', async () => {
  const marked = await dateIn(body, 'invoice_date')
  expect(marked).toMatchObject({
    response: { invoice_date: '2026-03-14' },
    note: 'This is the date of the email.',
    completeness: { lowConfidence: 1 },
  })
  expect(marked.confidence).toBeLessThanOrEqual(0.5)
  const withheld = await dateIn(body, 'invoice_date', 0.05)
  expect(withheld).toMatchObject({ response: { invoice_date: null }, candidates: [{ value: '2026-03-14' }] })
})

test('it is not doubted as the date of the email, nor is a date of the text', async () => {
  expect(await dateIn(body, 'date')).toMatchObject({ response: { date: '2026-03-14' }, note: undefined })
  const own = await dateIn(`${body}Invoice date: 2026-03-01\r\n`, 'invoice_date')
  expect(own).toMatchObject({ response: { invoice_date: '2026-03-01' } })
  expect(own.note ?? '').not.toContain('email')
})
