import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { needsFfmpeg, type Span, type Transcoder } from '../adapters/transcoder/transcoder.ts'
import type { ToolContext } from '../agent/tool.ts'
import { chosenName, mediaOf } from './images.ts'

/** The longest time range of one call: the result must fit an artifact. */
const stretchSecondsMax = 600

const seconds = z.number().min(0).max(360_000)

/** A time range in seconds. */
export const spanInput = {
  from_seconds: seconds.describe('Start of the range, in seconds'),
  to_seconds: seconds.describe('End of the range, in seconds; at most 600 after the start'),
}

/** The time range of an input. Fault `bad_span` if it is empty or too long. */
export function spanOf({ from_seconds, to_seconds }: { from_seconds: number; to_seconds: number }): Span {
  if (to_seconds <= from_seconds)
    throw new Fault('invalid', 'bad_span', `to_seconds must be greater than from_seconds, which is ${from_seconds}`)
  if (to_seconds - from_seconds > stretchSecondsMax)
    throw new Fault(
      'invalid',
      'bad_span',
      `from_seconds to to_seconds is ${to_seconds - from_seconds} seconds; one call takes at most ${stretchSecondsMax}: split the range`,
    )
  return { fromSeconds: from_seconds, toSeconds: to_seconds }
}

/** Calls `use` with the transcoder and a local audio or video file. Fault `needs_ffmpeg`. */
export function withTimed<T>(
  context: ToolContext,
  name: string | undefined,
  use: (transcoder: Transcoder, path: string) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const media = mediaOf(context)
  const { transcoder } = context
  if (!transcoder) throw needsFfmpeg()
  return media.withBytes(chosenName(media, name), (path) => use(transcoder, path), signal)
}
