import {
  childProcessPoolDefaults,
  createChildProcessPool,
} from '@skillrun/server/adapters/process-pool/child/child-process-pool.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReadDocument } from './document.ts'
import { turnAbout } from './image/turn.ts'
import { readDocumentJob, unpackDocument } from './packed-document.ts'
import { type ReadRequest, readDocument } from './read-document.ts'
import { invoiceLines, madeFolder, madeInvoice, madePdf, picturedPdf } from './testing/made.ts'
import { uprightPage } from './testing/upright.ts'

let files: Awaited<ReturnType<typeof madeFolder>>
let invoice: Buffer

beforeAll(async () => {
  files = await madeFolder()
  invoice = await madeInvoice()
})

afterAll(() => files.close())

const textOf = (document: ReadDocument, page = 0): string =>
  document.pages[page]?.words.map((word) => word.text).join(' ') ?? ''

async function read(content: Uint8Array | string, more: Partial<ReadRequest> = {}): Promise<ReadDocument> {
  return await readDocument({ path: await files.write('input', content), ...more } as ReadRequest)
}

/** The share of the invoice's words that were read exactly. */
function recall(document: ReadDocument): number {
  const seen = new Set(textOf(document).split(' '))
  const words = invoiceLines.join(' ').split(' ')
  return words.filter((word) => seen.has(word)).length / words.length
}

