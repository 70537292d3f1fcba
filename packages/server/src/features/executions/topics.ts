import type { Tier } from '../pricing/pricing.ts'

/** The queue's topic of each tier, so that each tier has reserved slots. */
export const topicOf: Readonly<Record<Tier, string>> = {
  priority: 'execution.priority',
  standard: 'execution.standard',
  flex: 'execution.flex',
}

/** The queue's topic for runs of evaluations: a job with workspace and evaluation id for each run that ended or paused. */
export const evaluationTopic = 'evaluation'

/**
 * The queue's topic of batches: a job with workspace and batch id for each execution that ended, paused or got its uploads, and for each
 * change of the batch.
 */
export const batchTopic = 'batch'
