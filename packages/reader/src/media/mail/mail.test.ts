import { describe, expect, test } from 'vitest'
import type { ReadDocument } from '../document.ts'
import { readDocument } from '../read-document.ts'
import { looksLikeMail } from './looks-like-mail.ts'

const head = ['From: =?iso-8859-1?Q?Jos=E9_Ib=E1=F1ez?= <jose@example.com>', 'Subject: Invoice', 'MIME-Version: 1.0']
const headLines = ['From: José Ibáñez <jose@example.com>', 'Subject: Invoice', '']

/** An email in bytes; a character is a byte. */
const mailOf = (...lines: readonly string[]): Buffer => Buffer.from([...head, ...lines, ''].join('\r\n'), 'latin1')

/** Parts of an email, each given as its lines. */
const multipart = (kind: string, ...parts: readonly (readonly string[])[]): string[] => [
  `Content-Type: multipart/${kind}; boundary="=_${kind}"`,
  '',
  ...parts.flatMap((part) => [`--=_${kind}`, ...part]),
  `--=_${kind}--`,
]

const plainPart = (text: string): string[] => ['Content-Type: text/plain; charset=utf-8', '', text]
const htmlPart = (html: string): string[] => ['Content-Type: text/html; charset=utf-8', '', html]
const table = '<table><tr><td>Item</td><td>Price</td></tr><tr><td>Tea</td><td>&euro;&nbsp;12.50</td></tr></table>'

/** The lines of a page, with two spaces for each gap that is wider than one. */
function linesOf({ pages: [page] }: ReadDocument): string[] {
  const lines: string[] = []
  let end = 0
  for (const { text, box } of page?.words ?? []) {
    const row = Math.round(box[1] * (page?.height ?? 0))
    const column = Math.round(box[0] * (page?.width ?? 0))
    while (lines.length <= row) lines.push('')
    const line = lines[row]
    lines[row] = line ? `${line}${column > end + 1 ? '  ' : ' '}${text}` : text
    end = column + text.length
  }
  return lines
}

const read = async (bytes: Buffer) => linesOf(await readDocument({ bytes }))

