/** Milliseconds between two checks of the elapsed time. */
const stepMs = 250
/** A check that is this late means that the process was stalled, not just busy. */
const stallMs = 1_000

/**
 * A timeout of `ms` that does not count time in which this process was stalled (stopped, or the machine suspended): the reply of a child
 * that has finished by then is handled first. The returned function cancels it.
 */
export function afterRunning(ms: number, callback: () => void): () => void {
  let leftMs = ms
  let timer: NodeJS.Timeout | undefined
  const wait = (sinceMs: number): void => {
    timer = setTimeout(
      () => {
        const nowMs = performance.now()
        const passedMs = nowMs - sinceMs
        leftMs = passedMs > stallMs ? Math.max(leftMs - stepMs, 1) : leftMs - passedMs
        if (leftMs <= 0) callback()
        else wait(nowMs)
      },
      Math.min(leftMs, stepMs),
    )
  }
  wait(performance.now())
  return () => clearTimeout(timer)
}
