import type { Tier } from '../pricing/pricing.ts'

/** The queue's topic of each tier: one of its own, so that each has reserved slots. */
export const topicOf: Readonly<Record<Tier, string>> = {
  priority: 'execution.priority',
  standard: 'execution.standard',
  flex: 'execution.flex',
}

/** The queue's topic for runs of evaluations: a job for each that ended or paused, with the workspace and the id of its evaluation. */
export const evaluationTopic = 'evaluation'

/** The queue's topic of batches: a job for each execution that ended or paused, and for each change of a batch, with the workspace and the batch's id. */
export const batchTopic = 'batch'
