import type { Job } from '@skillrun/core/job.ts'
import type { Reading } from '../reading.ts'
import type { MediaFacts } from './media-facts.ts'

/** What is said from one second to another. */
export interface SpokenPart {
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly text: string
}

/** The parts of a video or of sound that were read one by one. */
export interface TimedParts {
  readonly facts: MediaFacts
  /** Pictures, read and packed, in the order of their times. */
  readonly frames: readonly { readonly atSeconds: number; readonly packed: Uint8Array }[]
  /** Scenes of a film that was looked through for cuts, one more than its cuts; null where it was not, and for sound. */
  readonly sceneCount: number | null
  /** Null where nobody could say what is said. */
  readonly spoken: readonly SpokenPart[] | null
  /** What could not be had, in sentences. */
  readonly notes: readonly string[]
}

/** Brings the parts together as one document: its facts, its pictures, what is said; each a page. */
export const assembleTimedJob: Job<TimedParts, Reading> = {
  name: 'assemble-timed',
  module: new URL('./assemble.job.ts', import.meta.url),
}
