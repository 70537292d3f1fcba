import { isMainThread } from 'node:worker_threads'

/**
 * Loaded before a server that a benchmark starts (`--import`, with an IPC channel): how much CPU of its own its event loop takes between
 * two turns of a timer, at most. Unlike a delay by the clock this says the same on a busy machine. Whoever sends a message is sent
 * the most since the last one, in milliseconds.
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
