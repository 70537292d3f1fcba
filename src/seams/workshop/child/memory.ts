import { readFileSync } from 'node:fs'

const bytesPerKilobyte = 1024

/**
 * Bytes of resident memory of a process; undefined where the system has no `/proc` or the process is
 * gone. Some tens of microseconds, so it is read at once.
 */
export function residentBytes(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * bytesPerKilobyte
  } catch {
    return undefined
  }
}
