import { pause } from '@skillrun/client/http.ts'
import { durationText } from '@skillrun/core/figures.ts'
import type { Terminal } from './terminal.ts'

const firstPollMs = 50
const pollMsMax = 1_000

/**
 * How long to wait before looking for the n-th time, n from 0, at what tells nothing by itself (evaluations, programs): half as
 * long again each time, at most a second.
 */
export const pollDelayMs = (looks: number): number =>
  Math.min(pollMsMax, Math.round(firstPollMs * 1.5 ** Math.min(looks, 64)))

/**
 * Looks again and again at what tells nothing by itself until it is no longer under way, and gives what was found last. On a
 * terminal a line says how long that has taken. Throws what `look` throws, and the signal's reason.
 */
export async function lookUntil<T>(
  first: T,
  how: {
    readonly terminal: Terminal
    readonly isUnderWay: (found: T) => boolean
    readonly look: () => Promise<T>
    /** What is under way, told once. */
    readonly told: string
  },
): Promise<T> {
  const { terminal, isUnderWay, look, told } = how
  const startedMs = terminal.clock.monotonicMs()
  let found = first
  for (let looks = 0; isUnderWay(found); looks++) {
    if (looks === 0) terminal.tell(told)
    terminal.tellLive(`waiting for ${durationText(terminal.clock.monotonicMs() - startedMs)}`)
    await pause(pollDelayMs(looks), terminal.signal)
    found = await look()
  }
  return found
}
