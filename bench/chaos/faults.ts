import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../packages/reader/training/documents/random.ts'
import { limits } from '../../packages/server/src/core/limits.ts'
import type { Cluster, Member } from '../../test/support/cluster.ts'
import type { BreakableDatabase } from './database.ts'
import type { Line } from './line.ts'

/** The kinds of faults. */
export const faultKinds = ['kill', 'stall', 'crash', 'cut', 'freeze', 'slow', 'disk', 'clock', 'dbclock'] as const
export type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  readonly kind: FaultKind
  /** Selects the process, for faults that need one. */
  readonly draw: number
  readonly ms: number
  /** For clocks: the offset from then on. */
  readonly offsetMs: number
}

/** Stalls, outages and slow periods are shorter or longer than a lease. */
const longestMs = limits.leaseMs * 2 + 1_000
const clockOffMaxMs = 2 * 3_600_000

/** The faults of a run in order; deterministic by seed. */
export function planFaults(counts: Readonly<Record<FaultKind, number>>, random: Random): readonly Fault[] {
  const all = faultKinds.flatMap((kind) => Array<FaultKind>(counts[kind]).fill(kind))
  return random.sample(all, all.length).map((kind) => ({
    kind,
    draw: random.next(),
    ms: random.chance(0.5) ? random.int(50, limits.leaseMs) : random.int(limits.leaseMs, longestMs),
    offsetMs: random.int(-clockOffMaxMs, clockOffMaxMs),
  }))
}

/** A slot that always has a process, except while a new one starts. */
export interface Kept {
  member: Member | undefined
  /** True during a fault. */
  isBusy: boolean
}

export interface Broken {
  readonly cluster: Cluster
  readonly members: readonly Kept[]
  readonly database: BreakableDatabase
  readonly line: Line
  /** The file with the servers' clock offset. */
  readonly clockFile: string
  readonly start: (kept: Kept) => Promise<void>
  /** The processes that were killed. */
  readonly killedPids: Set<number>
}

const ofDatabase: ReadonlySet<FaultKind> = new Set(['crash', 'cut', 'freeze', 'slow', 'disk', 'dbclock'])

/** Resources that a fault needs exclusively: the database, the clock, and each process. */
const busy = new WeakMap<Broken, Set<'database' | 'clock'>>()

/** Starts a fault if its resources are free, and resolves when it is over. Undefined: it has to wait. */
export function begin(broken: Broken, fault: Fault): Promise<void> | undefined {
  const taken = busy.get(broken) ?? new Set()
  busy.set(broken, taken)
  if (fault.kind === 'kill' || fault.kind === 'stall') {
    const living = broken.members.filter((kept) => kept.member !== undefined && !kept.isBusy)
    const kept = living[Math.floor(fault.draw * living.length)]
    if (!kept) return undefined
    kept.isBusy = true
    return strike(broken, kept, fault).finally(() => {
      kept.isBusy = false
    })
  }
  const place = ofDatabase.has(fault.kind) ? 'database' : 'clock'
  if (taken.has(place)) return undefined
  taken.add(place)
  return disturb(broken, fault).finally(() => taken.delete(place))
}

async function strike(broken: Broken, kept: Kept, { kind, ms }: Fault): Promise<void> {
  const { member } = kept
  if (!member) return
  const { process: child } = member.server
  if (kind === 'stall') {
    child.kill('SIGSTOP')
    await pause(ms)
    child.kill('SIGCONT')
    return
  }
  kept.member = undefined
  if (child.pid !== undefined) broken.killedPids.add(child.pid)
  await member.kill()
  await broken.start(kept)
}

async function disturb({ database, line, members, clockFile }: Broken, fault: Fault): Promise<void> {
  const { kind, ms, offsetMs } = fault
  switch (kind) {
    case 'crash':
      return database.crash()
    case 'cut':
      line.cut()
      await pause(ms)
      return line.restore()
    case 'freeze':
      await database.freeze()
      await pause(ms)
      return database.thaw()
    case 'slow':
      line.slow(20 + (ms % 200))
      await pause(ms)
      return line.slow(0)
    case 'disk':
      await database.slowDisk(20 + (ms % 80))
      await pause(ms)
      return database.slowDisk(0)
    case 'dbclock':
      return database.setClock(offsetMs)
    default:
      await writeFile(clockFile, String(offsetMs))
      for (const { member } of members) member?.server.process.kill('SIGUSR2')
  }
}

/** Resets all clocks. */
export async function setClocksRight({ database, members, clockFile }: Broken): Promise<void> {
  await writeFile(clockFile, '0')
  for (const { member } of members) member?.server.process.kill('SIGUSR2')
  await database.setClock(0)
}
