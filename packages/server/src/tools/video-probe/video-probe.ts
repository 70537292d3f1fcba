import { asJson } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaName } from '../images.ts'
import { withTimed } from '../timed.ts'

/** Technical facts of a video. */
export const videoProbe = tool({
  name: 'video.probe',
  toolset: 'video',
  description:
    'Return technical facts of a video: container, duration in seconds, size in pixels, frames per second, codecs, number of subtitle tracks, and tags. It does not return what the video shows or says.',
  answers:
    '{ container: string; durationSeconds: number | null; video: { codec: string; width: number; height: number; framesPerSecond: number | null } | null; audio: { codec: string; channels: number; sampleRate: number } | null; subtitleTracks: number; tags: Record<string, string> }',
  input: z.object({ video: mediaName }),
  run: ({ video }, context, signal) =>
    withTimed(context, video, async (transcoder, path) => asJson(await transcoder.probe(path, signal)), signal),
})
