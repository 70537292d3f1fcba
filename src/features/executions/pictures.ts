import type { DocumentText } from '../../agent/document-text.ts'
import { Fault } from '../../kit/fault.ts'
import { drawTerms } from '../../media/draw-page.ts'
import { pictureJob } from '../../media/picture.ts'
import type { Reading } from '../../media/reading.ts'
import { withBytes } from './bring.ts'
import type { NamedReading, ReadParts } from './read-inputs.ts'
import { beginStep, findStep, type Run, record } from './transcript.ts'

/** Pages of one execution that a model is shown. */
const picturesMax = 16
/** Pixels across: a page of A4 is then 1700 high, about what providers look at. */
const pictureWidth = 1_200
const drawTool = 'document.draw'

/**
 * The pages that are pictures, drawn for a model to look at, by input; the first sixteen of all inputs together. A page that
 * cannot be drawn is left to its text: the reading said already what could be read.
 */
export async function drawPictures(
  parts: ReadParts,
  run: Run,
  from: { texts: readonly DocumentText[]; readings: readonly NamedReading[] },
): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
  const drawn = new Map<string, readonly Uint8Array[]>()
  let room = picturesMax
  for (const { input, pictured } of from.texts) {
    const pages = pictured.slice(0, room)
    room -= pages.length
    const times = from.readings.find((one) => one.input === input)?.reading.atSeconds
    if (pages.length > 0) drawn.set(input, await drawPages(parts, run, { input, pages, times }))
  }
  return drawn
}

async function drawPages(
  parts: ReadParts,
  run: Run,
  wanted: { input: string; pages: readonly number[]; times: Reading['atSeconds'] },
): Promise<readonly Uint8Array[]> {
  const input = run.execution.request.inputs.find((one) => one.name === wanted.input)
  if (!input) return []
  const isRecorded = findStep(run, drawTool, { key: 'input', value: wanted.input }) !== undefined
  if (!isRecorded) beginStep(run)
  const startedAt = parts.clock.now()
  const { signal } = run
  const place = { workspaceId: run.fence.workspaceId, executionId: run.fence.id, input, signal }
  const pictures = await withBytes(parts, place, async ({ path }) => {
    if (wanted.times) {
      const atSeconds = wanted.pages.flatMap((page) => wanted.times?.[page] ?? [])
      const frames = await parts.transcoder.frames(path, { atSeconds, width: pictureWidth }, signal)
      return frames.map(({ png }) => ({ bytes: png }))
    }
    const drawn = await Promise.all(
      wanted.pages.map((page) =>
        parts.workshop
          .run(pictureJob, { path, page, width: pictureWidth }, { ...drawTerms, signal })
          .catch((error: unknown) => {
            if (error instanceof Fault && !error.retryable) return undefined
            throw error
          }),
      ),
    )
    return drawn.filter((one) => one !== undefined)
  })
  if (!isRecorded)
    await record(parts, run, {
      kind: 'tool',
      name: drawTool,
      detail: { input: wanted.input, pages: wanted.pages },
      result: { pictures: pictures.map(({ bytes }) => ({ bytes: bytes.length })) },
      startedAt,
    })
  return pictures.map(({ bytes }) => bytes)
}

/** Counts what a model would look at, before anything is drawn. */
export const countPictures = (readings: readonly NamedReading[]): number =>
  Math.min(
    picturesMax,
    readings.reduce((sum, { reading }) => sum + reading.pagesRecognised, 0),
  )
