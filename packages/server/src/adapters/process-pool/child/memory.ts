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

/** Whether this kernel tells which processes another one has started. */
export const showsChildren = (): boolean => existsSync(childrenFile(process.pid))

/** The process at the end of a line of processes that have started one each: the one that bubblewrap is around. */
export function innermost(pid: number): number {
  try {
    const [child] = readFileSync(childrenFile(pid), 'latin1').split(' ').filter(Boolean)
    return child === undefined ? pid : innermost(Number(child))
  } catch {
    return pid
  }
}
