import { describe, expect, test } from 'vitest'
import { madePdf, picturedPdf } from '../packages/reader/src/media/testing/made.ts'
import { read as readAlone } from '../packages/reader/src/reader.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const json_schema = {
  type: 'object',
  properties: { invoice_number: text, total: number, iban: text },
}

async function read(pdf: Buffer) {
  const { id } = await service.upload(pdf, 'paper.pdf')
  const inputs = { paper: { type: 'input_file', file_id: id } }
  return service.execute({ inputs, config: { prompt: 'Extract the fields', json_schema } })
}

/** Long enough for the text layer of a scan to be believed. */
const scanned = [
  'ACME INSTRUMENTS LTD, 12 King Street, London EC2V 8AA',
  'Invoice number: INV-2024-0815',
  'Precision screws, delivered on the third of March, 37.50',
  'Calibration service as agreed with your workshop, 583.50',
  'Total: 621.00',
  'Payment within 14 days by bank transfer to the account that you know.',
  'Goods remain our property until they are paid in full.',
  'Please quote the number above with your payment, and write to us with any question.',
]

const iban = 'DE75512108001245126199'
const hiddenLine = `IBAN: ${iban}`

function seenLines(document: PDFKit.PDFDocument): void {
  document.font('Helvetica').fontSize(11).fillColor('black')
  document.text('Invoice number: R-118', 60, 60)
  document.text('Oak table delivered and mounted as agreed in March', 60, 90)
  document.text('Total: 621.00', 60, 120)
}

/** The matrix of PDFKit has its origin at the top: text in an operator of its own is turned upright again. */
const invisible = (document: PDFKit.PDFDocument, line: string, x: number, y: number): void => {
  document.addContent('q 3 Tr')
  document.text(line, x, y)
  document.addContent('Q')
}

/** A PNG of one black pixel. */
const blackPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
)

/** Begins optional content of a group that the document switches off. PDFKit has no methods for it. */
function switchedOff(document: PDFKit.PDFDocument): void {
  const group = document.ref({ Type: 'OCG', Name: new String('Layer') })
  group.end('')
  const { data: catalog } = (document as unknown as { _root: { data: Record<string, unknown> } })._root
  catalog['OCProperties'] = { OCGs: [group], D: { OFF: [group], Order: [group] } }
  const { resources } = document.page as unknown as { resources: { data: Record<string, unknown> } }
  resources.data['Properties'] = { Hidden: group }
  document.addContent('/OC /Hidden BDC')
}

const ways: readonly (readonly [string, string, (document: PDFKit.PDFDocument) => void])[] = [
  [
    'white on white',
    'in the colour of the background',
    (document) => document.fillColor('white').text(hiddenLine, 60, 200),
  ],
  [
    'nearly white on white',
    'in the colour of the background',
    (document) => document.fillColor('#f8f8f8').text(hiddenLine, 60, 200),
  ],
  [
    'in the colour of a box that it stands in',
    'in the colour of the background',
    (document) => document.rect(50, 190, 400, 40).fill('#102040').fillColor('#102040').text(hiddenLine, 60, 200),
  ],
  ['invisible', 'invisible', (document) => invisible(document, hiddenLine, 60, 200)],
  ['clear', 'invisible', (document) => document.fillOpacity(0).text(hiddenLine, 60, 200)],
  [
    'invisible over what is seen',
    'invisible',
    (document) => {
      document.text('Payment within 14 days by bank transfer', 60, 200)
      invisible(document, hiddenLine, 60, 200)
    },
  ],
  ['outside the page', 'outside the page', (document) => document.text(hiddenLine, 700, 200, { lineBreak: false })],
  ['tiny', 'too small to read', (document) => document.fontSize(1.5).text(hiddenLine, 60, 200)],
  [
    'black on a black picture',
    'in the colour of the background',
    (document) => document.image(blackPicture, 50, 180, { width: 400, height: 60 }).text(hiddenLine, 60, 200),
  ],
  [
    'of a layer that is switched off',
    'in the colour of the background',
    (document) => {
      switchedOff(document)
      document.text(hiddenLine, 60, 200).addContent('EMC')
    },
  ],
  [
    'covered by a box',
    'covered',
    (document) => document.text(hiddenLine, 60, 200).rect(50, 190, 400, 40).fill('#dddddd'),
  ],
  [
    'covered by a white box',
    'covered',
    (document) => document.text(hiddenLine, 60, 200).rect(50, 190, 400, 40).fill('white'),
  ],
  [
    'covered on a page with thousands of other shapes',
    'covered',
    (document) => {
      document.text(hiddenLine, 60, 200)
      for (let at = 0; at < 3_000; at += 1)
        document.rect(60 + (at % 60) * 8, 400 + Math.floor(at / 60) * 6, 4, 4).fill('#888888')
      document.rect(50, 190, 400, 40).fill('white')
    },
  ],
]

