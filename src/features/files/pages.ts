import { Readable } from 'node:stream'
import { z } from 'zod'
import { drawPageJob, drawTerms } from '../../media/draw-page.ts'
import { type PageWords, pageWordsJob } from '../../media/page-words.ts'
import type { Blobs } from '../../seams/blobs/blobs.ts'
import type { Db } from '../../seams/db/db.ts'
import { pathInteger, queryInteger } from '../../seams/http/query.ts'
import { type Route, route } from '../../seams/http/route.ts'
import { invalid } from '../../seams/http/validation.ts'
import type { Workshop } from '../../seams/workshop/workshop.ts'
import { loadFile } from './files.ts'

const pageNumberMax = 1_000_000
/** The path of every route on a page of something. */
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
    columns: z.int().min(1).meta({ description: 'Characters across, on a grid of one cell a character' }),
    rows: z.int().min(1),
    words: z.array(
      z.object({
        text: z.string(),
        bbox: z.tuple([fraction, fraction, fraction, fraction]).meta({ description: 'As evidence gives it' }),
      }),
    ),
    left_out: z.int().min(0).meta({ description: 'Words that the page has beyond these' }),
  })
  .meta({ id: 'PageWords' })

/** Changes whenever a page would be drawn otherwise, so that no browser keeps an older drawing. */
const drawer = 'page-1'

interface PageParts {
  readonly db: Db
  readonly blobs: Blobs
  readonly workshop: Workshop
}

/** Drawing a page of a file, or telling its words, for those who want to look at what was read. */
export function pageRoutes(parts: PageParts): Route[] {
  return [
    wordsRoute(parts),
    route({
      method: 'get',
      path: '/v1/files/{id}/pages/{page}',
      operation: 'drawFilePage',
      summary: 'A page of a PDF, or a picture, drawn as PNG with the proportions in which evidence gives its boxes',
      tag: 'files',
      scope: 'read',
      params: pageParams,
      query: pageQuery,
      reply: { status: 200, description: 'The drawing', contentType: 'image/png' },
      otherReplies: [{ status: 304, description: 'The client has it already' }],
      failures: [400, 404, 413, 415],
      async handle({ caller, params, query, headers, signal }) {
        const file = await loadFile(parts, { workspaceId: caller.workspaceId, id: params.id })
        const etag = `"${drawer}-${file.sha256.toString('hex')}-${params.page}-${query.width}"`
        const always = { ETag: etag, 'Cache-Control': 'private, no-cache' }
        if (headers['if-none-match'] === etag) return { status: 304, stream: Readable.from([]), headers: always }
        const wish = { page: params.page, width: query.width }
        const share = { group: caller.workspaceId, rank: 0 }
        const png = await parts.blobs
          .localPath(file.sha256, (path) =>
            parts.workshop.run(drawPageJob, { path, ...wish }, { ...drawTerms, signal, share }),
          )
          .catch(refuseUnknownPage(params.page))
        return drawingReply(png, always)
      },
    }),
  ]
}

function wordsRoute(parts: PageParts): Route {
  return route({
    method: 'get',
    path: '/v1/files/{id}/pages/{page}/words',
    operation: 'readFilePage',
    summary: 'The words of a page of an office file or a book, with the boxes that evidence gives',
    tag: 'files',
    scope: 'read',
    params: pageParams,
    reply: { status: 200, description: 'The words', schema: pageWordsSchema },
    failures: [400, 404, 413, 415],
    async handle({ caller, params, signal }) {
      const file = await loadFile(parts, { workspaceId: caller.workspaceId, id: params.id })
      const share = { group: caller.workspaceId, rank: 0 }
      const found = await parts.blobs
        .localPath(file.sha256, (path) =>
          parts.workshop.run(pageWordsJob, { path, page: params.page }, { ...drawTerms, signal, share }),
        )
        .catch(refuseUnknownPage(params.page))
      return { json: wireWords(found) }
    },
  })
}

/** A drawn page on its way out. */
export const drawingReply = (png: Uint8Array, headers: Readonly<Record<string, string>>) => ({
  stream: Readable.from([Buffer.from(png)]),
  headers: {
    ...headers,
    'Content-Type': 'image/png',
    'Content-Length': String(png.length),
    'Content-Security-Policy': "default-src 'none'; sandbox",
  },
})

/** The words of a page as the wire shows them. */
export const wireWords = ({ mediaType, pageCount, columns, rows, words, leftOut }: PageWords) => ({
  ...{ content_type: mediaType, page_count: pageCount, columns, rows, left_out: leftOut },
  words: words.map(({ text, box }) => ({ text, bbox: box })),
})

/** A page that is not there is a mistake in the path of the request. */
export const refuseUnknownPage = (page: number) => (error: unknown) => {
  if (error instanceof Error && 'code' in error && error.code === 'unknown_page')
    throw invalid(['path', 'page'], error.message.replace(/\.$/, ''), { input: page })
  throw error
}
