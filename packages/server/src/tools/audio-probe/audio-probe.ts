import { asJson } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaName } from '../images.ts'
import { withTimed } from '../timed.ts'

/** Technical facts of an audio file or of a video's audio track. */
export const audioProbe = tool({
  name: 'audio.probe',
  toolset: 'audio',
  description:
    'Return technical facts of an audio file, or of the audio track of a video: container, duration in seconds, codec, channels, sample rate and tags such as title and artist. It does not return what is said; use `audio.transcribe` for that.',
  answers:
    '{ container: string; durationSeconds: number | null; audio: { codec: string; channels: number; sampleRate: number } | null; tags: Record<string, string> }',
  input: z.object({ audio: mediaName }),
  run: ({ audio }, context, signal) =>
    withTimed(
      context,
      audio,
      async (transcoder, path) => {
        const { video: _video, subtitleTracks: _tracks, ...facts } = await transcoder.probe(path, signal)
        return asJson(facts)
      },
      signal,
    ),
})
