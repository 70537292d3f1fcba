import { readFile, stat } from 'node:fs/promises'
import { Fault } from '@skillrun/core/fault.ts'
import { drawTerms } from '@skillrun/reader/media/draw-page.ts'
import { imageSizes, pageImageJob } from '@skillrun/reader/media/page-image.ts'
import type { DocumentText } from '../../../agent/document-text.ts'
import type { ShownPart } from '../../../agent/opening.ts'
import {
  aloneIn,
  findVideoImages,
  inputNamed,
  keepVideoImages,
  useBytes,
  variantOf,
  withNamedBytes,
} from '../../inputs/inputs.ts'
import type { ModelFacts } from '../../models/models.ts'
import type { ReadParts } from '../parts.ts'
import { reservePrice } from '../reserve-price.ts'
import type { Run } from '../run-state.ts'
import { beginStep, findStep, record } from '../transcript.ts'
import type { ParsedInput } from './read-inputs.ts'

/** Most pages of one execution that a model is shown. */
const imagesMax = 16
const drawTool = 'document.draw'
/** Total size of files sent unchanged, per execution: providers accept requests of 20 MB and more, base64 included. */
const filesBytesMax = 12 * 1024 * 1024
/** Most pages of a PDF sent unchanged; providers accept a hundred. */
const pdfPagesMax = 100
/** Tokens of a PDF page, a second of audio and a second of video, estimated high. */
const tokensOfEach = { pdf: 4_000, audio: 40, video: 320 } as const
/** The share of a model's context for files sent unchanged. */
const filesShare = 0.4

interface Showing {
  readonly texts: readonly DocumentText[]
  readonly parsedInputs: readonly ParsedInput[]
  readonly facts: Pick<ModelFacts, 'takesImages' | 'takesFiles' | 'contextTokens'>
}

/**
 * What a model sees of the inputs besides their text, by input. PDFs with image pages, audio and video are sent unchanged to a model that
 * accepts them if they are short enough; otherwise image pages are rendered, the first sixteen of all inputs together. A page that cannot
 * be rendered has only its text: reading it has already reported problems.
 */
export async function showInputs(
  parts: ReadParts,
  run: Run,
  from: Showing,
): Promise<ReadonlyMap<string, readonly ShownPart[]>> {
  const shown = new Map<string, readonly ShownPart[]>()
  const room = { images: imagesMax, bytes: filesBytesMax, tokens: from.facts.contextTokens * filesShare }
  for (const text of from.texts) {
    const file = await fileAsItIs(parts, run, { text, facts: from.facts, room })
    if (file) {
      shown.set(text.input, [file])
      room.bytes -= file.bytes.length
      room.tokens -= file.tokens
      continue
    }
    const pages = from.facts.takesImages ? text.imagePages.slice(0, room.images) : []
    room.images -= pages.length
    const times = from.parsedInputs.find((one) => one.input === text.input)?.document.atSeconds
    if (pages.length > 0) shown.set(text.input, await drawPages(parts, run, { input: text.input, pages, times }))
  }
  return shown
}

const kinds = { 'application/pdf': 'pdf', audio: 'audio', video: 'video' } as const

/** The file itself, if the model accepts it and there is room. */
async function fileAsItIs(
  parts: ReadParts,
  run: Run,
  of: { text: DocumentText; facts: Showing['facts']; room: { bytes: number; tokens: number } },
): Promise<Extract<ShownPart, { kind: 'file' }> | undefined> {
  const { text, facts, room } = of
  const kind = kinds[text.mediaType as keyof typeof kinds]
  if (!kind || !facts.takesFiles.includes(kind)) return undefined
  const isPdf = kind === 'pdf'
  // A text layer carries the same content for fewer tokens; some pages cannot be sent separately.
  if (isPdf && (text.imagePages.length === 0 || text.pageCount > pdfPagesMax || run.execution.request.pageIndices))
    return undefined
  return withNamedBytes(parts, run, text.input, async ({ path }) => {
    if ((await stat(path)).size > room.bytes) return undefined
    const facts = isPdf ? undefined : await parts.media.transcoder.probe(path, run.signal)
    const tokens = Math.ceil((facts ? (facts.durationSeconds ?? Infinity) : text.pageCount) * tokensOfEach[kind])
    const mediaType = facts ? mediaTypeOf(kind === 'video', facts.container) : 'application/pdf'
    if (tokens > room.tokens || mediaType === undefined) return undefined
    const filename = text.input.split('/').at(-1) ?? text.input
    return { kind: 'file', bytes: await readFile(path), mediaType, filename, tokens }
  })
}

