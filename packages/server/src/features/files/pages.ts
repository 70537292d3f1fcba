import { Readable } from 'node:stream'
import { drawPageJob, drawTerms } from '@skillrun/reader/media/draw-page.ts'
import { pageWordsJob, wordsTerms } from '@skillrun/reader/media/page-words.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { loadFile } from './files.ts'
import { drawingReply, pageParams, pageQuery, pageWordsSchema, refuseUnknownPage, wireWords } from './page-wire.ts'

/** Change this whenever rendering changes, so that no browser uses a page from its cache. */
const drawer = 'page-1'

interface PageParts {
  readonly blobs: Blobs
  readonly processPool: ProcessPool
}

/** Renders pages of files and lists their words, for people who check what was read. */
export function pageRoutes(parts: PageParts): Route[] {
  return [
    wordsRoute(parts),
    route({
      method: 'get',
      path: '/v1/files/{id}/pages/{page}',
      operation: 'drawFilePage',
      summary: 'Render a page of a PDF, or an image, as PNG in the aspect ratio of the boxes in evidence',
      tag: 'files',
      scope: 'read',
      params: pageParams,
      query: pageQuery,
      reply: { status: 200, description: 'The image', contentType: 'image/png' },
      otherReplies: [{ status: 304, description: 'The client already has it' }],
      failures: [400, 404, 413, 415],
      async handle({ db, caller, params, query, headers, signal }) {
        const file = await loadFile({ db }, { workspaceId: caller.workspaceId, id: params.id })
        const etag = `"${drawer}-${file.sha256.toString('hex')}-${params.page}-${query.width}"`
        const always = { ETag: etag, 'Cache-Control': 'private, no-cache' }
        if (headers['if-none-match'] === etag) return { status: 304, stream: Readable.from([]), headers: always }
        const wanted = { page: params.page, width: query.width }
        const share = { group: caller.workspaceId, rank: 0 }
        const png = await parts.blobs
          .localPath(file.sha256, (path) =>
            parts.processPool.run(drawPageJob, { path, ...wanted }, { ...drawTerms, signal, share }),
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
    summary:
      'Get the words of a page of an office file, e-book, email, PDF file or image, with boxes as in evidence; of a scan by OCR',
    tag: 'files',
    scope: 'read',
    params: pageParams,
    reply: { status: 200, description: 'The words', schema: pageWordsSchema },
    failures: [400, 404, 413, 415],
    async handle({ db, caller, params, signal }) {
      const file = await loadFile({ db }, { workspaceId: caller.workspaceId, id: params.id })
      const share = { group: caller.workspaceId, rank: 0 }
      const found = await parts.blobs
        .localPath(file.sha256, (path) =>
          parts.processPool.run(pageWordsJob, { path, page: params.page }, { ...wordsTerms, signal, share }),
        )
        .catch(refuseUnknownPage(params.page))
      return { json: wireWords(found) }
    },
  })
}
