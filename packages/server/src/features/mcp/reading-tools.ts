import { Fault } from '@skillrun/core/fault.ts'
import { type Json, valueAt } from '@skillrun/core/json.ts'
import { declaredByName, declaredByType } from '@skillrun/reader/media/declared-text.ts'
import { type PackedDocument, readDocumentJob } from '@skillrun/reader/media/packed-document.ts'
import { z } from 'zod'
import { limits } from '../../core/limits.ts'
import { shortTextJob } from '../../tools/document-read/short-text.ts'
import { searchJob } from '../../tools/document-search/search.ts'
import { type executionRecord, listSteps, loadOriginal, refuseUnretained } from '../executions/executions.ts'
import { loadFile } from '../files/files.ts'
import {
  declaredByDataUrl,
  findParsedDocumentLike,
  keepParsedDocument,
  readTool,
  smallTextOf,
  variantOf,
} from '../inputs/inputs.ts'
import { type McpCall, mcpTool } from './tool.ts'

type Evidence = NonNullable<z.infer<typeof executionRecord>['evidence']>[string]

const evidenceOutput = z.object({
  id: z.string(),
  values: z.array(
    z.looseObject({
      path: z.string().describe('JSON Pointer into the response'),
      value: z.unknown(),
      status: z
        .string()
        .describe(
          'verified: found in the document exactly; normalised: found in another format; derived: inferred; unsupported: not found',
        ),
      confidence: z.number(),
    }),
  ),
})

export const evidenceTool = mcpTool({
  name: 'evidence',
  title: 'Evidence for the values of a response',
  description:
    'Says for each value of a response where it was found: input, 0-based page, box as fractions of the page [x, y, width, height], quote, and confidence from 0 to 1. For values that were not found, `candidates` lists what they may be. Use it to check values with low confidence before you rely on them.',
  input: z.strictObject({
    id: z.string().min(1).max(100).describe('Id of the execution'),
    path: z.string().max(1_000).default('').describe('JSON Pointer: only this value and those below it'),
    below: z.number().min(0).max(1).optional().describe('Only values with a lower confidence'),
  }),
  output: evidenceOutput,
  isReadOnly: true,
  async run({ id, path, below = Number.POSITIVE_INFINITY }, { route }) {
    const { json } = await route('getExecution', { params: { id } })
    const { response, evidence } = json as z.infer<typeof executionRecord>
    if (evidence === null)
      throw new Fault(
        'missing',
        'no_evidence',
        'The execution has no evidence: it has not completed, or had no documents',
      )
    const chosen = Object.entries(evidence).filter(
      ([at, { confidence }]) => (path === '' || at === path || at.startsWith(`${path}/`)) && confidence < below,
    )
    return {
      structured: {
        id,
        values: chosen.map(([at, found]: [string, Evidence]) => ({
          path: at,
          value: valueAt(response as Json, at) ?? null,
          ...found,
        })),
      },
    }
  },
})

export const searchDocumentTool = mcpTool({
  name: 'search_document',
  title: 'Search a document',
  description:
    'Searches an uploaded file, or an input of an execution, for a phrase, ignoring case and accents; scanned pages are searched too. Returns the number of matching lines and the first 20 of them, each with its 1-based page and the lines before and after. A phrase is only found within one line, so search for a few distinctive words.',
  input: z
    .strictObject({
      query: z.string().min(1).max(200).describe('Phrase to find within one line'),
      file_id: z.string().max(100).optional().describe('Id of an uploaded file'),
      execution_id: z.string().max(100).optional().describe('Id of an execution, instead of file_id'),
      input: z.string().max(1_000).optional().describe('Name of the input; optional if the execution read only one'),
    })
    .refine((of) => (of.file_id === undefined) !== (of.execution_id === undefined), 'Give file_id or execution_id'),
  output: z.object({
    count: z.int(),
    hits: z.array(z.object({ page: z.int(), line: z.string(), before: z.string(), after: z.string() })),
  }),
  isReadOnly: true,
  async run({ query, file_id: fileId, execution_id: executionId = '', input }, call) {
    const { packed } =
      fileId === undefined ? await documentOfInput(call, executionId, input) : await documentOfFile(call, fileId)
    const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: call.signal }
    return { structured: { ...(await call.processPool.run(searchJob, { packed, query }, terms)) } }
  },
})

/** A file as it was read earlier, or read now. */
async function documentOfFile(call: McpCall, id: string): Promise<PackedDocument> {
  const { db, caller, clock, blobs, processPool, signal, route } = call
  await route('getFile', { params: { id } })
  const file = await loadFile({ db }, { workspaceId: caller.workspaceId, id })
  const { workspaceId } = caller
  const { sha256 } = file
  const declared = declaredByName(file.filename) ?? declaredByType(file.contentType)
  const variant = variantOf({ id: '', request: { pageIndices: null, caching: true } }, { declared })
  const kept = await findParsedDocumentLike(db, { workspaceId, sha256, variant })
  if (kept) return kept
  const terms = {
    wallMs: limits.readWallMs,
    memoryMb: limits.readMemoryMb,
    signal,
    share: { group: workspaceId, rank: 1 },
  }
  const document = await blobs.localPath(sha256, (path) =>
    processPool.run(readDocumentJob, { path, ...(declared && { declared }) }, terms),
  )
  await keepParsedDocument(db, { workspaceId, sha256, variant, document, now: clock.now(), fence: undefined })
  return document
}

/** An input as the execution read it. */
async function documentOfInput(call: McpCall, given: string, name: string | undefined): Promise<PackedDocument> {
  const { db, caller, processPool, signal, route } = call
  await route('listExecutionSteps', { params: { id: given } })
  const execution = await loadOriginal(db, { workspaceId: caller.workspaceId, id: given })
  const { workspaceId, id } = execution
  refuseUnretained(execution)
  const reads = (await listSteps(db, execution)).flatMap(({ name: step, detail }) => {
    const { input, sha256 } = (detail ?? {}) as { input?: unknown; sha256?: unknown }
    return step === readTool && typeof input === 'string' && typeof sha256 === 'string' ? [{ input, sha256 }] : []
  })
  const [only, ...others] = reads
  const read = name === undefined && others.length === 0 ? only : reads.find((one) => one.input === name)
  if (!read)
    throw new Fault(
      'invalid',
      'unknown_input',
      `${name === undefined ? 'Give input' : `The execution read no input ${JSON.stringify(name)}`}; it read: ${reads.map((one) => one.input).join(', ') || 'nothing'}`,
    )
  const { pageIndices, inputs } = execution.request
  const sent = inputs.find((one) => one.name === read.input)
  const small = sent && smallTextOf(sent)
  // Short texts are stored with the request alone: reading them again costs less than keeping what was read.
  if (small) {
    const declared = sent.source.kind === 'data' ? declaredByDataUrl(sent.source.url) : undefined
    const request = { bytes: small, ...(declared && { declared }), ...(pageIndices && { pageIndices }) }
    const terms = { wallMs: limits.readWallMs, memoryMb: limits.readMemoryMb, signal }
    return (await processPool.run(shortTextJob, request, terms)).document
  }
  const sha256 = Buffer.from(read.sha256, 'hex')
  const variant = variantOf({ id, request: { pageIndices, caching: true } })
  const document = await findParsedDocumentLike(db, { workspaceId, sha256, variant })
  if (document) return document
  throw new Fault(
    'missing',
    'no_reading',
    `The text of the input ${JSON.stringify(read.input)} is no longer stored; upload the document and search it by file_id`,
  )
}
