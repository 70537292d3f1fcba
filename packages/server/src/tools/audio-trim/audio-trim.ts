import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaName, mediaOf } from '../images.ts'
import { spanInput, spanOf, withTimed } from '../timed.ts'

/** A time range of audio as an MP3 artifact. */
export const audioTrim = tool({
  name: 'audio.trim',
  toolset: 'audio',
  description:
    'Cut a time range out of an audio file, or out of the audio track of a video, and save it as an MP3 artifact. Returns its id; to include the artifact in your answer, write {"id": "aud_…"}.',
  answers: '{ id: string; filename: string }',
  input: z.object({ audio: mediaName, ...spanInput }),
  async run({ audio, ...span }, context, signal) {
    const requested = { span: spanOf(span), as: 'mp3' as const }
    const bytes = await withTimed(
      context,
      audio,
      (transcoder, path) => transcoder.trim(path, requested, signal),
      signal,
    )
    const filename = `from-${span.from_seconds}-to-${span.to_seconds}.mp3`
    const id = await mediaOf(context).keep({ kind: 'aud', filename, contentType: 'audio/mpeg', bytes })
    return { id, filename }
  },
})
