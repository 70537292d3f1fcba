import { copyFile, stat, truncate } from 'node:fs/promises'
import type { Layout } from './layout.ts'

const logBytesMax = 8 * 1024 * 1024
const lookEveryMs = 60_000

/** Keeps the server's log small: beyond 8 MB it is moved to `postgres.log.1`, and what was there is dropped. */
export async function boundLog(layout: Layout): Promise<void> {
  const size = await stat(layout.logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size <= logBytesMax) return
  // The server holds the file open and appends: it must stay the same file.
  await copyFile(layout.logFile, `${layout.logFile}.1`)
  await truncate(layout.logFile)
}

/** Looks after the log once a minute until the returned function is called. */
export function keepLogBounded(layout: Layout, onFailure: (error: Error) => void): () => void {
  const timer = setInterval(() => {
    boundLog(layout).catch(onFailure)
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
