import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaName } from '../pictures.ts'
import { withTimed } from '../timed.ts'

/** Where a film cuts. */
export const videoScenes = tool({
  name: 'video.scenes',
  toolset: 'video',
  description: 'Finds the seconds at which the picture of a film changes as at a cut.',
  answers: '{ cuts: number[] }',
  input: z.object({ video: mediaName }),
  run: ({ video }, context, signal) =>
    withTimed(context, video, async (transcoder, path) => ({ cuts: await transcoder.scenes(path, signal) }), signal),
})
