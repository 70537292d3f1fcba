import { Readable } from 'node:stream'
import type { PageWords } from '@skillrun/reader/media/page-words.ts'
import { z } from 'zod'
import { pathInteger, queryInteger } from '../../adapters/http/query.ts'
import { invalid } from '../../adapters/http/validation.ts'

const pageNumberMax = 1_000_000
/** The path of every route on a page. */
export const pageParams = z.object({
  id: z.string(),
  page: pathInteger({ min: 0, max: pageNumberMax }, '0-based'),
})
export const pageQuery = z.object({
  width: queryInteger({ min: 16, max: 2_000, fallback: 1_000 }, 'Pixels across'),
})

const fraction = z.number().min(0).max(1)
export const pageWordsSchema = z
  .object({
    content_type: z.string(),
    page_count: z.int().min(1),
    columns: z.int().min(1).meta({
      description:
        'Width of the page in characters, the page being a grid with one character per cell; of a PDF file, in points',
    }),
    rows: z.int().min(1),
    words: z.array(
      z.object({
        text: z.string(),
        bbox: z
          .tuple([fraction, fraction, fraction, fraction])
          .meta({ description: 'Same coordinates as in evidence' }),
      }),
    ),
    left_out: z.int().min(0).meta({ description: 'Number of further words on the page' }),
  })
  .meta({ id: 'PageWords' })

/** The reply with a rendered page. */
export const drawingReply = (png: Uint8Array, headers: Readonly<Record<string, string>>) => ({
  stream: Readable.from([Buffer.from(png)]),
  headers: {
    ...headers,
    'Content-Type': 'image/png',
    'Content-Length': String(png.length),
    'Content-Security-Policy': "default-src 'none'; sandbox",
  },
})

/** The words of a page in wire format. */
export const wireWords = ({ mediaType, pageCount, columns, rows, words, leftOut }: PageWords) => ({
  ...{ content_type: mediaType, page_count: pageCount, columns, rows, left_out: leftOut },
  words: words.map(({ text, box }) => ({ text, bbox: box })),
})

/** A page out of range is an error in the path of the request. */
export const refuseUnknownPage = (page: number) => (error: unknown) => {
  if (error instanceof Error && 'code' in error && error.code === 'unknown_page')
    throw invalid(['path', 'page'], error.message.replace(/\.$/, ''), { input: page })
  throw error
}
