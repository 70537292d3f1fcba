import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { asJson } from '@skillrun/core/json.ts'
import { type PackedDocument, readDocumentJob } from '@skillrun/reader/media/packed-document.ts'
import { assembleTimedJob, type SpokenPart, type TimedParts } from '@skillrun/reader/media/timed/assemble.ts'
import { type FrameRequest, frameTimes } from '@skillrun/reader/media/timed/frame-times.ts'
import type { MediaFacts } from '@skillrun/reader/media/timed/media-facts.ts'
import { parseSubtitles } from '@skillrun/reader/media/timed/subtitles.ts'
import type { Transcript } from '../../../adapters/models/transcriber.ts'
import { limits } from '../../../core/limits.ts'
import { resultOf } from '../../executions/executions.ts'
import type { ReadParts, RunTranscriber } from '../parts.ts'
import { releasePrice, reservePrice } from '../reserve-price.ts'
import { ReplayDiverged, type Run } from '../run-state.ts'
import { speech } from '../steps/recorded.ts'
import { beginStep, findStep, record, recordedBy } from '../transcript.ts'

/** The step of transcribing a segment. */
export const transcribeTool = 'audio.transcribe'
const frameWidth = 1_200
/** Longest video whose key frames are searched for cuts; longer ones are sampled evenly. */
const cutsSecondsMax = 3_600
/** One call of a transcriber: ten minutes at 32 kbit/s are 2.4 MB, and providers accept 25. */
const stretchSeconds = 600
/** Most audio that is transcribed of one input. */
const heardSecondsMax = 3 * 3_600

/**
 * Reads audio or video as a document: a page of facts, the frames with recognised text, and the speech, from subtitles or a transcriber.
 * Throws Faults of the transcoder and of the provider, and BudgetSpent.
 */
export async function readTimed(
  parts: ReadParts,
  run: Run,
  of: { input: string; path: string; signal: AbortSignal },
): Promise<PackedDocument> {
  const { processPool } = parts
  const { transcoder } = parts.media
  const { path, signal } = of
  const facts = await transcoder.probe(path, signal)
  if (!facts.video && !facts.audio)
    throw new Fault('unsupported', 'unsupported_input', 'The file contains neither audio nor video')
  const notes: string[] = []
  const { frames, sceneCount } = facts.video
    ? await readFrames(parts, { ...of, facts, requested: run.execution.request.frames ?? null, notes })
    : { frames: [], sceneCount: null }
  const spoken = await spokenIn(parts, run, { ...of, facts, notes })
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.readMemoryMb, signal }
  return processPool.run(assembleTimedJob, { facts, frames, sceneCount, spoken, notes }, terms)
}

