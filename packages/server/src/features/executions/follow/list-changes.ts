import { limits } from '../../../core/limits.ts'
import { type Endings, workspaceKey } from './waiting.ts'

/** Shortest interval between two notifications about the list of a workspace. */
const leastPauseMs = 300

/**
 * Server-sent events saying only that executions of a workspace were created, started, ended or paused; the list shows their state. The
 * server that accepted an execution announces it, the process that runs it announces the start, and all announce ends. Ends when `signal`
 * aborts.
 */
export async function* listChangeEvents(
  endings: Pick<Endings, 'watch'>,
  workspaceId: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let isNews = false
  let wakeUp = (): void => undefined
  // Watch all the time, so that nothing is missed while an event is sent.
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
