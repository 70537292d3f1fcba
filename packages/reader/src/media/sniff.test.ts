import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { sniff, textType } from './sniff.ts'

describe('the media type of some bytes', () => {
  test.each(['png', 'jpeg', 'webp', 'tiff', 'gif', 'avif'] as const)(
    'is seen in a picture of kind %s',
    async (format) => {
      const picture = sharp({ create: { width: 4, height: 4, channels: 3, background: '#fff' } })
      expect(await sniff(await picture.toFormat(format).toBuffer())).toEqual({ mediaType: `image/${format}` })
    },
  )

  test('is seen without decoding the rest of a binary file', async () => {
    const archive = Buffer.concat([Buffer.from('PK\x03\x04\x14\x00\x00\x00', 'latin1'), Buffer.alloc(1_000_000, 0xff)])
    const decode = vi.spyOn(TextDecoder.prototype, 'decode')
    expect(await sniff(archive)).toEqual({ mediaType: 'application/zip' })
    const bytes = decode.mock.calls.reduce((sum, [part]) => sum + (part?.byteLength ?? 0), 0)
    decode.mockRestore()
    expect(bytes).toBeLessThan(100_000)
  })

  test('is PDF even with something before the header', async () => {
    expect(await sniff(Buffer.from('\n\njunk\n%PDF-1.7\n'))).toEqual({ mediaType: 'application/pdf' })
  })

  test.each([
    ['BMW is no picture', 'text/plain'],
    ['ID3 is no song', 'text/plain'],
    ['GIF89a is how some pictures begin', 'text/plain'],
  ])('is text for text that starts like another format: %s', async (text, mediaType) => {
    expect(await sniff(Buffer.from(text))).toEqual({ mediaType, text })
  })

  test.each([
    ['control characters', Buffer.from('Total:\u0001 12.50\u0007'), 'Total:  12.50 '],
    ['a NUL among many letters', Buffer.from(`${'Total: 12.50 '.repeat(10)}\0`), `${'Total: 12.50 '.repeat(10)} `],
    [
      'a control character in Latin-1',
      Buffer.from(`Größe ${'x'.repeat(100)}\u0002`, 'latin1'),
      `Größe ${'x'.repeat(100)} `,
    ],
    ['nothing but control characters', Buffer.from('\u0001\u0002'), '  '],
  ])('is text for a text with %s, which become spaces', async (_what, bytes, text) => {
    expect(await sniff(bytes)).toEqual({ mediaType: 'text/plain', text })
  })

  test('is unknown for other bytes', async () => {
    expect(await sniff(Buffer.from([1, 0, 2, 0, 3, 0]))).toEqual({ mediaType: 'application/octet-stream' })
    const noise = Buffer.from(Array.from({ length: 1_000 }, (_, at) => (at * 167 + 13) % 256))
    expect(await sniff(noise)).toEqual({ mediaType: 'application/octet-stream' })
  })
})

describe('the kind of a text', () => {
  test.each([
    ['<!DOCTYPE html><p>a', 'text/html'],
    ['<!-- x -->\n<html lang="de">', 'text/html'],
    ['<div class="mail">Hello</div>', 'text/html'],
    ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['<svg width="1"/>', 'image/svg+xml'],
    ['{"a": [1, 2]}', 'application/json'],
    ['[1, 2]', 'application/json'],
    ['{"a": [1, 2', 'text/plain'],
    ['{"a": 1}\n\n{"b": 2}\n', 'application/jsonl'],
    ['{"a": 1}\n{"b": 2', 'text/plain'],
    ['[1, 2]\n[3, 4]', 'text/plain'],
    ['[a link] and some words', 'text/plain'],
    ['a,b,c\n1,2,3\n', 'text/csv'],
    ['name;sum\nAnna;"1;5"\nBob;2', 'text/csv'],
    ['a\tb\n1\t2\n', 'text/tab-separated-values'],
    ['Dear John,\nthank you, Bob', 'text/plain'],
    ['First, second.\nThird, fourth.\nFifth, sixth.', 'text/plain'],
    ['a,b\n1,2,3\n', 'text/plain'],
    ['Device,Quantity,Price\nLaptop,2,1150\nMouse,41,189.9', 'text/csv'],
    ['Device,Quantity,Price\nLaptop,2,150\nMouse,3,250', 'text/csv'],
    ['2026-01-02,Coffee,-3.50\n2026-01-03,Tea,-2.10', 'text/csv'],
    ['date,amount\n2026-01-02,150.00\n2026-01-03,210.50', 'text/csv'],
    ['VAT: EUR 2,199.12\nTotal: EUR 12,671.12', 'text/plain'],
    ['Subtotal: $1,131.00\nTax: $2,217.39\nTotal: $13,048.34', 'text/plain'],
    ['MwSt: 217,39 EUR\nGesamtbetrag: 1.348,39 EUR', 'text/plain'],
    ['Kestrel Coffee,London\nSubtotal $1,131.00\nTotal 13,048.34', 'text/plain'],
    ["Total CHF 1'348,39\nTax CHF 12'217,39", 'text/plain'],
    ['Smith,Jones\nInvoice date May 3,2026\nDue June 4,2026', 'text/plain'],
    ['Qty,Price\n2,150\n3,250', 'text/plain'],
    ['# Title\n\nwords', 'text/markdown'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'text/markdown'],
    ['{\\rtf1\\ansi x}', 'application/rtf'],
    ['', 'text/plain'],
  ])('follows from its form: %j', async (text, mediaType) => {
    expect(await textType(text)).toBe(mediaType)
  })

  test.each([
    ['Qty,Price\n2,150\n3,250', 'table', 'text/csv'],
    ['name, age\nAda, 36\n', 'table', 'text/csv'],
    ['a,b,c\n1,2,3\n', 'text', 'text/plain'],
    ['VAT: EUR 2,199.12\nTotal: EUR 12,671.12', 'table', 'text/plain'],
    ['a,b\n1,2,3\n', 'table', 'text/plain'],
    ['{"a": [1, 2', 'json', 'application/json'],
    ['{"a": 1}\n{"b": 2}', 'json', 'application/jsonl'],
    ['{"a": 1}\n{"b": 2', 'jsonl', 'application/jsonl'],
    ['{\n"a": 1}', 'jsonl', 'application/json'],
    ['<html>{}', 'json', 'text/html'],
  ] as const)(
    'is what the sender calls it where the form allows that: %j as a %s',
    async (text, declared, mediaType) => {
      expect(await textType(text, declared)).toBe(mediaType)
    },
  )

  test('is found in one pass over any number of comments', async () => {
    expect(await textType(`${'<!---->'.repeat(2_000)}words`)).toBe('text/plain')
    expect(await textType(`${'<!-- a --> '.repeat(500)}<html>`)).toBe('text/html')
  })
})
