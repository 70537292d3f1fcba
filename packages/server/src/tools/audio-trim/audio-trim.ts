import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaName, mediaOf } from '../pictures.ts'
import { spanInput, spanOf, withTimed } from '../timed.ts'

/** A stretch of sound. */
export const audioTrim = tool({
  name: 'audio.trim',
  toolset: 'audio',
  description:
    'Cuts a stretch out of a piece of sound, or out of the sound of a film, keeps it as MP3, and answers its id: {"id": "aud_…"}.',
  answers: '{ id: string; filename: string }',
  input: z.object({ audio: mediaName, ...spanInput }),
  async run({ audio, ...span }, context, signal) {
    const wish = { span: spanOf(span), as: 'mp3' as const }
    const bytes = await withTimed(context, audio, (transcoder, path) => transcoder.trim(path, wish, signal), signal)
    const filename = `from-${span.from_seconds}-to-${span.to_seconds}.mp3`
    const id = await mediaOf(context).keep({ kind: 'aud', filename, contentType: 'audio/mpeg', bytes })
    return { id, filename }
  },
})
