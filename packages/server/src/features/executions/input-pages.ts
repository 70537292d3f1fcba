import type { Clock } from '@skillrun/core/clock.ts'
import { archiveEntryJob } from '@skillrun/reader/media/archive/archive.ts'
import { drawPageJob, drawTerms } from '@skillrun/reader/media/draw-page.ts'
import { pageWordsJob, wordsTerms } from '@skillrun/reader/media/page-words.ts'
import { z } from 'zod'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import {
  drawingReply,
  findPublicFile,
  loadFile,
  pageParams,
  pageQuery,
  pageWordsSchema,
  refuseUnknownPage,
  wireWords,
} from '../files/files.ts'
import { archiveTerms, bytesOfDataUrl, type ExecutionInput, inputNamed } from '../inputs/inputs.ts'
import { refuseUnretained } from './retention.ts'
import { loadOriginal } from './store/find-execution.ts'

interface InputPageParts {
  readonly processPool: ProcessPool
  readonly blobs: Blobs
  readonly clock: Clock
  readonly signingSecret: Uint8Array
}

const inputName = { input: z.string().meta({ description: 'Name of the input, as in evidence' }) }

/** Serves pages of inputs that came inside a request and of files in archives and emails; the files feature serves those of other files. */
export function inputPageRoutes(parts: InputPageParts): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/agent/executions/{id}/pages/{page}',
      operation: 'drawInputPage',
      summary: 'Render a page of an inline or archived PDF or image as PNG, as for files',
      tag: 'executions',
      scope: 'read',
      params: pageParams,
      query: pageQuery.extend(inputName),
      reply: { status: 200, description: 'The image', contentType: 'image/png' },
      failures: [400, 404, 409, 413, 415],
      async handle({ db, caller, params, query, signal }) {
        const of = { workspaceId: caller.workspaceId, id: params.id, input: query.input, signal }
        const bytes = await sentBytes({ ...parts, db }, of)
        const terms = { ...drawTerms, signal, share: { group: caller.workspaceId, rank: 0 } }
        const wanted = { bytes, page: params.page, width: query.width }
        const png = await parts.processPool.run(drawPageJob, wanted, terms).catch(refuseUnknownPage(params.page))
        return drawingReply(png, { 'Cache-Control': 'private, no-cache' })
      },
    }),
    route({
      method: 'get',
      path: '/v1/agent/executions/{id}/pages/{page}/words',
      operation: 'readInputPage',
      summary:
        'Get the words of a page of an inline or archived office file, e-book, email, PDF file or image; of a scan by OCR',
      tag: 'executions',
      scope: 'read',
      params: pageParams,
      query: z.object(inputName),
      reply: { status: 200, description: 'The words', schema: pageWordsSchema },
      failures: [400, 404, 409, 413, 415],
      async handle({ db, caller, params, query, signal }) {
        const of = { workspaceId: caller.workspaceId, id: params.id, input: query.input, signal }
        const bytes = await sentBytes({ ...parts, db }, of)
        const terms = { ...wordsTerms, signal, share: { group: caller.workspaceId, rank: 0 } }
        const wanted = { bytes, page: params.page }
        const found = await parts.processPool.run(pageWordsJob, wanted, terms).catch(refuseUnknownPage(params.page))
        return { json: wireWords(found) }
      },
    }),
  ]
}

interface StoredParts extends InputPageParts {
  readonly db: Db
}

interface Wanted {
  readonly workspaceId: string
  readonly id: string
  readonly input: string
  readonly signal: AbortSignal
}

/** The bytes of an input inside the request, or of a file in an archive. */
async function sentBytes(parts: StoredParts, of: Wanted): Promise<Uint8Array> {
  const execution = await loadOriginal(parts.db, of)
  refuseUnretained(execution)
  const found = inputNamed({ execution }, of.input)
  if (found && found.name !== of.input) return entryBytes(parts, of, found)
  if (found?.source.kind === 'data') return bytesOfDataUrl(found.source.url)
  throw refused(of, found ? 'was not sent inline in the request' : 'is not an input of the execution')
}

const refused = ({ input }: Wanted, why: string): Error => invalid(['query', 'input'], `The input ${why}`, { input })

/** The bytes of a file in an archive or email, extracted in the process pool. Files in one that a run fetched are gone. */
async function entryBytes(parts: StoredParts, of: Wanted, archive: ExecutionInput): Promise<Uint8Array> {
  const { source } = archive
  const terms = { ...archiveTerms(of.signal), share: { group: of.workspaceId, rank: 0 } }
  const name = of.input.slice(archive.name.length + 1)
  if (source.kind === 'data' || source.kind === 'text') {
    const bytes = source.kind === 'data' ? bytesOfDataUrl(source.url) : Buffer.from(source.text)
    return parts.processPool.run(archiveEntryJob, { bytes, name }, terms)
  }
  const file =
    source.kind === 'file'
      ? await loadFile(parts, { workspaceId: of.workspaceId, id: source.fileId })
      : await findPublicFile(parts, source.url)
  if (file?.workspaceId !== of.workspaceId)
    throw refused(of, 'is in an archive or email that was fetched from a URL, and fetched files are not retained')
  return parts.blobs.localPath(file.sha256, (path) => parts.processPool.run(archiveEntryJob, { path, name }, terms))
}