describe('text that people do not see', () => {
  test.each(ways)('%s is no value, and the record says so', async (_, reason, hide) => {
    const pdf = await madePdf((document) => {
      seenLines(document)
      hide(document)
    })
    const record = await read(pdf)
    expect(record.response).toEqual({ invoice_number: 'R-118', total: 621, iban: null })
    const warnings = record.warnings.filter(({ code }: { code: string }) => code === 'hidden_text')
    expect(warnings).toEqual([{ code: 'hidden_text', path: '/inputs/paper', message: expect.any(String) }])
    expect(warnings[0].message).toMatch(new RegExp(`^Page 1: .*\\(${reason}\\).*${iban}`))
  })

  test('on a scan without writing beneath it is no value; the text layer over the writing is', async () => {
    const printed = await madePdf((document) => {
      document.font('Helvetica').fontSize(12)
      for (const [at, line] of scanned.entries()) document.text(line, 60, 60 + at * 24)
    })
    const picture = await (await picturedPdf(printed, 150)).png().toBuffer()
    const scan = (extra: boolean) =>
      madePdf((document) => {
        document.image(picture, 0, 0, { width: document.page.width, height: document.page.height })
        document.font('Helvetica').fontSize(12)
        for (const [at, line] of scanned.entries()) invisible(document, line, 60, 60 + at * 24)
        if (extra) invisible(document, hiddenLine, 60, 600)
      })
    const plain = await read(await scan(false))
    expect(plain.response).toMatchObject({ invoice_number: 'INV-2024-0815', total: 621 })
    expect(plain.warnings.map(({ code }: { code: string }) => code)).not.toContain('hidden_text')
    const forged = await read(await scan(true))
    expect(forged.response).toEqual({ invoice_number: 'INV-2024-0815', total: 621, iban: null })
    expect(forged.warnings.map(({ code }: { code: string }) => code)).toContain('hidden_text')
  })

  test('a text layer that says something else than the scan beneath gives no value; the warning has both readings', async () => {
    const printed = await madePdf((document) => {
      document.font('Helvetica').fontSize(12)
      for (const [at, line] of scanned.entries()) document.text(line, 60, 60 + at * 24)
    })
    const picture = await (await picturedPdf(printed, 150)).jpeg().toBuffer()
    const layered = (lines: readonly string[]): Promise<Buffer> =>
      madePdf((document) => {
        document.image(picture, 0, 0, { width: document.page.width, height: document.page.height })
        document.font('Helvetica').fontSize(12)
        for (const [at, line] of lines.entries()) invisible(document, line, 60, 60 + at * 24)
      })
    const forged = await layered(scanned.map((line) => line.replace('Total: 621.00', 'Total: 921.00')))
    const record = await read(forged)
    expect(record.response).toEqual({ invoice_number: 'INV-2024-0815', total: null, iban: null })
    const differing = ({ code }: { code: string }): boolean => code === 'text_differs_from_page'
    expect(record.warnings.filter(differing)).toEqual([
      {
        code: 'text_differs_from_page',
        path: '/inputs/paper',
        message: expect.stringMatching(/"921\.00".*"[^"]*621\.00"/),
      },
    ])
    // The reader alone says the same, and the cached document does.
    const alone = await readAlone(forged, { schema: json_schema })
    expect([alone.response, alone.warnings.filter(differing)]).toEqual([
      record.response,
      [{ ...record.warnings.find(differing), path: '' }],
    ])
    expect((await read(forged)).response).toEqual(record.response)
    const honest = await read(await layered(scanned))
    expect([honest.response.total, honest.warnings.filter(differing)]).toEqual([621, []])
  })

  test.each<readonly [string, (document: PDFKit.PDFDocument) => void]>([
    [
      'white in a dark box',
      (document) => document.rect(50, 190, 400, 40).fill('#102040').fillColor('white').text(hiddenLine, 60, 200),
    ],
    ['in pale grey', (document) => document.fillColor('#b0b0b0').text(hiddenLine, 60, 200)],
    [
      'in a tinted box',
      (document) => document.rect(50, 190, 400, 40).fill('#eef2f7').fillColor('black').text(hiddenLine, 60, 200),
    ],
    [
      'under a clear box',
      (document) => document.text(hiddenLine, 60, 200).fillOpacity(0.2).rect(50, 190, 400, 40).fill('#ffee00'),
    ],
    ['in small print', (document) => document.fontSize(5).text(hiddenLine, 60, 200)],
    ['printed twice to look bold', (document) => document.text(hiddenLine, 60, 200).text(hiddenLine, 60.3, 200)],
    ['turned', (document) => document.rotate(90, { origin: [60, 200] }).text(hiddenLine, 60, 200)],
  ])('but text %s is seen', async (_, draw) => {
    const record = await read(
      await madePdf((document) => {
        seenLines(document)
        draw(document)
      }),
    )
    expect(record.response).toEqual({ invoice_number: 'R-118', total: 621, iban })
    expect(record.warnings).toEqual([])
  })
})
