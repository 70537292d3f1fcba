import type { Job } from '@skillrun/core/job.ts'
import type { PackedDocument } from '../packed-document.ts'
import type { MediaFacts } from './media-facts.ts'

/** Speech with start and end in seconds. */
export interface SpokenPart {
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly text: string
}

/** The parts of a video or audio file, read separately. */
export interface TimedParts {
  readonly facts: MediaFacts
  /** Frames, read and packed, in time order. */
  readonly frames: readonly { readonly atSeconds: number; readonly packed: Uint8Array }[]
  /** The number of scenes of a video whose cuts were searched, one more than the cuts; null otherwise, and for audio. */
  readonly sceneCount: number | null
  /** Null without a transcriber. */
  readonly spoken: readonly SpokenPart[] | null
  /** What is missing, in sentences. */
  readonly notes: readonly string[]
}

/** Combines the parts into one document with a page for the facts, for each frame, and for the speech. */
export const assembleTimedJob: Job<TimedParts, PackedDocument> = {
  name: 'assemble-timed',
  module: new URL('./assemble.job.ts', import.meta.url),
}
