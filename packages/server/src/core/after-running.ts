/** How often the time is looked at. */
const stepMs = 250
/** A look that comes later than this was not late by load: the process stood still. */
const standstillMs = 1_000

/**
 * Calls back once this process has run for `ms`; the result cancels. Time in which the process stood still (it was stopped, the machine was
 * suspended) does not count: a child that answered meanwhile is heard first, and its input is not blamed.
 */
export function afterRunning(ms: number, callback: () => void): () => void {
  let leftMs = ms
  let timer: NodeJS.Timeout | undefined
  const wait = (sinceMs: number): void => {
    timer = setTimeout(
      () => {
        const nowMs = performance.now()
        const passedMs = nowMs - sinceMs
        leftMs = passedMs > standstillMs ? Math.max(leftMs - stepMs, 1) : leftMs - passedMs
        if (leftMs <= 0) callback()
        else wait(nowMs)
      },
      Math.min(leftMs, stepMs),
    )
  }
  wait(performance.now())
  return () => clearTimeout(timer)
}
