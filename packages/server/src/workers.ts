import type { Db } from './adapters/db/db.ts'
import type { Job, Queue } from './adapters/queue/queue.ts'
import type { Config } from './config.ts'
import { limits } from './core/limits.ts'
import { approvalTopic, decideOnTime } from './features/approvals/approvals.ts'
import { advanceBatch } from './features/batches/batches.ts'
import { type AdvanceParts, advanceEvaluation } from './features/evaluations/advance.ts'
import { settlePending, uploadSlots, uploadTopic } from './features/executions/accept/pending.ts'
import { batchTopic, evaluationTopic, topicOf } from './features/executions/topics.ts'
import { advanceImprovement } from './features/improvements/advance.ts'
import { compareAgain } from './features/improvements/compare-again.ts'
import { tiers } from './features/pricing/pricing.ts'
import { type CompileParts, compileProgram, programTopic } from './features/programs/programs.ts'
import type { EngineParts, WorkerParts } from './features/runs/parts.ts'
import { runExecution } from './features/runs/run.ts'
import { type ProveParts, proveSkill, proveTopic } from './features/skill-making/prove.ts'
import { type DeliverParts, deliverCallback } from './features/webhooks/deliver.ts'
import { makeUnderWay } from './features/webhooks/under-way.ts'
import { callbackTopic } from './features/webhooks/webhooks.ts'

/** Every kind of job. */
export const topics: readonly string[] = [
  ...tiers.map((tier) => topicOf[tier]),
  callbackTopic,
  batchTopic,
  approvalTopic,
  evaluationTopic,
  proveTopic,
  programTopic,
  uploadTopic,
]

/** Dependencies of the jobs of a server, by kind of job. */
export interface WorkParts {
  readonly queue: Queue
  /** Runs of executions. */
  readonly runs: EngineParts
  readonly worker: WorkerParts
  /** Jobs that create executions: evaluations and proofs of skills. */
  readonly makers: AdvanceParts & ProveParts
  readonly callbacks: Pick<DeliverParts, 'secretKeys' | 'egress'>
}

/** Starts workers for all kinds of jobs: runs of executions, callbacks, evaluations, batches, proofs of skills, programs. */
export function startWork(config: Config, parts: WorkParts): void {
  const { queue, runs, worker, makers, callbacks } = parts
  const { db, clock } = runs
  startDelivery(config, { ...callbacks, db, clock, queue, log: worker.log, telemetry: worker.telemetry })
  queue.work(evaluationTopic, { total: limits.evaluationSlots }, (job, signal) =>
    advanceJudged(ofJob(makers, job), job, signal),
  )
  queue.work(batchTopic, { total: limits.batchSlots }, (job, signal) => advanceBatch(ofJob(makers, job), job, signal))
  queue.work(proveTopic, { total: limits.proofSlots }, (job, signal) => proveSkill(ofJob(makers, job), job, signal))
  const compile: CompileParts = { ...runs, sandbox: runs.programs.sandbox, log: worker.log }
  queue.work(programTopic, { total: limits.programSlots, perGroup: 1 }, (job, signal) =>
    compileProgram(ofJob(compile, job), job, signal),
  )
  queue.work(approvalTopic, { total: 1 }, (job) => decideOnTime(ofJob({ db, clock, queue }, job), job))
  queue.work(uploadTopic, { total: uploadSlots }, (job) => settlePending(ofJob(makers, job), job))
  for (const tier of tiers) {
    const perGroup = worker.runningPerWorkspace
    const slots = { total: config.slots[tier], ...(perGroup === undefined ? {} : { perGroup }) }
    queue.work(topicOf[tier], slots, (job, signal) => runExecution(ofJob(runs, job), worker, { job, signal }))
  }
}

/** The job of an evaluation or of an improvement: the id tells which. */
async function advanceJudged(parts: WorkParts['makers'], job: Job, signal: AbortSignal): Promise<void> {
  await advanceEvaluation(parts, job, signal)
  if (job.data['compares'] === true) await compareAgain(parts, job)
  else await advanceImprovement(parts, job, signal)
}

/** The same dependencies with the database confined to the job's workspace. */
const ofJob = <Parts extends { readonly db: Db }>(parts: Parts, job: Job): Parts => ({
  ...parts,
  db: parts.db.within(String(job.data['workspaceId'])),
})

function startDelivery(
  config: Config,
  parts: Omit<DeliverParts, 'schedule' | 'queue'> & { readonly queue: Queue },
): void {
  const pauses = config.file.limits?.callback_retry_seconds?.map((seconds) => seconds * 1000)
  const deliver: DeliverParts = {
    ...parts,
    schedule: { pauses: pauses ?? limits.callbackPausesMs, underWay: makeUnderWay(parts.clock) },
  }
  const slots = { total: limits.callbackSlots, perGroup: limits.callbackSlotsPerReceiver }
  parts.queue.work(callbackTopic, slots, (job, signal) => deliverCallback(ofJob(deliver, job), job, signal))
}
