import { readFile, readlink } from 'node:fs/promises'

/** Identifies a process among all that a machine has run since it booted. */
export interface ProcessMark {
  /** Boot id and PID namespace; empty where the platform has neither. Marks with the same host can be compared. */
  readonly host: string
  readonly pid: number
  /** Start time from the operating system. */
  readonly started: string
}

/** The mark of this process. */
export async function ownMark(): Promise<ProcessMark> {
  const [boot, namespace, stat] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
    statOf(process.pid),
  ])
  const isKnown = boot !== '' && namespace !== '' && stat !== undefined
  return { host: isKnown ? `${boot.trim()} ${namespace}` : '', pid: process.pid, started: stat?.started ?? '' }
}

/** Whether a process of this host still exists; a stopped process does. True when that cannot be determined. */
export async function isRunning({ pid, started }: Pick<ProcessMark, 'pid' | 'started'>): Promise<boolean> {
  const stat = await statOf(pid)
  // Z: ended, but its parent has not collected its exit code yet. X: dead.
  if (stat) return stat.started === started && stat.state !== 'Z' && stat.state !== 'X'
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** State and start time: fields 3 and 22 of /proc/PID/stat. Field 2 is in parentheses and may contain spaces. */
async function statOf(pid: number): Promise<{ state: string; started: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, started] = [fields[0], fields[19]]
  return state && started ? { state, started } : undefined
}
