import { limits } from '../../../core/limits.ts'
import { type Endings, workspaceKey } from './waiting.ts'

/** However much happens, the list of a workspace is told of at most so often. */
const leastPauseMs = 300

/**
 * Server-sent events that say that executions of a workspace were made, taken up, ended or paused, and nothing else: what they are now is in the
 * list. Made ones are told by the server that took them, taken up ones by the process that runs them, ends by all. Ends when `signal` aborts.
 */
export async function* tellChanges(
  endings: Pick<Endings, 'watch'>,
  workspaceId: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let isNews = false
  let wakeUp = (): void => undefined
  // Watched all along, so that nothing is missed while the last is told.
  const unwatch = endings.watch(workspaceKey(workspaceId), () => {
    isNews = true
    wakeUp()
  })
  const pause = (ms: number, endsAtNews: boolean) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        wakeUp = () => undefined
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done)
      if (endsAtNews) wakeUp = done
    })
  try {
    yield 'retry: 1000\n\n'
    while (!signal.aborted) {
      if (!isNews) await pause(limits.eventHeartbeatMs, true)
      if (signal.aborted) return
      yield isNews ? 'event: changed\ndata: {}\n\n' : ': still here\n\n'
      if (!isNews) continue
      isNews = false
      await pause(leastPauseMs, false)
    }
  } finally {
    unwatch()
  }
}
