import { readdirSync, readFileSync } from 'node:fs'

/** Memory and CPU of a process and its descendants. Linux only. */
export interface Figures {
  /** User and system time, including ended children that were waited for. */
  readonly cpuMs: number
  readonly rssMb: number
}

/** Megabytes of a process and its descendants, with memory that several share counted once in all. Linux only. */
export function sharedOutMb(pid: number): number {
  const kilobytes = familyOf(pid, /^postgres/).map((one) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${one.pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      return 0
    }
  })
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024
}

/** Clock ticks per second in /proc, the same on every Linux that Node runs on. */
const ticksPerSecond = 100
const pageBytes = 4096

/** `leaveOut` matches commands that are not counted: the database is left out for every system. */
export function figuresOf(pid: number, leaveOut = /^postgres/): Figures {
  const own = familyOf(pid, leaveOut)
  return {
    cpuMs: (own.reduce((sum, one) => sum + one.ticks, 0) * 1000) / ticksPerSecond,
    rssMb: own.reduce((sum, one) => sum + one.rssBytes, 0) / 1024 / 1024,
  }
}

/** CPU of the database that a process started. */
export const databaseCpuMs = (pid: number): number => figuresOf(pid, /^$/).cpuMs - figuresOf(pid).cpuMs

/** CPU of a process without its children. */
export const mainCpuMs = (pid: number): number => ((statOf(pid)?.ownTicks ?? 0) * 1000) / ticksPerSecond

function familyOf(pid: number, leaveOut: RegExp) {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
  const family = [pid]
  for (const parent of family)
    for (const one of stats) if (one.parent === parent && !leaveOut.test(one.command)) family.push(one.pid)
  return stats.filter((one) => family.includes(one.pid))
}

function statOf(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command is in brackets and may contain anything.
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    const field = (number: number): number => Number(fields[number - 3])
    return {
      pid,
      command: text.slice(text.indexOf('(') + 1, end),
      parent: field(4),
      ownTicks: field(14) + field(15),
      ticks: field(14) + field(15) + field(16) + field(17),
      rssBytes: field(24) * pageBytes,
    }
  } catch {
    return undefined
  }
}
