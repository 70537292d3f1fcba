import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaName } from '../images.ts'
import { withTimed } from '../timed.ts'

/** Scene changes of a video. */
export const videoScenes = tool({
  name: 'video.scenes',
  toolset: 'video',
  description:
    'Find the scene changes of a video. Returns the times of the cuts in seconds, in order; an empty list means one continuous scene. Use it to choose the times for `video.frames` or `video.trim`.',
  answers: '{ cuts: number[] }',
  input: z.object({ video: mediaName }),
  run: ({ video }, context, signal) =>
    withTimed(context, video, async (transcoder, path) => ({ cuts: await transcoder.scenes(path, signal) }), signal),
})
