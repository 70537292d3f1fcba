import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { chosenName, mediaName, mediaOf } from '../pictures.ts'
import { spanInput, spanOf, withTimed } from '../timed.ts'

/** What is said in a stretch of sound. */
export const audioTranscribe = tool({
  name: 'audio.transcribe',
  toolset: 'audio',
  description:
    'Writes down what is said in a stretch of sound or film, with the seconds of its parts. Speech of inputs was written down when they were read, where somebody hears: use it for what was made in this run, or for a second hearing. It costs money.',
  answers: '{ text: string; parts: Array<{ fromSeconds: number; toSeconds: number; text: string }> }',
  input: z.object({ audio: mediaName, ...spanInput }),
  run({ audio, ...span }, context, signal) {
    const { hear } = context
    if (!hear)
      throw new Fault(
        'unsupported',
        'nobody_hears',
        'No provider that hears is configured on this server (transcription)',
      )
    const name = chosenName(mediaOf(context), audio)
    return withTimed(
      context,
      name,
      async (_transcoder, path) => (await hear({ name, path, ...spanOf(span) }, signal)) as unknown as Json,
      signal,
    )
  },
})
