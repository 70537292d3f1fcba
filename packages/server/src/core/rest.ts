import { collectGarbage } from './collect-garbage.ts'

/** Milliseconds between two checks. */
const everyMs = 10_000
/** A busier process is left alone: a collection stops it for some tens of milliseconds. */
const restingShare = 0.1
/** A smaller gain is not worth a collection. */
const grownBytes = 24 * 1024 * 1024

/**
 * Gives memory back whenever this process rests. V8 collects garbage when memory is allocated, so what a load has left would stay for as
 * long as there is nothing to do. Heap pages go back to the system some seconds after the collection.
 */
export function releaseMemoryAtRest(checkMs = everyMs): void {
  let seen = performance.eventLoopUtilization()
  let keptBytes = 0
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    const { heapTotal } = process.memoryUsage()
    keptBytes = Math.min(keptBytes, heapTotal)
    if (utilization > restingShare || heapTotal - keptBytes < grownBytes) return
    collectGarbage('major')
    // The next check sees what is left.
    keptBytes = Number.POSITIVE_INFINITY
  }, checkMs).unref()
}
