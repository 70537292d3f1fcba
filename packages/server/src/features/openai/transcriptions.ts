import { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { FailureBody } from '../../adapters/http/failure-form.ts'
import { type Incoming, type Reply, type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { awaitTurn, endOfTurn, type TurnParts, turnFailure } from '../chat/chat.ts'
import { createExecution } from '../executions/executions.ts'
import { deleteFile, type FileParts, type FileRecord, receiveFile } from '../files/files.ts'
import { idempotencyKeyOf } from '../idempotency/idempotency.ts'

export interface TranscriptionParts extends Omit<TurnParts, 'db'> {
  /** Longest wait for a transcript, in milliseconds. */
  readonly chatWaitMs: number
  readonly files: FileParts
  /** Name of the configured transcriber, such as `openai/whisper-1`; undefined without one. */
  readonly transcriber: string | undefined
}

const path = '/v1/openai/audio/transcriptions'
const formats = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const
type Format = (typeof formats)[number]

/** What runs answer to a transcription. */
const spoken = z.object({
  text: z.string(),
  duration: z.number(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
})
type Spoken = z.infer<typeof spoken>

const transcription = z
  .looseObject({
    text: z.string(),
    usage: z.object({ type: z.literal('duration'), seconds: z.number() }),
    execution_id: z.string(),
  })
  .meta({ id: 'OpenAITranscription' })

/** OpenAI's transcription of recordings, as executions whose answer is the transcript. */
export function transcriptionRoutes(parts: TranscriptionParts): Route[] {
  return [
    route({
      method: 'post',
      path,
      operation: 'createTranscription',
      tag: 'openai',
      scope: 'execute',
      summary: 'Transcribe a recording in the part `file`; needs a configured transcriber. The file is not kept',
      body: 'stream',
      reply: {
        status: 200,
        description: 'The transcript; as text for the formats text, srt and vtt',
        schema: transcription,
      },
      failures: [400, 402, 404, 409, 413, 503],
      handle: (call) => transcribe(parts, call),
    }),
  ]
}

async function transcribe(
  parts: TranscriptionParts,
  call: Pick<Incoming<unknown, unknown, undefined>, 'db' | 'caller' | 'headers' | 'stream' | 'signal'>,
): Promise<Reply<z.infer<typeof transcription> | FailureBody>> {
  const { db, caller, headers, signal } = call
  let format: Format = 'json'
  let sent: object = {}
  const file = await receiveFile(parts.files, call, (fields) => {
    format = formatOf(fields, parts.transcriber)
    sent = Object.fromEntries(fields)
    return 'user_data'
  })
  const own = { ...parts, db }
  const created = await accept(own, { caller, headers, signal, file, sent }).finally(() =>
    // The execution holds the bytes until it has ended.
    deleteFile({ ...parts.files, db }, { ...caller, id: file.id }),
  )
  const place = { workspaceId: caller.workspaceId, id: created.id }
  const awaited = awaitTurn(own, place, {
    waitMs: parts.chatWaitMs,
    signal,
    goesOn: Boolean(idempotencyKeyOf(headers)),
  })
  const ended = await endOfTurn(awaited.following)
  const about = { execution: created.id }
  const transcript =
    ended?.status === 'completed' && isJsonObject(ended.response) ? spoken.parse(ended.response) : undefined
  if (!transcript) return { ...turnFailure({ ...awaited, path }, ended), about }
  return { ...replyIn(format, transcript, created.id), about }
}

function accept(
  parts: TurnParts,
  {
    file,
    sent,
    headers,
    ...call
  }: Pick<Incoming<unknown, unknown, undefined>, 'caller' | 'headers' | 'signal'> & {
    file: FileRecord
    /** The other fields of the form. */
    sent: object
  },
) {
  const inputs = { recording: { type: 'input_file', file_id: file.id } }
  return createExecution(parts, {
    ...call,
    // What other executions read of the recording has no steps to answer from.
    body: { inputs, config: { prompt: 'Transcribe the recording', caching: false } },
    transcription: true,
    // The same recording has another id each time.
    sameAs: { sent, filename: file.filename, sha256: file.sha256.toString('hex') },
    idempotencyKey: idempotencyKeyOf(headers),
  })
}

/** Checks the other fields of the form. Throws ValidationFailures for what is not supported, and Faults for the model. */
function formatOf(fields: ReadonlyMap<string, string>, transcriber: string | undefined): Format {
  for (const [name, value] of fields) refuseUnsupported(name.replace(/\[\]$/, ''), value)
  const model = fields.get('model')
  if (model === undefined) throw invalid(['body', 'model'], 'Field required', { type: 'missing' })
  if (transcriber === undefined)
    throw new Fault(
      'invalid',
      'no_transcriber',
      'No transcriber is configured on this server; the operator sets one under `transcription` in the configuration',
    )
  const known = ['whisper-1', transcriber, transcriber.slice(transcriber.indexOf('/') + 1)]
  if (!known.includes(model))
    throw new Fault(
      'missing',
      'model_not_found',
      `The model ${JSON.stringify(model.slice(0, 100))} is not configured here; use ${[...new Set(known)].join(' or ')}`,
    )
  const wanted = fields.get('response_format') ?? 'json'
  const format = formats.find((one) => one === wanted)
  if (!format)
    throw invalid(['body', 'response_format'], `response_format must be one of ${formats.join(', ')}`, {
      type: 'unsupported_parameter',
    })
  return format
}

/** Values that change nothing, by field; other values, and other fields of OpenAI's, are refused. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  stream: ['false'],
  temperature: ['0'],
  timestamp_granularities: ['segment'],
  chunking_strategy: ['auto'],
  language: [],
  prompt: [],
  include: [],
  known_speaker_names: [],
  known_speaker_references: [],
}

function refuseUnsupported(name: string, value: string): void {
  if (name === 'model' || name === 'response_format') return
  const allowed = harmless[name]
  if (!allowed)
    throw invalid(['body', name.slice(0, 100)], `Unknown parameter: ${JSON.stringify(name.slice(0, 100))}`, {
      type: 'unknown_parameter',
    })
  if (allowed.includes(value)) return
  const hint = allowed.length > 0 ? `send ${allowed.join(' or ')}, or leave it out` : 'leave it out'
  throw invalid(['body', name], `${name} is not supported with this value: ${hint}`, { type: 'unsupported_parameter' })
}

function replyIn(format: Format, transcript: Spoken, id: string): Reply<z.infer<typeof transcription>> {
  const usage = { type: 'duration' as const, seconds: transcript.duration }
  const text = (body: string) => ({
    stream: Readable.from([body]),
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  })
  switch (format) {
    case 'json':
      return { json: { text: transcript.text, usage, execution_id: id } }
    case 'verbose_json':
      return {
        json: {
          task: 'transcribe',
          // The transcriber does not say which it heard.
          language: 'unknown',
          duration: transcript.duration,
          text: transcript.text,
          segments: transcript.segments.map((one, index) => ({ id: index, ...one })),
          usage,
          execution_id: id,
        },
      }
    case 'text':
      return text(`${transcript.text}\n`)
    case 'srt':
      return text(transcript.segments.map((one, index) => `${index + 1}\n${cueOf(one, ',')}\n`).join('\n'))
    case 'vtt':
      return text(`WEBVTT\n\n${transcript.segments.map((one) => `${cueOf(one, '.')}\n`).join('\n')}`)
  }
}

/** Times and text of a cue; a blank line would end it. */
const cueOf = ({ start, end, text }: Spoken['segments'][number], point: ',' | '.'): string =>
  `${timeOf(start, point)} --> ${timeOf(end, point)}\n${text.replaceAll(/\s*\n\s*/g, '\n').replaceAll('-->', '→')}`

function timeOf(seconds: number, point: ',' | '.'): string {
  const ms = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${point}${String(ms % 1000).padStart(3, '0')}`
}
