import { z } from 'zod'
import { Fault } from '../../kit/fault.ts'
import { isId } from '../../kit/ids.ts'
import { drawPageJob, drawTerms } from '../../media/draw-page.ts'
import { pageWordsJob } from '../../media/page-words.ts'
import type { Db } from '../../seams/db/db.ts'
import { type Route, route } from '../../seams/http/route.ts'
import { invalid } from '../../seams/http/validation.ts'
import type { Workshop } from '../../seams/workshop/workshop.ts'
import { drawingReply, pageParams, pageQuery, pageWordsSchema, refuseUnknownPage, wireWords } from '../files/files.ts'
import { bytesOfDataUrl } from './bring.ts'
import { refuseUnretained } from './retention.ts'
import { findOriginal } from './store.ts'

interface InputPageParts {
  readonly db: Db
  readonly workshop: Workshop
}

const inputName = { input: z.string().meta({ description: 'Name of the input, as evidence calls it' }) }

/** Looking at the pages of inputs that came within a request; those of files are at the files. */
export function inputPageRoutes(parts: InputPageParts): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/agent/executions/{id}/pages/{page}',
      operation: 'drawInputPage',
      summary: 'A page of a PDF or a picture that was sent within the request, drawn as PNG as those of files are',
      tag: 'executions',
      scope: 'read',
      params: pageParams,
      query: pageQuery.extend(inputName),
      reply: { status: 200, description: 'The drawing', contentType: 'image/png' },
      failures: [400, 404, 409, 413, 415],
      async handle({ caller, params, query, signal }) {
        const bytes = await sentBytes(parts, { workspaceId: caller.workspaceId, id: params.id, input: query.input })
        const terms = { ...drawTerms, signal, share: { group: caller.workspaceId, rank: 0 } }
        const wish = { bytes, page: params.page, width: query.width }
        const png = await parts.workshop.run(drawPageJob, wish, terms).catch(refuseUnknownPage(params.page))
        return drawingReply(png, { 'Cache-Control': 'private, no-cache' })
      },
    }),
    route({
      method: 'get',
      path: '/v1/agent/executions/{id}/pages/{page}/words',
      operation: 'readInputPage',
      summary: 'The words of a page of an office file or a book that was sent within the request',
      tag: 'executions',
      scope: 'read',
      params: pageParams,
      query: z.object(inputName),
      reply: { status: 200, description: 'The words', schema: pageWordsSchema },
      failures: [400, 404, 409, 413, 415],
      async handle({ caller, params, query, signal }) {
        const bytes = await sentBytes(parts, { workspaceId: caller.workspaceId, id: params.id, input: query.input })
        const terms = { ...drawTerms, signal, share: { group: caller.workspaceId, rank: 0 } }
        const wish = { bytes, page: params.page }
        const found = await parts.workshop.run(pageWordsJob, wish, terms).catch(refuseUnknownPage(params.page))
        return { json: wireWords(found) }
      },
    }),
  ]
}

/** The bytes of an input that the request carried. */
async function sentBytes(
  { db }: InputPageParts,
  of: { readonly workspaceId: string; readonly id: string; readonly input: string },
): Promise<Buffer> {
  const id = of.id.toLowerCase()
  const execution = isId(id) ? await findOriginal(db, { workspaceId: of.workspaceId, id }) : undefined
  if (!execution) throw new Fault('missing', 'unknown_execution', 'There is no execution of this id in this workspace')
  refuseUnretained(execution)
  const found = execution.request.inputs.find(({ name }) => name === of.input)
  if (found?.source.kind === 'data') return bytesOfDataUrl(found.source.url)
  const why = found ? 'was not sent within the request as data' : 'is none of the execution'
  throw invalid(['query', 'input'], `The input ${why}`, { input: of.input })
}
