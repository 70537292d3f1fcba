import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { needsFfmpeg, type Span, type Transcoder } from '../adapters/transcoder/transcoder.ts'
import type { ToolContext } from '../agent/tool.ts'
import { chosenName, mediaOf } from './pictures.ts'

/** A stretch that one call may make: what comes of it must fit an artifact. */
const stretchSecondsMax = 600

const seconds = z.number().min(0).max(360_000)

/** Where a stretch begins and ends. */
export const spanInput = {
  from_seconds: seconds,
  to_seconds: seconds,
}

/** The span of an input. Faults `bad_span` for one that is none or too long. */
export function spanOf({ from_seconds, to_seconds }: { from_seconds: number; to_seconds: number }): Span {
  if (to_seconds <= from_seconds)
    throw new Fault('invalid', 'bad_span', `to_seconds should be more than from_seconds, which is ${from_seconds}`)
  if (to_seconds - from_seconds > stretchSecondsMax)
    throw new Fault('invalid', 'bad_span', `A stretch may have ${stretchSecondsMax} seconds`)
  return { fromSeconds: from_seconds, toSeconds: to_seconds }
}

/** Calls `use` with the transcoder and a local file of sound or film. */
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
