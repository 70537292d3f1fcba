import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into a server that a benchmark starts (`--import`, with an IPC channel): the maximum CPU time that its
 * event loop takes between two ticks of a timer. Unlike a wall-clock delay, it does not depend on other load. Replies
 * to each IPC message with the maximum since the last one, in milliseconds.
 */
if (isMainThread && process.env.SKILLRUN_BENCH_LOOP === 'cpu' && process.send) {
  // Children of the server are not measured.
  delete process.env.SKILLRUN_BENCH_LOOP
  let last = process.threadCpuUsage()
  let most = 0
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    most = Math.max(most, (user + system) / 1000)
    last = process.threadCpuUsage()
    setTimeout(look, 1).unref()
  }
  look()
  process.on('message', () => {
    process.send?.(most)
    most = 0
  })
  process.channel?.unref()
}
