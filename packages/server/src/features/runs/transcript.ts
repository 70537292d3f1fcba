import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import { brokenConstraint, type Sql } from '../../adapters/db/db.ts'
import { retryWhileUnavailable } from '../../adapters/db/retry-while-unavailable.ts'
import { limits } from '../../core/limits.ts'
import type { Micros } from '../../core/money.ts'
import { findStepStatus, insertSteps, type Step, tokensOf } from '../executions/executions.ts'
import type { Reservation } from '../pricing/pricing.ts'
import type { RecordParts } from './parts.ts'
import { settleStep } from './reserve-price.ts'
import { type Run, RunSuperseded } from './run-state.ts'

/**
 * Adds a warning to the record of a run, once. Warnings are written with the end: derive them from the transcript, so that a run that
 * continues after a crash warns the same.
 */
export function warn(run: Pick<Run, 'warnings'>, warning: Warning): void {
  const isKnown = run.warnings.some(({ code, path }) => code === warning.code && path === warning.path)
  if (!isKnown && run.warnings.length < limits.warningsMax) run.warnings.push(warning)
}

/** Warns of model calls with implausible usage figures from the provider. */
export function warnOfUsage(run: Pick<Run, 'warnings'> & { readonly transcript: readonly Step[] }): void {
  const calls = run.transcript.filter((step) => tokensOf(step)?.reported)
  if (calls.length === 0) return
  const models = new Set(calls.map(({ detail }) => (detail as { readonly model: string }).model))
  warn(run, {
    code: 'usage_implausible',
    path: '',
    message: `${[...models].join(', ')} reported missing or impossible token usage: ${calls.length === 1 ? 'the call is' : `${calls.length} calls are`} counted at the upper limit; the steps show what was reported`,
  })
}

/** Counts a new step. Fault `max_steps` when the request allows no more. */
export function beginStep(run: Run): void {
  const { maxSteps } = run.execution.request
  if (maxSteps !== null && maxSteps !== undefined && run.begun >= maxSteps)
    throw new Fault(
      'invalid',
      'max_steps',
      `The execution exceeded its max_steps of ${maxSteps}; its steps up to then are retained`,
    )
  run.begun += 1
}

/** A step to record. */
export type NewStep = Pick<Step, 'kind' | 'name' | 'detail' | 'result' | 'startedAt'> & {
  /** Its cost; absent: the fixed price of its name. */
  readonly costMicros?: Micros
  /** Its reservation. */
  readonly reservation?: Reservation | undefined
  /** Settles it in one transaction with the step; absent: settled by its fixed price. */
  readonly alongside?: (tx: Sql) => Promise<void>
  /** Steps that are free and quick to repeat are written with the next step, or with the end. */
  readonly isLate?: boolean
}

/** Writes a step before its result is used. Throws RunSuperseded when the run must stop. */
export function record(
  parts: RecordParts,
  run: Run,
  { alongside, reservation, isLate, ...step }: NewStep,
): Promise<void> {
  const endedAt = parts.clock.now()
  const written = run.writing.then(async () => {
    const full: Step = {
      ...step,
      seq: (run.transcript.at(-1)?.seq ?? 0) + 1,
      attempt: run.fence.attempt,
      costMicros: step.costMicros ?? parts.tools.priceOf(step.name),
      endedAt,
    }
    if (run.replayed) {
      run.transcript.push(full)
      return
    }
    const isPaid = alongside !== undefined || reservation !== undefined || full.costMicros > 0
    if (isLate && !isPaid) {
      run.transcript.push(full)
      run.unwritten.push(full)
      return
    }
    const earlier = spentBy(run)
    const price = { reservation, name: step.name, micros: full.costMicros, earlier, now: endedAt }
    const steps = [...run.unwritten, full]
    const write = () =>
      isPaid
        ? parts.db.together(async (tx) => {
            const now = await insertSteps(tx, run.fence, steps)
            if (now !== undefined) await (alongside ? alongside(tx) : settleStep(tx, run, price))
            return now
          })
        : parts.db.write((sql) => insertSteps(sql, run.fence, steps))
    // Keep the result in memory until the database is back: it may have been paid for.
    const status = await retryWhileUnavailable(parts, run.signal, async (isAgain) => {
      const find = () => findStepStatus(parts.db, run.fence, full.seq)
      const written = isAgain ? await find() : undefined
      if (written !== undefined) return written
      try {
        return await write()
      } catch (error) {
        // An earlier write was committed at the same moment.
        if (isAgain && brokenConstraint(error)?.kind === 'unique') return find()
        throw error
      }
    })
    if (status !== undefined) {
      run.transcript.push(full)
      run.unwritten = []
      if (reservation) run.unsettled -= 1
    }
    if (status !== 'running') throw new RunSuperseded(`the execution is ${status ?? 'owned by another run'}`)
  })
  // After a failed write nothing is written: later writers fail with it.
  run.writing = written
  written.catch(() => {})
  return written
}

/** Writes the deferred steps of a run. A transaction that is retried writes them again. */
export async function writeLate(tx: Sql, { fence, unwritten }: Run): Promise<void> {
  await insertSteps(tx, fence, unwritten)
}

/** The cost of a run's recorded steps at the standard rate. */
export const spentBy = (run: Pick<Run, 'transcript'>): Micros =>
  run.transcript.reduce((sum, step) => sum + step.costMicros, 0)

/** The recorded call of `name` with this value in its details. */
export function findStep(
  { transcript }: { readonly transcript: readonly Step[] },
  name: string,
  where: { key: string; value: Json },
): Step | undefined {
  return transcript.find(
    (step) => step.name === name && (step.detail as { readonly [key: string]: Json })[where.key] === where.value,
  )
}

/** The transcript for the answers of others: the original's in a replay. */
export const recordedBy = ({ transcript, replayed }: Pick<Run, 'transcript' | 'replayed'>): readonly Step[] =>
  replayed ?? transcript
