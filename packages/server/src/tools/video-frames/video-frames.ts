import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaName, mediaOf } from '../images.ts'
import { withTimed } from '../timed.ts'

const framesMax = 20

/** Frames of a video as image artifacts. */
export const videoFrames = tool({
  name: 'video.frames',
  toolset: 'video',
  description:
    'Extract frames of a video at given times and save each as an image artifact. Returns the id of each frame; pass it to an image tool, or write {"id": "img_…"} to include the frame in your answer. Use `video.scenes` first to find where the picture changes.',
  answers: '{ frames: Array<{ at_seconds: number; id: string }> }',
  input: z.object({
    video: mediaName,
    at_seconds: z
      .array(z.number().min(0).max(360_000))
      .min(1)
      .max(framesMax)
      .describe('Times of the frames, in seconds from the start'),
    width: z.int().min(16).max(4_000).default(1_200).describe('Width of the images in pixels'),
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
