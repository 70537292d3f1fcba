import { createHash } from 'node:crypto'
import { Fault } from '@skillrun/core/fault.ts'
import { asJson } from '@skillrun/core/json.ts'
import {
  type ArchiveContents,
  archiveEntriesMax,
  archiveEntryJob,
  listArchiveJob,
  looksArchived,
} from '@skillrun/reader/media/archive/archive.ts'
import { type DeclaredText, declaredByName } from '@skillrun/reader/media/declared-text.ts'
import { type PackedDocument, readDocumentJob, readerVersion } from '@skillrun/reader/media/packed-document.ts'
import { looksTimed } from '@skillrun/reader/media/timed/looks-timed.ts'
import { limits } from '../../../core/limits.ts'
import shortText from '../../../tools/document-read/short-text.job.ts'
import { isQuicklyRead, type ShortText, shortTextJob } from '../../../tools/document-read/short-text.ts'
import { takeApproval } from '../../approvals/approvals.ts'
import { isOwn, listSteps, resultOf, type Step } from '../../executions/executions.ts'
import {
  aloneIn,
  archiveTerms,
  declaredByDataUrl,
  type ExecutionInput,
  findParsedDocument,
  inputNamed,
  keepParsedDocument,
  type ResolvedInput,
  readTool,
  reuseOf,
  smallTextOf,
  useBytes,
  variantOf,
  withBytes,
  withNamedBytes,
} from '../../inputs/inputs.ts'
import type { Reservation } from '../../pricing/pricing.ts'
import { earlierDocument } from '../delta/earlier-document.ts'
import type { ReadParts } from '../parts.ts'
import { releasePrice, reservePrice } from '../reserve-price.ts'
import type { Run } from '../run-state.ts'
import { archiveContents } from '../steps/recorded.ts'
import { beginStep, findStep, record } from '../transcript.ts'
import { readTimed } from './read-timed.ts'
import { archiveTool, skipTool, tellSkipped } from './unread-files.ts'

/** An input, or a file of an archive among the inputs, with its parsed document. */
export interface ParsedInput {
  readonly input: string
  readonly document: PackedDocument
  /** What a program examines first of a short text. */
  readonly look?: Pick<ShortText, 'page' | 'words'>
}

/** The documents as jobs of the process pool take them. */
export const packedOf = (inputs: readonly ParsedInput[]): { input: string; packed: Uint8Array }[] =>
  inputs.map(({ input, document }) => ({ input, packed: document.packed }))

/** The steps that record what was read of the inputs. */
export const inputSteps: readonly string[] = [readTool, archiveTool, skipTool]

interface InputToRead {
  readonly run: Run
  readonly input: ExecutionInput
  readonly signal: AbortSignal
  readonly within: Nest
}

/** Where a file is: the input, and the number of archives and emails around the file. */
interface Nest {
  readonly outermost: ExecutionInput
  readonly depth: number
  /** The number of files that were found in the input so far. */
  readonly files: { found: number }
}

/** Archives and emails in others are opened to this depth. */
const nestDepthMax = 3

/**
 * Reads every input as positioned words, in parallel; the first failure stops the others. An input in the transcript is neither fetched nor
 * read again. Throws Faults that name the input.
 */
export async function readInputs(parts: ReadParts, run: Run): Promise<ParsedInput[]> {
  const stopped = new AbortController()
  const signal = AbortSignal.any([run.signal, stopped.signal])
  const inputs = run.execution.request.inputs.filter(
    (input) => input.source.kind !== 'text' || input.source.text.trim() !== '',
  )
  await takeReadApproval(parts, run, inputs)
  const failures: unknown[] = []
  const parsedInputs = await Promise.all(
    inputs.map(async (input) => {
      try {
        const within = { outermost: input, depth: 0, files: { found: 0 } }
        return await readInput(parts, { run, input, signal, within })
      } catch (error) {
        // A failure of the whole run is not the input's.
        const isOfInput = error instanceof Fault && error.code !== 'max_steps' && !run.signal.aborted
        failures.push(
          isOfInput
            ? new Fault(error.kind, error.code, `inputs.${input.name}: ${error.message}`, { cause: error })
            : error,
        )
        // Inputs already started when the steps ran out are finished and kept.
        if (!(error instanceof Fault && error.code === 'max_steps')) stopped.abort(error)
        return []
      }
    }),
  )
  if (failures.length > 0) throw failures[0]
  return parsedInputs.flat()
}

