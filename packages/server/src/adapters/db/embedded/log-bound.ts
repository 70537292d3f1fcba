import { copyFile, stat, truncate } from 'node:fs/promises'
import type { Layout } from './layout.ts'

const logBytesMax = 8 * 1024 * 1024
const lookEveryMs = 60_000

/** Limits the size of the server's log: beyond 8 MB it is moved to `postgres.log.1`, replacing an earlier one. */
export async function boundLog(layout: Layout): Promise<void> {
  const size = await stat(layout.logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size <= logBytesMax) return
  // Copied and truncated instead of renamed, because the server keeps the file open.
  await copyFile(layout.logFile, `${layout.logFile}.1`)
  await truncate(layout.logFile)
}

/** Checks the size of the log every minute until the returned function is called. */
export function keepLogBounded(layout: Layout, onFailure: (error: Error) => void): () => void {
  const timer = setInterval(() => {
    boundLog(layout).catch(onFailure)
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