async function readFrames(
  { media: { transcoder }, processPool, storage }: ReadParts,
  of: { path: string; facts: MediaFacts; requested: FrameRequest | null; notes: string[]; signal: AbortSignal },
): Promise<Pick<TimedParts, 'frames' | 'sceneCount'>> {
  const { path, facts, requested, notes, signal } = of
  const durationSeconds = facts.durationSeconds ?? 0
  const cuts = requested === null && durationSeconds <= cutsSecondsMax ? await transcoder.scenes(path, signal) : null
  const { atSeconds, left } = frameTimes({ durationSeconds, cuts: cuts ?? [] }, requested)
  if (left > 0) notes.push(`Images left out because there were too many: ${left}`)
  const frames = await transcoder.frames(path, { atSeconds, width: frameWidth }, signal)
  const folder = await mkdtemp(join(storage.temporaryFolder, 'frames-'))
  try {
    const terms = { wallMs: limits.readWallMs, memoryMb: limits.readMemoryMb, signal }
    const read = await Promise.all(
      frames.map(async (frame) => {
        const file = join(folder, `${frame.atSeconds}.png`)
        await writeFile(file, frame.png)
        const { packed } = await processPool.run(readDocumentJob, { path: file }, terms)
        return { atSeconds: frame.atSeconds, packed }
      }),
    )
    return { frames: read, sceneCount: cuts && cuts.length + 1 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function spokenIn(
  parts: ReadParts,
  run: Run,
  of: { input: string; path: string; facts: MediaFacts; notes: string[]; signal: AbortSignal },
): Promise<readonly SpokenPart[] | null> {
  const { facts, path, notes, signal } = of
  if (facts.subtitleTracks > 0) return parseSubtitles(await parts.media.transcoder.subtitles(path, signal))
  if (!facts.audio) return []
  if (!parts.media.transcriber) {
    notes.push('Speech was not transcribed: no transcriber is configured')
    return null
  }
  const heard = Math.min(facts.durationSeconds ?? stretchSeconds, heardSecondsMax)
  if ((facts.durationSeconds ?? 0) > heardSecondsMax)
    notes.push(`Speech after ${heardSecondsMax / 3_600} hours was not transcribed`)
  const spoken: SpokenPart[] = []
  for (let fromSeconds = 0; fromSeconds < heard; fromSeconds += stretchSeconds) {
    const toSeconds = Math.min(heard, fromSeconds + stretchSeconds)
    const stretch = await transcribeSegment(parts, run, {
      ...of,
      transcriber: parts.media.transcriber,
      fromSeconds,
      toSeconds,
    })
    if (!stretch) break
    const { text, parts: segments } = stretch
    const whole = [{ fromSeconds: 0, toSeconds: toSeconds - fromSeconds, text }]
    for (const one of segments.length > 0 ? segments : whole)
      if (one.text.trim() !== '')
        spoken.push({
          fromSeconds: fromSeconds + one.fromSeconds,
          toSeconds: fromSeconds + one.toSeconds,
          text: one.text,
        })
  }
  return spoken
}

/** A shorter MP3 is a header without audio. */
const soundBytesMin = 512
/** Bytes per second of the transcoder's speech format. */
const soundBytesPerSecond = 4_000

/**
 * Transcribes one segment, unless the transcript has it. Undefined after the end of the audio, whatever length the file claims: then
 * nothing is sent or paid.
 */
export async function transcribeSegment(
  parts: ReadParts,
  run: Run,
  of: {
    input: string
    path: string
    transcriber: RunTranscriber
    fromSeconds: number
    toSeconds: number
    signal: AbortSignal
  },
): Promise<Transcript | undefined> {
  const { transcriber, fromSeconds, toSeconds, signal } = of
  const key = `${of.input} from ${fromSeconds}`
  const recorded = findStep({ transcript: recordedBy(run) }, transcribeTool, { key: 'stretch', value: key })
  if (recorded) return resultOf(recorded, speech)
  const bytes = await parts.media.transcoder.speech(of.path, { fromSeconds, toSeconds }, signal)
  if (bytes.length < soundBytesMin) return undefined
  if (run.replayed) throw new ReplayDiverged(`the record has no transcript of ${key} s`)
  beginStep(run)
  const startedAt = parts.clock.now()
  const seconds = Math.min(toSeconds - fromSeconds, bytes.length / soundBytesPerSecond)
  const micros = Math.ceil((seconds * transcriber.microsPerMinute) / 60)
  const price = { name: transcribeTool, micros, detail: { model: transcriber.name } }
  const reservation = await reservePrice(parts, run, price)
  let transcript: Transcript
  try {
    const opened = await transcriber.open()
    transcript = await opened.transcribe({ bytes, mediaType: 'audio/mpeg', wallMs: limits.modelCallWallMs }, signal)
  } catch (error) {
    await releasePrice(parts, run, reservation)
    throw error
  }
  await record(parts, run, {
    kind: 'tool',
    name: transcribeTool,
    detail: { stretch: key, input: of.input, fromSeconds, toSeconds, model: transcriber.name },
    result: asJson(transcript),
    startedAt,
    costMicros: micros,
    reservation,
  })
  return transcript
}