/** One approval covers reading all inputs. */
async function takeReadApproval(parts: ReadParts, run: Run, inputs: InputToRead['input'][]): Promise<void> {
  const unread = inputs.filter(({ name }) => !findStep(run, readTool, { key: 'input', value: name }))
  if (!run.replayed && unread.length === inputs.length && inputs.length > 0)
    await takeApproval(parts, run, {
      tool: readTool,
      input: { inputs: inputs.map(({ name }) => name) },
      isRepeatable: true,
    })
}

/** An input as its parsed document, each file of an archive as one, or the attachments of an email followed by it. */
async function readInput(parts: ReadParts, of: InputToRead): Promise<ParsedInput[]> {
  const { run, input, signal } = of
  const small = smallTextOf(input)
  if (small) return [await readSmall(parts, of, small)]
  const { workspaceId, id: executionId } = run.fence
  const place = { workspaceId, executionId, input, reuse: reuseOf(run.execution), signal }
  return (await readAgain(parts, of)) ?? withBytes(parts, place, (resolved) => readFound(parts, of, resolved))
}

/** What the transcript says of an input or of a file in one; undefined: nothing that is still stored. */
async function readAgain(parts: ReadParts, of: InputToRead): Promise<ParsedInput[] | undefined> {
  const { run, input } = of
  const opened = findStep(run, archiveTool, { key: 'input', value: input.name })
  if (opened) {
    const contents = resultOf(opened, archiveContents)
    countFiles(of, contents)
    return readArchive(parts, of, contents)
  }
  const kept = await keptDocument(parts, run, input.name)
  return kept && [{ input: input.name, document: kept }]
}

async function readFound(parts: ReadParts, of: InputToRead, resolved: ResolvedInput): Promise<ParsedInput[]> {
  const { run, input, signal, within } = of
  const { path, declared } = resolved
  const startedAt = parts.clock.now()
  const isOpened = within.depth < nestDepthMax && (await looksArchived(path, declared))
  const contents = isOpened
    ? await parts.processPool.run(listArchiveJob, { path, ...(declared && { declared }) }, archiveTerms(signal))
    : null
  if (!contents) return [{ input: input.name, document: await readResolved(parts, of, resolved) }]
  countFiles(of, contents)
  beginStep(run)
  const reservation = await reservePrice(parts, run, { name: archiveTool })
  const detail = { input: input.name, bytes: resolved.bytes, sha256: resolved.sha256.toString('hex') }
  const result = asJson(contents)
  await record(parts, run, { kind: 'tool', name: archiveTool, detail, result, startedAt, reservation })
  return readArchive(parts, of, contents, resolved)
}

/** Reads a short text: needs no file, and its parsed document is not stored. */
async function readSmall(parts: ReadParts, { run, input, signal }: InputToRead, bytes: Buffer): Promise<ParsedInput> {
  const { pageIndices } = run.execution.request
  const isRecorded = findStep(run, readTool, { key: 'input', value: input.name }) !== undefined
  if (!isRecorded) beginStep(run)
  const reservation = isRecorded ? undefined : await reservePrice(parts, run, { name: readTool })
  const startedAt = parts.clock.now()
  const terms = { wallMs: limits.readWallMs, memoryMb: limits.readMemoryMb, signal }
  const declared = input.source.kind === 'data' ? declaredByDataUrl(input.source.url) : undefined
  const request = { bytes, ...(declared && { declared }), ...(pageIndices && { pageIndices }) }
  const { document, ...look } = await (isQuicklyRead(bytes)
    ? shortText(request)
    : parts.processPool.run(shortTextJob, request, terms))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (!isRecorded)
    await recordDocument(parts, run, {
      input: input.name,
      bytes: bytes.length,
      sha256,
      document,
      startedAt,
      reservation,
    })
  return { input: input.name, document, look }
}

