import { pause } from '@skillrun/client/http.ts'
import { durationText } from '@skillrun/core/figures.ts'
import type { Terminal } from './terminal.ts'

const firstPollMs = 50
const pollMsMax = 1_000

/**
 * The pause before the n-th poll, n from 0: half as long again each time, at most a second. For objects without events
 * (evaluations, programs).
 */
export const pollDelayMs = (looks: number): number =>
  Math.min(pollMsMax, Math.round(firstPollMs * 1.5 ** Math.min(looks, 64)))

/**
 * Polls an object without events until it has finished, and returns its last state. On a terminal a line shows the elapsed
 * time. Throws what `look` throws, and the signal's reason.
 */
export async function lookUntil<T>(
  first: T,
  how: {
    readonly terminal: Terminal
    readonly isUnderWay: (found: T) => boolean
    readonly look: () => Promise<T>
    /** What is in progress, printed once. */
    readonly message: string
  },
): Promise<T> {
  const { terminal, isUnderWay, look, message } = how
  const startedMs = terminal.clock.monotonicMs()
  let found = first
  for (let looks = 0; isUnderWay(found); looks++) {
    if (looks === 0) terminal.log(message)
    terminal.logLive(`waiting for ${durationText(terminal.clock.monotonicMs() - startedMs)}`)
    await pause(pollDelayMs(looks), terminal.signal)
    found = await look()
  }
  return found
}