/** The media type of a container name of ffmpeg, for types that providers accept. */
function mediaTypeOf(isVideo: boolean, container: string): string | undefined {
  const names = container.split(',')
  if (names.includes('mp4')) return isVideo ? 'video/mp4' : 'audio/mp4'
  if (names.includes('webm')) return isVideo ? 'video/webm' : undefined
  if (isVideo) return undefined
  return { mp3: 'audio/mpeg', wav: 'audio/wav', flac: 'audio/flac', ogg: 'audio/ogg', aac: 'audio/aac' }[container]
}

async function drawPages(
  parts: ReadParts,
  run: Run,
  wanted: { input: string; pages: readonly number[]; times: ParsedInput['document']['atSeconds'] },
): Promise<readonly ShownPart[]> {
  const isRecorded = findStep(run, drawTool, { key: 'input', value: wanted.input }) !== undefined
  if (!isRecorded) beginStep(run)
  const reservation = isRecorded ? undefined : await reservePrice(parts, run, { name: drawTool })
  const startedAt = parts.clock.now()
  const { signal } = run
  const detail = inputNamed(run, wanted.input)?.detail ?? 'auto'
  const draw = (path: string, page: number): Promise<Uint8Array | undefined> =>
    parts.processPool.run(pageImageJob, { path, page, ...imageSizes[detail] }, { ...drawTerms, signal }).then(
      ({ bytes }) => bytes,
      (error: unknown) => {
        if (error instanceof Fault && !error.retryable) return undefined
        throw error
      },
    )
  const framesOf = async (path: string, atSeconds: readonly number[]) => {
    const { width } = imageSizes[detail]
    const frames = await parts.media.transcoder.frames(path, { atSeconds, width }, signal)
    return Promise.all(frames.map(({ png }) => useBytes(parts, Buffer.from(png), (frame) => draw(frame.path, 0))))
  }
  const images = await withNamedBytes(parts, run, wanted.input, async ({ path, sha256 }) => {
    if (!wanted.times) return there(await Promise.all(wanted.pages.map((page) => draw(path, page))))
    const atSeconds = wanted.pages.flatMap((page) => wanted.times?.[page] ?? [])
    // Finding the frames of a video takes seconds: they are stored like parsed documents.
    const variant = `${detail} at ${atSeconds.join(',')} s, ${variantOf(run.execution)}`
    const place = { workspaceId: run.fence.workspaceId, sha256, variant }
    const kept = await findVideoImages(parts.db, place)
    if (kept) return kept
    const made = there(await framesOf(path, atSeconds))
    await keepVideoImages(parts.db, { ...place, images: made, now: parts.clock.now(), fence: aloneIn(run) })
    return made
  })
  if (!isRecorded)
    await record(parts, run, {
      kind: 'tool',
      name: drawTool,
      detail: { input: wanted.input, pages: wanted.pages, ...(detail === 'auto' ? {} : { detail }) },
      result: { pictures: images.map((bytes) => ({ bytes: bytes.length })) },
      startedAt,
      reservation,
    })
  return images.map((bytes) => ({ kind: 'image', bytes, mediaType: 'image/jpeg', detail }))
}

const there = (images: readonly (Uint8Array | undefined)[]): readonly Uint8Array[] =>
  images.filter((one) => one !== undefined)

/** Counts the images for a model before rendering any. */
export const countImages = (parsedInputs: readonly ParsedInput[]): number =>
  Math.min(
    imagesMax,
    parsedInputs.reduce((sum, { document }) => sum + document.pagesRecognised, 0),
  )