describe('PDF', () => {
  test('gives the words of the text layer with boxes from the top left', async () => {
    const document = await read(invoice)
    expect(document).toMatchObject({ mediaType: 'application/pdf', pageCount: 1 })
    expect(document.unread).toBeUndefined()
    expect(textOf(document)).toBe(invoiceLines.join(' '))
    const [page] = document.pages
    expect(page).toMatchObject({ source: 'text-layer', index: 0, turnedDegrees: 0 })
    const [x, y, w, h] = page?.words[0]?.box ?? [0, 0, 0, 0]
    expect(x * 595).toBeCloseTo(60, -0.5)
    expect(y * 842).toBeGreaterThan(58)
    expect((y + h) * 842).toBeLessThan(60 + 16)
    expect(w * 595).toBeGreaterThan(30)
    expect(w * 595).toBeLessThan(45)
  })

  test('gives the words of a line one height, including dashes and dots', async () => {
    const document = await read(
      await madePdf((pdf) => pdf.fontSize(12).text('Total - amount . 12,50 _ due acc', 60, 60, { lineBreak: false })),
    )
    const heights = document.pages[0]?.words.map((word) => word.box[3] * 842) ?? []
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(3)
  })

  test('separates words at gaps, and joins them across changes of font', async () => {
    const pdf = await madePdf((made) => {
      made.fontSize(12).font('Helvetica').text('Item', 60, 60, { lineBreak: false })
      made.text('Amount', 60 + made.widthOfString('Item') + 5, 60, { lineBreak: false })
      made.text('EUR', 60, 100, { lineBreak: false })
      made
        .font('Helvetica-Bold')
        .text('125', 60 + made.font('Helvetica').widthOfString('EUR'), 100, { lineBreak: false })
      made.text('more text so that there is a text layer', 60, 140)
    })
    expect(textOf(await read(pdf))).toBe('Item Amount EUR125 more text so that there is a text layer')
  })

  test('keeps numbers together in monospaced type, where dots and ones are alone in their cells', async () => {
    const line = 'Total 1.111,11 ill.: 40.72 WR 11:11.11'
    const pdf = await madePdf((made) => made.font('Courier').fontSize(12).text(line, 60, 60, { lineBreak: false }))
    expect(textOf(await read(pdf))).toBe(line)
  })

  test('joins letter-spaced titles and keeps columns of single letters apart', async () => {
    const pdf = await madePdf((made) => {
      made.fontSize(14).text('I N V O I C E', 60, 60, { lineBreak: false })
      made.text('TRACKED', 60, 100, { lineBreak: false, characterSpacing: 4 })
      made.fontSize(10)
      for (const [index, letter] of [...'ABCD'].entries()) made.text(letter, 60 + index * 60, 140, { lineBreak: false })
      made.text('and some more words', 60, 180)
    })
    expect(textOf(await read(pdf))).toBe('INVOICE TRACKED A B C D and some more words')
  })

  test.each([90, 180, 270])(
    'gives boxes of the page as it is displayed when it is turned by %d degrees',
    async (turn) => {
      const plain = await madePdf((made) => made.fontSize(12).text('a text that is long enough to count', 60, 60))
      const turned = Buffer.from(
        plain.toString('latin1').replace('/Type /Page\n', `/Type /Page\n/Rotate ${turn}\n`),
        'latin1',
      )
      const document = await read(turned)
      const page = document.pages[0]
      expect(page?.words).toHaveLength(8)
      const first = page?.words[0]?.box ?? [0, 0, 0, 0]
      // The page's upper left corner moves clockwise to the upper right, lower right and lower left.
      expect(first[0] > 0.5).toBe(turn === 90 || turn === 180)
      expect(first[1] > 0.5).toBe(turn === 180 || turn === 270)
      expect(page?.width).toBeCloseTo(turn === 180 ? 595.28 : 841.89, 0)
    },
  )

  test('gives characters with accents, currencies and ligatures', async () => {
    const pdf = await madePdf((made) => made.fontSize(12).text('Müller & Söhne – Größe 12,50 € façade señor', 60, 60))
    expect(textOf(await read(pdf))).toBe('Müller & Söhne – Größe 12,50 € façade señor')
  })

  test('reads the values of form fields', async () => {
    const pdf = await madePdf((made) => {
      made.font('Helvetica').fontSize(12).text('Please give the name of the patient:', 60, 60)
      made.initForm()
      made.formText('name', 60, 80, 200, 20, { value: 'Ada' })
    })
    expect(textOf(await read(pdf))).toBe('Please give the name of the patient: Ada')
  })

  test('reads a scan by OCR, at its position on the page', async () => {
    const picture = await (await picturedPdf(invoice, 200)).png().toBuffer()
    const scan = await madePdf((made) => {
      made.image(picture, 0, 0, { width: 595.28, height: 841.89 })
      made.fontSize(8).text('Received 2024', 450, 800, { lineBreak: false })
    })
    const document = await read(scan)
    expect(document.pages[0]?.source).toBe('ocr')
    expect(recall(document)).toBeGreaterThan(0.95)
    expect(textOf(document)).toContain('Received 2024')
    const total = document.pages[0]?.words.find((word) => word.text === '621.00')
    expect((total?.box[1] ?? 0) * 842).toBeGreaterThan(60 + 9 * 24 - 2)
    expect((total?.box[1] ?? 0) * 842).toBeLessThan(60 + 9 * 24 + 6)
  })

  test('reads the requested pages, and names the existing ones when an index is invalid', async () => {
    const pdf = await madePdf((made) => {
      for (let page = 0; page < 5; page += 1) {
        if (page > 0) made.addPage()
        made.text(`this is page number ${page} of the document`)
      }
    })
    const document = await read(pdf, { pageIndices: [3, 1] })
    expect(document.pageCount).toBe(5)
    expect(document.pages.map((page) => page.index)).toEqual([3, 1])
    expect(textOf(document)).toContain('number 3')
    await expect(read(pdf, { pageIndices: [5] })).rejects.toMatchObject({
      code: 'unknown_page',
      message: 'Page 5 was requested; the document has pages 0 to 4.',
    })
  })

  test('lists the pages that a limit excluded', async () => {
    const dot = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const pdf = await madePdf((made) => {
      made.text('a first page with enough of a text layer')
      for (let page = 0; page < 3; page += 1) made.addPage().image(dot, 0, 0, { width: 595 })
      made.addPage().text('a last page with enough of a text layer')
    })
    const limited = await read(pdf, { limits: { ocrPagesMax: 1 } })
    expect(limited.pages.map((page) => page.index)).toEqual([0, 1, 4])
    expect(limited.unread).toEqual([{ indices: [2, 3], reason: 'more than 1 pages are images' }])
    const short = await read(pdf, { limits: { pagesMax: 1 } })
    expect(short.unread).toEqual([{ indices: [1, 2, 3, 4], reason: 'more than 1 pages' }])
  })

  test('refuses a PDF that needs a password, and says so', async () => {
    const pdf = await madePdf((made) => made.text('secret'), { userPassword: 'open sesame' })
    await expect(read(pdf)).rejects.toMatchObject({ kind: 'invalid', code: 'encrypted_document' })
  })

  test('refuses a PDF that is only a header', async () => {
    await expect(read(invoice.subarray(0, 40))).rejects.toMatchObject({ kind: 'invalid', code: 'unreadable_document' })
  })
})

