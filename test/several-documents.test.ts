import { expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const other = [
  'Northwind Paper Ltd.',
  'Invoice',
  'Invoice No: INV-2042',
  'Invoice Date: 2026-03-21',
  'Due Date: 2026-04-20',
  'Subtotal: 60.00',
  'VAT 20%: 12.00',
  'Total: EUR 72.00',
]
const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
const config = { json_schema: invoiceSchema }

const executed = async (bytes: Buffer, name: string) => {
  const { id } = await service.upload(bytes, name)
  return await service.execute({ inputs: { file: { type: 'input_file', file_id: id } }, config })
}
const codesOf = (record: { warnings: { code: string }[] }) => record.warnings.map(({ code }) => code)

test('a file with two invoices is answered from the first, and the record says so', async () => {
  const record = await executed(await makePdf([invoiceLines, other]), 'invoices.pdf')
  expect([record.status, record.response]).toEqual(['completed', answer])
  expect(record.warnings).toEqual([
    {
      code: 'several_documents',
      path: '',
      message:
        'The file "file" seems to hold several documents. The values are those of page 1 alone, and page 2 would give others. To read each document, ask for a list with "x-documents": true, or split the file with document.split',
    },
  ])
  const first = { page: 0 }
  expect(record.evidence).toMatchObject({ '/invoice_number': first, '/invoice_date': first, '/total': first })
})

test('an attached file with two invoices has one warning, and two attached invoices are two inputs', async () => {
  const mailOf = (files: readonly Buffer[]) =>
    Buffer.from(
      [
        ...['From: Northwind <billing@example.com>', 'To: customer@example.com', 'Subject: Your invoices'],
        ...['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=edge', ''],
        ...['--edge', 'Content-Type: text/plain', '', 'Please find our invoices attached.'],
        ...files.flatMap((file, at) => [
          ...['--edge', 'Content-Type: application/pdf', 'Content-Transfer-Encoding: base64'],
          ...[`Content-Disposition: attachment; filename="invoice-${at + 1}.pdf"`, '', file.toString('base64')],
        ]),
        ...['--edge--', ''],
      ].join('\r\n'),
    )
  const one = await executed(mailOf([await makePdf([invoiceLines, other])]), 'mail.eml')
  expect([one.response, codesOf(one)]).toEqual([answer, ['several_documents']])
  expect(one.warnings[0].message).toContain('The file "file/invoice-1.pdf"')
  const two = await executed(mailOf([await makePdf([invoiceLines]), await makePdf([other])]), 'mail.eml')
  expect(codesOf(two)).toEqual(['several_inputs'])
})
