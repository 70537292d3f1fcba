import type { Db } from './adapters/db/db.ts'
import type { Job, Queue } from './adapters/queue/queue.ts'
import type { Config } from './config.ts'
import { limits } from './core/limits.ts'
import { type AdvanceParts, advanceEvaluation } from './features/evaluations/advance.ts'
import { settlePending, uploadSlots, uploadTopic } from './features/executions/accept/pending.ts'
import { evaluationTopic, topicOf } from './features/executions/topics.ts'
import { tiers } from './features/pricing/pricing.ts'
import { type CompileParts, compileProgram, programTopic } from './features/programs/programs.ts'
import { type RunParts, runExecution } from './features/runs/run.ts'
import { type ProveParts, proveSkill, proveTopic } from './features/skill-making/prove.ts'
import { type DeliverParts, deliverCallback } from './features/webhooks/deliver.ts'
import { makeUnderWay } from './features/webhooks/under-way.ts'
import { callbackTopic } from './features/webhooks/webhooks.ts'

/** Dependencies of all kinds of work. */
export type WorkParts = RunParts &
  AdvanceParts &
  ProveParts &
  CompileParts &
  Pick<DeliverParts, 'secretKeys' | 'egress'> & { readonly queue: Queue }

/** Starts workers for all kinds of jobs: runs of executions, callbacks, evaluations, proofs of skills, programs. */
export function startWork(config: Config, parts: WorkParts): void {
  const { queue } = parts
  startDelivery(config, parts)
  startEvaluations(queue, parts)
  queue.work(proveTopic, { total: limits.proofSlots }, (job, signal) => proveSkill(ofJob(parts, job), job, signal))
  queue.work(programTopic, { total: limits.programSlots, perGroup: 1 }, (job, signal) =>
    compileProgram(ofJob(parts, job), job, signal),
  )
  queue.work(uploadTopic, { total: uploadSlots }, (job) => settlePending(ofJob(parts, job), job))
  startRuns(queue, config, parts)
}

function startRuns(queue: Queue, config: Config, run: RunParts): void {
  const perGroup = run.runningPerWorkspace
  for (const tier of tiers) {
    const slots = { total: config.slots[tier], ...(perGroup === undefined ? {} : { perGroup }) }
    queue.work(topicOf[tier], slots, (job, signal) => runExecution(ofJob(run, job), job, signal))
  }
}

/** The same dependencies with the database confined to the job's workspace. */
const ofJob = <Parts extends { readonly db: Db }>(parts: Parts, job: Job): Parts => ({
  ...parts,
  db: parts.db.within(String(job.data['workspaceId'])),
})

function startDelivery(
  config: Config,
  parts: Omit<DeliverParts, 'pauses' | 'underWay'> & { readonly queue: Queue },
): void {
  const pauses = config.file.limits?.callback_retry_seconds?.map((seconds) => seconds * 1000)
  const deliver: DeliverParts = {
    ...parts,
    pauses: pauses ?? limits.callbackPausesMs,
    underWay: makeUnderWay(parts.clock),
  }
  const slots = { total: limits.callbackSlots, perGroup: limits.callbackSlotsPerReceiver }
  parts.queue.work(callbackTopic, slots, (job, signal) => deliverCallback(ofJob(deliver, job), job, signal))
}

function startEvaluations(queue: Queue, parts: AdvanceParts): void {
  queue.work(evaluationTopic, { total: limits.evaluationSlots }, (job, signal) =>
    advanceEvaluation(ofJob(parts, job), job, signal),
  )
}
