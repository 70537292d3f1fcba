import { readdirSync, readFileSync } from 'node:fs'

/** What a process and all that it started hold and have used. Linux alone. */
export interface Figures {
  /** User and system time, the ended children's that were waited for among it. */
  readonly cpuMs: number
  readonly rssMb: number
}

/** Clock ticks of a second in /proc, the same on every Linux that Node runs on. */
const ticksPerSecond = 100
const pageBytes = 4096

/** `leaveOut` names commands that are not counted: the database has its own figures in every system that is compared. */
export function figuresOf(pid: number, leaveOut = /^postgres/): Figures {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
  const family = [pid]
  for (const parent of family)
    for (const one of stats) if (one.parent === parent && !leaveOut.test(one.command)) family.push(one.pid)
  const own = stats.filter((one) => family.includes(one.pid))
  return {
    cpuMs: (own.reduce((sum, one) => sum + one.ticks, 0) * 1000) / ticksPerSecond,
    rssMb: own.reduce((sum, one) => sum + one.rssBytes, 0) / 1024 / 1024,
  }
}

function statOf(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command stands in brackets and may hold anything.
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    const field = (number: number): number => Number(fields[number - 3])
    return {
      pid,
      command: text.slice(text.indexOf('(') + 1, end),
      parent: field(4),
      ticks: field(14) + field(15) + field(16) + field(17),
      rssBytes: field(24) * pageBytes,
    }
  } catch {
    return undefined
  }
}
