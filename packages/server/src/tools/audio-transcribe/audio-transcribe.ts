import { Fault } from '@skillrun/core/fault.ts'
import { asJson } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { chosenName, mediaName, mediaOf } from '../images.ts'
import { spanInput, spanOf, withTimed } from '../timed.ts'

/** Speech of a time range as text. */
export const audioTranscribe = tool({
  name: 'audio.transcribe',
  toolset: 'audio',
  description:
    'Transcribe the speech in a time range of an audio or video file. Returns the text and its segments with start and end in seconds. Inputs were already transcribed when they were read, if a transcriber is configured: use this tool only for files made in this run, or to check an unclear passage. Each call costs money.',
  answers: '{ text: string; parts: Array<{ fromSeconds: number; toSeconds: number; text: string }> }',
  input: z.object({ audio: mediaName, ...spanInput }),
  run({ audio, ...span }, context, signal) {
    const { transcribe } = context
    if (!transcribe)
      throw new Fault(
        'unsupported',
        'no_transcriber',
        'No transcriber is configured on this server; the operator sets one under `transcription` in the configuration',
      )
    const name = chosenName(mediaOf(context), audio)
    return withTimed(
      context,
      name,
      async (_transcoder, path) => asJson(await transcribe({ name, path, ...spanOf(span) }, signal)),
      signal,
    )
  },
})