describe('an email is read', () => {
  test('with the headers that people see, decoded and unfolded', async () => {
    const bytes = Buffer.from(
      [
        'Received: from a.example by b.example; Sat, 14 Mar 2026 23:30:01 -0500',
        'Subject: =?utf-8?B?UmVjaG51bmcgZsO8ciBN?=',
        ' =?utf-8?Q?=C3=A4rz=0ATotal=3A_1?=',
        'Date: Sat, 14 Mar 2026 23:30:00 -0500',
        'To: a@example.com,',
        '\tb@example.com',
        'X-Mailer: Pigeon',
        'From: "Ibáñez, José" <jose@example.com>',
        '',
        'Hello',
      ].join('\n'),
    )
    expect(await read(bytes)).toEqual([
      'From: "Ibáñez, José" <jose@example.com>',
      'To: a@example.com, b@example.com',
      'Date: Sat, 14 Mar 2026 23:30:00 -0500',
      'Subject: Rechnung für März Total: 1',
      '',
      'Hello',
    ])
  })

  test.each([
    ['quoted-printable', 'iso-8859-1', 'Jos=E9: =\r\n12,50'],
    ['base64', 'utf-8', Buffer.from('José: 12,50').toString('base64')],
    ['base64', 'windows-1252', Buffer.from('José: 12,50', 'latin1').toString('base64')],
    ['8bit', 'iso-8859-1', 'José: 12,50'],
    ['8bit', 'klingon', 'José: 12,50'],
    ['8bit', 'utf-8', 'José: 12,50'],
  ])('with its text decoded: %s, %s, %s', async (encoding, charset, text) => {
    const type = `Content-Type: text/plain; charset=${charset}`
    expect(await read(mailOf(type, `Content-Transfer-Encoding: ${encoding}`, '', text))).toEqual([
      ...headLines,
      'José: 12,50',
    ])
  })

  test.each([
    ['UTF-8', Buffer.from('José').toString('latin1'), '8bit'],
    ['Windows-1252', 'José', '8bit'],
    ['Windows-1252', 'Jos=E9', 'quoted-printable'],
  ])('with a text in %s whose charset it does not name: %s', async (_charset, text, encoding) => {
    expect(await read(mailOf(`Content-Transfer-Encoding: ${encoding}`, '', text))).toEqual([...headLines, 'José'])
  })

  test.each([
    ['among others', `${Buffer.from('José Ibáñez').toString('latin1')} \xff`, 'José Ibáñez \ufffd'],
    ['alone', 'Total: \x80 12', 'Total: € 12'],
  ])('with a text in UTF-8 that has a wrong byte %s', async (_where, text, expected) => {
    expect(await read(mailOf('Content-Type: text/plain; charset=utf-8', '', text))).toEqual([...headLines, expected])
  })

  test('with headers that are not encoded, in UTF-8 or another charset', async () => {
    const utf8 = Buffer.from('To: José').toString('latin1')
    const bytes = Buffer.from(
      `From: José\r\n Ibáñez\r\nX-Sign: é\r\n${utf8}\r\nSubject: für März\r\nMIME-Version: 1.0\r\n\r\nHello`,
      'latin1',
    )
    expect(await read(bytes)).toEqual(['From: José Ibáñez', 'To: José', 'Subject: für März', '', 'Hello'])
  })

  test('without the control characters of its texts', async () => {
    expect(await read(mailOf('Content-Transfer-Encoding: quoted-printable', '', 'a=00b=07c'))).toEqual([
      ...headLines,
      'a b c',
    ])
  })

  test('with HTML laid out like a file of HTML, and a plain part beside it', async () => {
    const lines = multipart('mixed', htmlPart(`<p>Hello</p>${table}`), plainPart('Sent by a list'))
    expect(await read(mailOf(...lines))).toEqual([
      ...headLines,
      'Hello',
      '',
      'Item  Price',
      'Tea  € 12.50',
      '',
      'Sent by a list',
    ])
  })

  test('by the plain alternative, unless that says much less', async () => {
    const alternatives = (text: string) => mailOf(...multipart('alternative', plainPart(text), htmlPart(table)))
    expect(await read(alternatives('Item   Price\r\nTea    12.50'))).toEqual([
      ...headLines,
      'Item  Price',
      'Tea  12.50',
    ])
    expect(await read(alternatives('See HTML'))).toEqual([...headLines, 'Item  Price', 'Tea  € 12.50'])
  })

  test('with the names of its attachments, and a warning that they were not read', async () => {
    const file = (...lines: string[]) => [...lines, 'Content-Transfer-Encoding: base64', '', 'VG90YWw6IDk5']
    const lines = multipart(
      'mixed',
      plainPart('Total: 12'),
      file('Content-Type: application/pdf', "Content-Disposition: attachment; filename*=utf-8''r%C3%A9sum%C3%A9.pdf"),
      file('Content-Type: text/plain; name="=?utf-8?Q?n=C3=B6te.txt?="', 'Content-Disposition: attachment'),
      file('Content-Type: image/png'),
    )
    const document = await readDocument({ bytes: mailOf(...lines) })
    expect(linesOf(document)).toEqual([
      ...headLines,
      'Total: 12',
      '',
      'Attachment: résumé.pdf',
      'Attachment: nöte.txt',
      'Attachment: unnamed (image/png)',
    ])
    const message = 'Attachments that were not read: résumé.pdf, nöte.txt, unnamed (image/png)'
    expect(document.warnings).toEqual([{ code: 'attachments_not_read', message }])
  })

  test.each([
    ['parts', []],
    ['a forwarded email', ['Content-Type: message/rfc822', '']],
  ])('with a warning that names %s whose boundary does not occur', async (_what, before) => {
    const lost = [...before, 'Content-Type: multipart/related; boundary=a', '', '--b', '', 'Total: 12']
    const document = await readDocument({ bytes: mailOf(...multipart('mixed', plainPart('See below'), lost)) })
    expect(linesOf(document)).toEqual([...headLines, 'See below', '', 'Attachment: damaged part (multipart/related)'])
    const message = 'Attachments that were not read: damaged part (multipart/related)'
    expect(document.warnings).toEqual([{ code: 'attachments_not_read', message }])
  })

  test('with the emails that it forwards, to a depth of ten', async () => {
    const forwarded = (depth: number): string[] => [
      'Content-Type: message/rfc822',
      '',
      `From: ${depth}@example.com`,
      `Subject: Level ${depth}`,
      ...(depth > 0 ? forwarded(depth - 1) : ['', 'Innermost']),
    ]
    expect(await read(mailOf(...multipart('mixed', plainPart('See below'), forwarded(0))))).toEqual([
      ...headLines,
      'See below',
      '',
      'From: 0@example.com',
      'Subject: Level 0',
      '',
      'Innermost',
    ])
    const deep = await read(mailOf(...forwarded(100)))
    expect(deep.filter((line) => line.startsWith('Subject: Level'))).toHaveLength(10)
    expect(deep.at(-1)).toBe('Attachment: unnamed (message/rfc822)')
  })

  test('with the emails below it in a mailbox', async () => {
    const mails = ['Ada', 'Bob', 'Eve'].map((name) =>
      [
        `From ${name} Sat Mar 14 23:30:00 2026`,
        `From: ${name}`,
        'MIME-Version: 1.0',
        ...multipart('mixed', plainPart(`I am\r\n\r\nFrom ${name}\r\n`)),
      ].join('\r\n'),
    )
    const lines = ['Ada', 'Bob', 'Eve'].flatMap((name) => [`From: ${name}`, '', 'I am', '', `From ${name}`, ''])
    expect(await read(Buffer.from(mails.join('\r\n\r\n')))).toEqual(lines.slice(0, -1))
  })

  test('behind a byte order mark and an empty line when it is declared', async () => {
    const bytes = Buffer.from('\ufeff\r\nFrom: Ada\r\nSubject: Tea\r\n\r\nPrice: 20\r\n')
    const document = await readDocument({ bytes, declared: 'mail' })
    expect(document.mediaType).toBe('message/rfc822')
    expect(linesOf(document)).toEqual(['From: Ada', 'Subject: Tea', '', 'Price: 20'])
  })

  test('as far as it goes when it is cut', async () => {
    const lines = multipart('mixed', plainPart('Total: 12'), ['Content-Type: application/pdf; name=a.pdf', '', 'x'])
    expect(await read(mailOf(...lines.slice(0, -1)))).toEqual([...headLines, 'Total: 12', '', 'Attachment: a.pdf'])
    expect(await read(mailOf(''))).toEqual(headLines.slice(0, -1))
  })
})