/** Records what was read. `isCached`: it was found, not read; absent: it is not stored, and the step is written later. */
async function recordDocument(
  parts: ReadParts,
  run: Run,
  of: {
    input: string
    bytes: number
    sha256: string
    document: PackedDocument
    startedAt: Date
    reservation: Reservation | undefined
    isCached?: boolean
    declared?: DeclaredText | undefined
  },
): Promise<void> {
  const { input, bytes, sha256, startedAt, reservation, isCached, declared } = of
  const { pageIndices } = run.execution.request
  const { packed: _packed, ...result } = of.document
  const pages = pageIndices ? `pages ${pageIndices.join(',')}` : 'all pages'
  await record(parts, run, {
    kind: 'tool',
    name: readTool,
    detail: { input, bytes, sha256, pages, reader: readerVersion, ...(declared && { declared }) },
    result: { ...result, cached: isCached ?? false },
    startedAt,
    reservation,
    isLate: isCached === undefined,
  })
}

/** Reads the files of an archive or email in order, then the email. Records those that cannot be read and continues. */
async function readArchive(
  parts: ReadParts,
  of: InputToRead,
  { entries, left, isMail }: ArchiveContents,
  opened?: ResolvedInput,
): Promise<ParsedInput[]> {
  const { run, input, signal, within } = of
  const parsedInputs: ParsedInput[] = []
  let failure: unknown
  const attempt = async (name: string, read: () => Promise<ParsedInput[]>): Promise<void> => {
    try {
      parsedInputs.push(...(await read()))
    } catch (error) {
      if (!(error instanceof Fault) || error.retryable || error.code === 'max_steps' || signal.aborted) throw error
      failure ??= error
      await tellSkipped(parts, run, { input: name, why: error.message })
    }
  }
  for (const { name } of entries) {
    const named = {
      ...of,
      input: { ...input, name: `${input.name}/${name}` },
      within: { ...within, depth: within.depth + 1 },
    }
    await attempt(named.input.name, async () => {
      // A tool, or a run that continues, would read the other input in its place.
      if (inputNamed(run, named.input.name) !== within.outermost)
        throw unreadable('another input has this name, or one that begins it; rename a slot')
      const known = await readAgain(parts, named)
      if (known) return known
      const use = (resolved: ResolvedInput) => readFound(parts, named, resolved)
      if (!opened) return withNamedBytes(parts, { ...run, signal }, named.input.name, use)
      const bytes = await parts.processPool.run(archiveEntryJob, { path: opened.path, name }, archiveTerms(signal))
      return useBytes(parts, Buffer.from(bytes), use, declaredByName(name))
    })
  }
  // Of what both could give, such as a date, the attachment counts: it is what was sent.
  if (isMail) await attempt(input.name, () => readItself(parts, of, opened))
  if (parsedInputs.length > 0) return parsedInputs
  if (failure) throw failure
  throw unreadable(
    left[0] ? `The archive contains no readable file: ${left[0].name}: ${left[0].why}` : 'The archive is empty',
  )
}

/** Bombs have archives in archives. */
function countFiles({ within: { files } }: InputToRead, { entries }: ArchiveContents): void {
  files.found += entries.length
  if (files.found > archiveEntriesMax)
    throw unreadable(
      `With its ${entries.length} files there are more than ${archiveEntriesMax} in the input, the limit`,
    )
}

/** An email without its attachments. */
async function readItself(parts: ReadParts, of: InputToRead, opened?: ResolvedInput): Promise<ParsedInput[]> {
  const { run, input, signal } = of
  const read = (resolved: ResolvedInput) => readResolved(parts, of, resolved)
  const document =
    (await keptDocument(parts, run, input.name)) ??
    (await (opened ? read(opened) : withNamedBytes(parts, { ...run, signal }, input.name, read)))
  return [{ input: input.name, document }]
}

