import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaName, mediaOf } from '../images.ts'
import { spanInput, spanOf, withTimed } from '../timed.ts'

/** A time range of a video as an MP4 artifact. */
export const videoTrim = tool({
  name: 'video.trim',
  toolset: 'video',
  description:
    'Cut a time range out of a video and save it as an MP4 artifact. Returns its id; to include the artifact in your answer, write {"id": "vid_…"}.',
  answers: '{ id: string; filename: string }',
  input: z.object({ video: mediaName, ...spanInput }),
  async run({ video, ...span }, context, signal) {
    const requested = { span: spanOf(span), as: 'mp4' as const }
    const bytes = await withTimed(
      context,
      video,
      (transcoder, path) => transcoder.trim(path, requested, signal),
      signal,
    )
    const filename = `from-${span.from_seconds}-to-${span.to_seconds}.mp4`
    const id = await mediaOf(context).keep({ kind: 'vid', filename, contentType: 'video/mp4', bytes })
    return { id, filename }
  },
})
