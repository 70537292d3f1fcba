import { Readable } from 'node:stream'
import { z } from 'zod'
import { drawPageJob, drawTerms } from '../../media/draw-page.ts'
import type { Blobs } from '../../seams/blobs/blobs.ts'
import type { Db } from '../../seams/db/db.ts'
import { pathInteger, queryInteger } from '../../seams/http/query.ts'
import { type Route, route } from '../../seams/http/route.ts'
import { invalid } from '../../seams/http/validation.ts'
import type { Workshop } from '../../seams/workshop/workshop.ts'
import { loadFile } from './files.ts'

const pageNumberMax = 1_000_000
const pageParams = z.object({
  id: z.string(),
  page: pathInteger({ min: 0, max: pageNumberMax }, '0-based'),
})
const pageQuery = z.object({
  width: queryInteger({ min: 16, max: 2_000, fallback: 1_000 }, 'Pixels across'),
})

/** Changes whenever a page would be drawn otherwise, so that no browser keeps an older drawing. */
const drawer = 'page-1'

/** Drawing a page of a file, for those who want to look at what was read. */
export function pageRoutes(parts: { db: Db; blobs: Blobs; workshop: Workshop }): Route[] {
  return [
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
        return {
          stream: Readable.from([Buffer.from(png)]),
          headers: {
            ...always,
            'Content-Type': 'image/png',
            'Content-Length': String(png.length),
            'Content-Security-Policy': "default-src 'none'; sandbox",
          },
        }
      },
    }),
  ]
}

/** A page that the file does not have is a mistake in the path of the request. */
const refuseUnknownPage = (page: number) => (error: unknown) => {
  if (error instanceof Error && 'code' in error && error.code === 'unknown_page')
    throw invalid(['path', 'page'], error.message.replace(/\.$/, ''), { input: page })
  throw error
}
