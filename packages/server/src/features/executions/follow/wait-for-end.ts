import type { Clock } from '@skillrun/core/clock.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import { limits } from '../../../core/limits.ts'
import type { ExecutionState } from '../execution.ts'
import { hasEnded } from '../lifecycle.ts'
import { findExecution } from '../store/find-execution.ts'
import { type Endings, executionKey } from './waiting.ts'

export interface WaitParts {
  readonly db: Sql
  readonly clock: Clock
  readonly endings: Pick<Endings, 'wait' | 'endedRecently'>
}

const isOver = ({ status }: ExecutionState): boolean => hasEnded(status) || status === 'paused'

/** The execution at its end or pause, or its state after `waitMs` or when `signal` aborts. */
export async function waitForEnd(
  { db, clock, endings }: WaitParts,
  created: ExecutionState,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<ExecutionState> {
  const place = { workspaceId: created.workspaceId, id: created.id }
  const key = executionKey(place)
  const untilMs = clock.monotonicMs() + waitMs
  let execution: ExecutionState = created
  // Later ends wake this call; an end just before is remembered.
  let mayHaveEnded = endings.endedRecently(key)
  while (!isOver(execution)) {
    const leftMs = untilMs - clock.monotonicMs()
    if (leftMs <= 0 || signal.aborted) break
    // Register before reading, so that an end between the two is not missed.
    const looked = new AbortController()
    const ended = endings.wait(key, Math.min(leftMs, limits.endPollMs), AbortSignal.any([signal, looked.signal]))
    if (mayHaveEnded) execution = (await findExecution(db, place)) ?? execution
    if (isOver(execution)) looked.abort()
    const endedHere = await ended
    if (!isOver(execution)) execution = endedHere ?? (await findExecution(db, place)) ?? execution
    mayHaveEnded = true
  }
  return execution
}
