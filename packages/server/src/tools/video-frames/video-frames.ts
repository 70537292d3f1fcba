import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaName, mediaOf } from '../pictures.ts'
import { withTimed } from '../timed.ts'

const framesMax = 20

/** Pictures of a film. */
export const videoFrames = tool({
  name: 'video.frames',
  toolset: 'video',
  description:
    'Takes the pictures of a film at these seconds and keeps them. Answers the id of each; refer to one in your answer as {"id": "img_…"}, or look into it with the tools for pictures.',
  answers: '{ frames: Array<{ at_seconds: number; id: string }> }',
  input: z.object({
    video: mediaName,
    at_seconds: z.array(z.number().min(0).max(360_000)).min(1).max(framesMax),
    width: z.int().min(16).max(4_000).default(1_200),
  }),
  async run({ video, at_seconds, width }, context, signal) {
    const media = mediaOf(context)
    const asked = { atSeconds: at_seconds, width }
    const taken = await withTimed(context, video, (transcoder, path) => transcoder.frames(path, asked, signal), signal)
    const frames = []
    for (const { atSeconds, png } of taken) {
      const filename = `frame-${atSeconds}.png`
      frames.push({
        at_seconds: atSeconds,
        id: await media.keep({ kind: 'img', filename, contentType: 'image/png', bytes: png }),
      })
    }
    return { frames }
  },
})