describe('an email is refused', () => {
  test.each([
    ['no boundary between its parts', ['Content-Type: multipart/mixed; boundary=a', '', '--b', '', 'Total: 12']],
    ['headers without end', [`X-Long: ${'x'.repeat(3_000_000)}`, '', 'Total: 12']],
    [
      'parts in parts without end',
      Array.from({ length: 300 }, (_, at) => [`Content-Type: multipart/mixed; boundary=b${at}`, '', `--b${at}`]).flat(),
    ],
  ])('with %s', async (_what, lines) => {
    await expect(read(mailOf(...lines))).rejects.toMatchObject({ code: 'unreadable_document' })
  })

  test.each([
    ['parts', ['Content-Type: multipart/mixed; boundary=a', '', '--a\r\n\r\nx\r\n'.repeat(50_001)]],
    ['lines', ['', '\n'.repeat(1_000_001)]],
    ['characters', ['', 'x'.repeat(9_000_000)]],
    [
      'lines in an encoded email that it forwards',
      [
        'Content-Type: message/rfc822',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from(`From: a@b.c\n\n${'\n'.repeat(1_000_001)}`).toString('base64'),
      ],
    ],
    ['emails that it forwards', multipart('digest', ...Array.from({ length: 5_001 }, () => ['', 'From: a@b.c', '']))],
  ])('with too many %s', async (_what, lines) => {
    await expect(read(mailOf(...lines))).rejects.toMatchObject({ code: 'input_too_costly' })
  })

  test('for a page that it does not have', async () => {
    const request = { bytes: mailOf('', 'Total: 12'), pageIndices: [1] }
    await expect(readDocument(request)).rejects.toMatchObject({ code: 'unknown_page' })
  })
})

describe('an email is recognised', () => {
  test.each([
    ['by its headers', 'From: a@b.c\nSubject: x\nMIME-Version: 1.0\n\nhello', {}, true],
    ['in a mailbox', 'From a@b.c Sat Mar 14\nReceived: from a\n by b;\n Sat\nFrom: a@b.c\n\nhello', {}, true],
    ['cut in its headers', `Return-Path: <a@b.c>\nFrom: a@b.c\nX-Sign: ${'x'.repeat(20_000)}`, {}, true],
    ['not in a memo', 'From: Lisbon\nTo: Porto\nDate: 2026-03-14\n\nPrice: 20', {}, false],
    ['in what looks like a memo and is declared', 'From: Ada\nTo: Bob\n\nPrice: 20', { isDeclared: true }, true],
    ['not in a form', 'From: Acme\nTo: Blue\nReceived: 14.03.2026\nInvoice: 4711\n\nTotal: 20', {}, false],
    ['not in YAML', 'date: 2026-03-14\nsubject: tea\nreceived: 20\nmime-version: 2\n\ntotal: 20', {}, false],
    ['by the beginning of its headers', 'From: a@b.c\nMIME-Version: 1.0\nX-Si', { isCut: true }, true],
    ['not in headers without an end', 'From: Acme\nMIME-Version: 1.0\nInvoice: 4711\nTotal: 20\n', {}, false],
    ['by an identifier', 'From: a@b.c\nMessage-ID: <1@b.c>\n\nhello', {}, true],
    ['by the address that it came to', 'Delivered-To: a@b.c\nSubject: x\n\nhello', {}, true],
    ['not in a text about one', 'From: a@b.c\nSubject: x\nMIME-Version: 1.0\nhello\n', {}, false],
    ['not in any text that is declared', 'Dear Ada,\nthe price is 20.\n', { isDeclared: true }, false],
  ])('%s', (_where, text, options, expected) => {
    expect(looksLikeMail(Buffer.from(text), options)).toBe(expected)
  })
})