const unreadable = (message: string): Fault => new Fault('invalid', 'unreadable_document', message)

/** The parsed document that the transcript names and the store holds. */
async function keptDocument(parts: ReadParts, run: Run, name: string): Promise<PackedDocument | undefined> {
  const recorded = findStep(run, readTool, { key: 'input', value: name })
  if (!recorded) return undefined
  const { sha256, declared } = recorded.detail as { sha256: string; declared?: DeclaredText }
  const variant = variantOf(run.execution, { heardBy: parts.media.transcriber?.name, declared })
  return findParsedDocument(parts.db, {
    workspaceId: run.fence.workspaceId,
    sha256: Buffer.from(sha256, 'hex'),
    variant,
  })
}

/** Reads available bytes, unless the workspace has their parsed document. */
async function readResolved(
  parts: ReadParts,
  of: InputToRead,
  { path, sha256, bytes, declared }: ResolvedInput,
): Promise<PackedDocument> {
  const { db, clock, processPool } = parts
  const { run, input, signal } = of
  const { workspaceId } = run.fence
  const { pageIndices } = run.execution.request
  const variant = variantOf(run.execution, { heardBy: parts.media.transcriber?.name, declared })
  const recorded = findStep(run, readTool, { key: 'input', value: input.name })
  const isRecorded = recorded !== undefined
  if (recorded && !isOwn(recorded)) refuseOtherBytes(recorded, sha256)
  if (!isRecorded) beginStep(run)
  const reservation = isRecorded ? undefined : await reservePrice(parts, run, { name: readTool })
  const startedAt = clock.now()
  const kept = await findParsedDocument(db, { workspaceId, sha256, variant })
  const terms = { wallMs: limits.readWallMs, memoryMb: limits.readMemoryMb, signal }
  const read = async (): Promise<PackedDocument> => {
    if (await looksTimed(path)) return readTimed(parts, run, { input: input.name, path, signal })
    const earlier = await earlierVersion(parts, run, input.name)
    const request = { path, ...(declared && { declared }), ...(pageIndices && { pageIndices }) }
    return processPool.run(readDocumentJob, { ...request, ...(earlier && { earlier: earlier.packed }) }, terms)
  }
  // What was not read costs nothing.
  const unread = async (error: unknown): Promise<never> => {
    await releasePrice(parts, run, reservation)
    throw error
  }
  const document = kept ?? (await read().catch(unread))
  const keep = async (): Promise<void> => {
    if (kept || run.replayed) return
    await keepParsedDocument(db, { workspaceId, sha256, variant, document, now: clock.now(), fence: aloneIn(run) })
  }
  const found = {
    input: input.name,
    bytes,
    sha256: sha256.toString('hex'),
    document,
    isCached: kept !== undefined,
    declared,
  }
  // Either of them alone is of use to a run that continues.
  await Promise.all([keep(), isRecorded || recordDocument(parts, run, { ...found, startedAt, reservation })])
  return document
}

/** The parsed document of the same input of the base, if the request has one. */
async function earlierVersion(parts: ReadParts, run: Run, input: string): Promise<PackedDocument | undefined> {
  const { baseExecution } = run.execution.request
  if (!baseExecution) return undefined
  const steps = await listSteps(parts.db, { workspaceId: run.fence.workspaceId, id: baseExecution })
  const earlier = await earlierDocument(parts, run, { steps, input })
  if (earlier) run.earlier.set(input, earlier)
  return earlier
}

/** Steps that a fork keeps depend on the original bytes. Fault `input_changed`. */
function refuseOtherBytes({ seq, detail }: Step, sha256: Buffer): void {
  if ((detail as { readonly sha256?: string }).sha256 === sha256.toString('hex')) return
  throw new Fault(
    'invalid',
    'input_changed',
    `Its bytes have changed since step ${seq}, which this fork keeps, read them; fork from step ${seq} or an earlier one, or rerun the execution`,
  )
}