describe('images', () => {
  test.each(['png', 'jpeg', 'webp', 'tiff', 'gif', 'avif'] as const)('reads %s', async (format) => {
    const document = await read(await (await picturedPdf(invoice, 150)).toFormat(format).toBuffer())
    expect(document.mediaType).toBe(`image/${format}`)
    expect(recall(document)).toBeGreaterThan(0.9)
  })

  test('are turned by their EXIF orientation, with boxes on the image as displayed', async () => {
    const lying = await (await picturedPdf(invoice, 150)).rotate(270).toBuffer({ resolveWithObject: true })
    const raw = { width: lying.info.width, height: lying.info.height, channels: lying.info.channels } as const
    const document = await read(await sharp(lying.data, { raw }).withMetadata({ orientation: 6 }).jpeg().toBuffer())
    expect(recall(document)).toBeGreaterThan(0.9)
    // The measured skew of horizontal print may be a fraction of a degree.
    expect(document.pages[0]?.turnedDegrees).toBeCloseTo(0, 0)
    expect(document.pages[0]?.height).toBeGreaterThan(document.pages[0]?.width ?? 0)
  })

  test.each([90, 180, 270])('are read when rotated by %d degrees', async (turn) => {
    const straight = await read(await (await picturedPdf(invoice, 150)).png().toBuffer())
    const raw = await (await picturedPdf(invoice, 150)).rotate(turn).png().toBuffer()
    const document = await read(raw)
    expect(recall(document)).toBeGreaterThan(0.9)
    expect(document.pages[0]?.turnedDegrees).toBeCloseTo(360 - turn, 0)
    const page = document.pages[0]
    const upright = page && uprightPage(page).words.find((word) => word.text === '621.00')?.box
    const wanted = straight.pages[0]?.words.find((word) => word.text === '621.00')?.box
    upright?.forEach((value, index) => {
      expect(value).toBeCloseTo(wanted?.[index] ?? -1, 2)
    })
    // In the original image, the words are elsewhere.
    const given = page?.words.find((word) => word.text === '621.00')?.box
    expect(given?.[0]).not.toBeCloseTo(wanted?.[0] ?? -1, 2)
  })

  test.each([20, 33, 45, 60, 200, 315])(
    'are read when rotated by %d degrees, with boxes on the image as given',
    async (turn) => {
      const straight = await read(await (await picturedPdf(invoice, 150)).png().toBuffer())
      const leaning = (await picturedPdf(invoice, 150)).rotate(turn, { background: '#fff' })
      const document = await read(await leaning.png().toBuffer())
      expect(recall(document)).toBeGreaterThan(0.9)
      const [page] = document.pages
      const [given] = straight.pages
      expect(((page?.turnedDegrees ?? 0) + turn + 1) % 360).toBeCloseTo(1, 0)
      // The middle of a word is where turning the middle of the straight one puts it.
      const middleOf = (of: typeof page): { x: number; y: number } => {
        const [x, y, w, h] = of?.words.find((word) => word.text === '621.00')?.box ?? [0, 0, 0, 0]
        return { x: (x + w / 2 - 0.5) * (of?.width ?? 0), y: (y + h / 2 - 0.5) * (of?.height ?? 0) }
      }
      const wanted = turnAbout(middleOf(given), { x: 0, y: 0 }, turn)
      expect(Math.abs(middleOf(page).x - wanted.x)).toBeLessThan(8)
      expect(Math.abs(middleOf(page).y - wanted.y)).toBeLessThan(8)
    },
  )

  test('are deskewed', async () => {
    const leaning = (await picturedPdf(invoice, 150)).rotate(4, { background: '#fff' })
    const document = await read(await leaning.png().toBuffer())
    expect(recall(document)).toBeGreaterThan(0.9)
    expect(document.pages[0]?.turnedDegrees).toBeCloseTo(-4, 0)
  })

  test('are read with faint print on dark and uneven paper', async () => {
    const shade = Buffer.from(
      `<svg width="1240" height="1754"><defs><linearGradient id="g"><stop offset="0" stop-color="#777"/><stop offset="1" stop-color="#ddd"/></linearGradient></defs><rect width="1240" height="1754" fill="url(#g)"/></svg>`,
    )
    const print = await (await picturedPdf(invoice, 150))
      .linear(0.35, 165)
      .resize(1240, 1754, { fit: 'fill' })
      .png()
      .toBuffer()
    const faint = await sharp(shade)
      .composite([{ input: print, blend: 'multiply' }])
      .jpeg()
      .toBuffer()
    expect(recall(await read(faint))).toBeGreaterThan(0.85)
  })

  test('without text give no words', async () => {
    const empty = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#eee' } })
      .png()
      .toBuffer()
    expect((await read(empty)).pages).toMatchObject([{ words: [], width: 400, height: 300, source: 'ocr' }])
  })

  test('are refused before decoding when they have too many pixels', async () => {
    const wide = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    expect(wide.length).toBeLessThan(2_000_000)
    await expect(read(wide)).rejects.toMatchObject({
      kind: 'too_large',
      code: 'input_too_costly',
      message: 'The image has 12000 × 12000 pixels; the limit is 100000000 in total.',
    })
  })

  test('are refused when truncated', async () => {
    const whole = await (await picturedPdf(invoice, 100)).png().toBuffer()
    await expect(read(whole.subarray(0, 60))).rejects.toMatchObject({ code: 'unreadable_document' })
  })
})

