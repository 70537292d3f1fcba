import { existsSync, readFileSync } from 'node:fs'

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

const childrenFile = (pid: number): string => `/proc/${pid}/task/${pid}/children`

/** Whether this kernel reports the children of a process. */
export const showsChildren = (): boolean => existsSync(childrenFile(process.pid))

/** A process and all that it has started; empty when it is gone. */
export function withChildren(pid: number): readonly number[] {
  try {
    const children = readFileSync(childrenFile(pid), 'latin1').split(' ').filter(Boolean)
    return [pid, ...children.flatMap((child) => withChildren(Number(child)))]
  } catch {
    return []
  }
}
