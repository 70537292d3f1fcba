import type { Job } from '@skillrun/core/job.ts'

/** What a trial job is asked to do, with one argument where it takes one. */
export interface Trial {
  readonly act:
    | 'echo'
    | 'calls'
    | 'environment'
    | 'fault'
    | 'error'
    | 'package'
    | 'text'
    | 'sleep'
    | 'loop'
    | 'resident'
    | 'heap'
    | 'exit'
    | 'later'
    | 'leave'
    | 'output'
    | 'function'
    | 'write'
    | 'read'
    | 'list'
    | 'decode'
    | 'paint'
    | 'spawn'
  readonly value?: unknown
}

/** A job that behaves as badly as it is asked to; only tests run it. */
export const trialJob: Job<Trial, unknown> = {
  name: 'trial',
  module: new URL('./trial.job.ts', import.meta.url),
}
