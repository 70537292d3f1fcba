import { asJson, type Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { detailOf, type Ending, markAnswering, resultOf, usageOf } from '../executions/executions.ts'
import type { EngineParts } from './parts.ts'
import { readInputs } from './reading/read-inputs.ts'
import { transcribeTool } from './reading/read-timed.ts'
import type { Run } from './run-state.ts'
import { speech } from './steps/recorded.ts'

const span = z.object({ stretch: z.string(), fromSeconds: z.number(), toSeconds: z.number() })

/** Answers with what the transcriber wrote down of the recording, with times in seconds from its start. */
export async function answerTranscript(parts: EngineParts, run: Run): Promise<Ending> {
  const { transcriber } = parts.media
  const isMarked = run.execution.answeredBy === transcriber?.name
  if (transcriber && !isMarked)
    await markAnswering(parts.db, run.fence, { answeredBy: transcriber.name, reason: 'a transcription was asked for' })
  await readInputs(parts, run)
  const stretches = run.transcript
    .filter(({ kind, name, detail }) => kind === 'tool' && name === transcribeTool && span.safeParse(detail).success)
    .map((step) => ({ ...detailOf(step, span), ...resultOf(step, speech) }))
    .toSorted((a, b) => a.fromSeconds - b.fromSeconds)
  const segments = stretches.flatMap(({ fromSeconds, toSeconds, text, parts: spoken }) =>
    (spoken.length > 0 ? spoken : [{ fromSeconds: 0, toSeconds: toSeconds - fromSeconds, text }])
      .filter((one) => one.text.trim() !== '')
      .map((one) => ({
        start: fromSeconds + one.fromSeconds,
        end: fromSeconds + one.toSeconds,
        text: one.text.trim(),
      })),
  )
  const response: Json = asJson({
    text: stretches
      .map(({ text }) => text.trim())
      .filter(Boolean)
      .join(' '),
    duration: stretches.at(-1)?.toSeconds ?? 0,
    segments,
  })
  const isHeard = stretches.length > 0
  return {
    status: isHeard ? 'completed' : 'failed',
    response: isHeard ? response : null,
    evidence: null,
    error: isHeard ? null : { code: 'no_speech', message: noSpeech(transcriber !== undefined), retryable: false },
    usage: usageOf(run.transcript, undefined),
    now: parts.clock.now(),
  }
}

const noSpeech = (isConfigured: boolean): string =>
  isConfigured
    ? 'The file has no sound to transcribe; of a video with subtitles, these are read instead by POST /v1/agent/execute'
    : 'No transcriber is configured on this server; the operator sets one under `transcription` in the configuration'
