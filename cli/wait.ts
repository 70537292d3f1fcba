import type { Clock } from '../src/kit/clock.ts'
import { Fault } from '../src/kit/fault.ts'
import type { Client, Execution } from './client.ts'
import { pause } from './http.ts'

const firstPollMs = 50
const pollMsMax = 1_000

/** How long to wait before looking for the n-th time, n from 0: half as long again each time, at most a second. */
export const pollDelayMs = (looks: number): number =>
  Math.min(pollMsMax, Math.round(firstPollMs * 1.5 ** Math.min(looks, 64)))

/** True when the record will not change by itself: the run has ended, or waits for a person. */
export const isSettled = ({ status }: Execution): boolean =>
  status === 'completed' || status === 'failed' || status === 'paused'

/** What waiting needs. */
export interface Wait {
  readonly client: Client
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Undefined waits as long as it takes. */
  readonly timeoutMs: number | undefined
  /** Told of each look at the record. */
  readonly onLook: (execution: Execution, waitedMs: number) => void
}

/**
 * Looks at an execution until it has settled, and answers its record. Throws Fault `timeout` when `timeoutMs` passes first
 * (the execution goes on), and what `Client` throws.
 */
export async function waitForExecution(first: Execution, wait: Wait): Promise<Execution> {
  const startedMs = wait.clock.monotonicMs()
  let execution = first
  for (let looks = 0; ; looks++) {
    const waitedMs = wait.clock.monotonicMs() - startedMs
    wait.onLook(execution, waitedMs)
    if (isSettled(execution)) return execution
    const leftMs = wait.timeoutMs === undefined ? undefined : wait.timeoutMs - waitedMs
    const next = await look(execution, { wait, leftMs, pauseMs: pollDelayMs(looks) })
    if (!next)
      throw new Fault(
        'timeout',
        'wait_timeout',
        `The execution is still ${execution.status} after ${(wait.timeoutMs ?? 0) / 1000} s`,
      )
    execution = next
  }
}

/** The record after a pause; undefined when `leftMs` passes first. */
async function look(
  { id }: Execution,
  { wait, leftMs, pauseMs }: { wait: Wait; leftMs: number | undefined; pauseMs: number },
): Promise<Execution | undefined> {
  const over = leftMs === undefined ? undefined : AbortSignal.timeout(Math.max(0, Math.ceil(leftMs)))
  const signal = over ? AbortSignal.any([wait.signal, over]) : wait.signal
  try {
    await pause(pauseMs, signal)
    return await wait.client.execution(id, signal)
  } catch (error) {
    if (over?.aborted && !wait.signal.aborted) return undefined
    throw error
  }
}
