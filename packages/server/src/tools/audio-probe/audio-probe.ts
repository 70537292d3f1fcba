import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaName } from '../pictures.ts'
import { withTimed } from '../timed.ts'

/** What a piece of sound says of itself. */
export const audioProbe = tool({
  name: 'audio.probe',
  toolset: 'audio',
  description:
    'Tells the facts of a piece of sound: duration in seconds, codec, channels, sample rate, tags such as title and artist.',
  answers:
    '{ container: string; durationSeconds: number | null; audio: { codec: string; channels: number; sampleRate: number } | null; tags: Record<string, string> }',
  input: z.object({ audio: mediaName }),
  run: ({ audio }, context, signal) =>
    withTimed(
      context,
      audio,
      async (transcoder, path) => {
        const { video: _video, subtitleTracks: _tracks, ...facts } = await transcoder.probe(path, signal)
        return facts as unknown as Json
      },
      signal,
    ),
})