describe('other files', () => {
  test('are read in the encoding that they have', async () => {
    expect(textOf(await read(Buffer.from('Größe 5 €', 'utf8')))).toBe('Größe 5 €')
    expect(textOf(await read(Buffer.from('\ufeffGröße', 'utf16le')))).toBe('Größe')
    expect(textOf(await read(Buffer.from('Größe', 'latin1')))).toBe('Größe')
  })

  test('may be texts in memory, which are read by their type', async () => {
    const document = await readDocument({ text: 'name,age\nAda,36\n' })
    expect(document).toMatchObject({ mediaType: 'text/csv', pageCount: 1 })
    expect(textOf(document)).toBe('name age Ada 36')
  })

  test.each([
    ['{"name":"Bob","total":5', 'json', 'line 1, column 24: it ends too early'],
    ['{\n  "name": Bob\n}', 'json', 'line 2, column 11: unexpected text'],
    ['Name: Bob', 'json', 'line 1, column 1: unexpected text'],
    ['{"name":"Bob"}\n\n{"name":"Ada",}\n', 'jsonl', 'line 3, column 15: unexpected text'],
    ['{"name":"Bob"}\n{"name":"Ad', 'jsonl', 'line 2, column 12: it ends too early'],
  ] as const)(
    'declared as JSON but invalid are refused with the place of the error: %j as %s',
    async (text, declared, place) => {
      const message = `The JSON is damaged at ${place}.`
      await expect(read(text, { declared })).rejects.toMatchObject({ code: 'unreadable_document', message })
    },
  )

  test.each([
    ['{"a":1}\n{"a":2}', 'json', 'application/jsonl', true],
    ['{"a":1}\n{"a":2}', 'text', 'application/jsonl', true],
    ['[1]\n[2]', 'jsonl', 'application/jsonl', undefined],
    ['"Bob"', 'json', 'application/json', undefined],
  ] as const)('of JSON are read by their form: %j as %s', async (text, declared, mediaType, isTabular) => {
    const document = await read(text, { declared })
    expect([document.mediaType, document.pages[0]?.isTabular]).toEqual([mediaType, isTabular])
  })

  test.each([
    ['video/mp4', Buffer.concat([Buffer.from([0, 0, 0, 0x18]), Buffer.from('ftypmp42\0\0\0\0mp42isom')])],
    ['application/zip', Buffer.concat([Buffer.from('PK\x03\x04\x14\0\0\0\0\0'), Buffer.alloc(20)])],
    ['audio/mpeg', Buffer.from([0xff, 0xfb, 0x90, 0, ...new Array(500).fill(0)])],
    ['an unknown type', Buffer.from([0, 1, 2, 3, 4, 5])],
  ])('of %s are refused with a list of supported formats', async (type, bytes) => {
    const failure = await read(bytes).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'Fault', kind: 'unsupported', code: 'unsupported_input' })
    expect((failure as Error).message).toContain(type)
    expect((failure as Error).message).toContain('send a PDF')
  })

  test('are refused when empty or too large', async () => {
    await expect(read('')).rejects.toMatchObject({ kind: 'invalid', code: 'unreadable_document' })
    await expect(read('a'.repeat(20), { limits: { textBytesMax: 10 } })).rejects.toMatchObject({ kind: 'too_large' })
    await expect(read('a'.repeat(20), { limits: { fileBytesMax: 10 } })).rejects.toMatchObject({ kind: 'too_large' })
    await expect(read('a b c d e f', { limits: { wordsMax: 5 } })).rejects.toMatchObject({ kind: 'too_large' })
  })
})

describe('in the process pool', () => {
  test('text layers and images are read in a child process with few permissions, which passes Faults on', async () => {
    const shop = createChildProcessPool({
      ...childProcessPoolDefaults,
      childrenMax: 1,
      inputFolder: files.folder,
      bubblewrap: undefined,
    })
    try {
      const terms = { wallMs: 300_000, memoryMb: 2_048, signal: AbortSignal.timeout(50_000) }
      const inChild = async (path: string): Promise<ReadDocument> =>
        unpackDocument((await shop.run(readDocumentJob, { path }, terms)).packed)
      const pdf = await files.write('invoice.pdf', invoice)
      const png = await files.write('invoice.png', await (await picturedPdf(invoice, 150)).png().toBuffer())
      const empty = await files.write('empty', '')
      expect(textOf(await inChild(pdf))).toBe(invoiceLines.join(' '))
      expect(recall(await inChild(png))).toBeGreaterThan(0.9)
      await expect(inChild(empty)).rejects.toMatchObject({
        code: 'unreadable_document',
      })
    } finally {
      await shop.close()
    }
  })
})
