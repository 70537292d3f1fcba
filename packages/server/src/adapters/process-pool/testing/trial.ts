import type { Job } from '@skillrun/core/job.ts'

/** The behaviour of a trial job, with an argument if needed. */
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

/** A job that misbehaves as asked; only tests run it. */
export const trialJob: Job<Trial, unknown> = {
  name: 'trial',
  module: new URL('./trial.job.ts', import.meta.url),
}
