import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Above this share of the machine's CPU time in other work, milliseconds and rates say little. */
export const busyShareMax = 0.1

/** The share of the machine's CPU time that was used, or taken by its host, in some seconds in which the caller rests. Linux only. */
export async function busyShare(seconds = 3): Promise<number> {
  const before = ticks()
  await pause(seconds * 1000)
  const after = ticks()
  const all = after.all - before.all
  return all === 0 ? 0 : 1 - (after.idle - before.idle) / all
}

function ticks(): { readonly all: number; readonly idle: number } {
  const [first = ''] = readFileSync('/proc/stat', 'latin1').split('\n')
  // user, nice, system, idle, waiting for disks, interrupts (two kinds), steal; guests are in the first two already.
  const parts = first.trim().split(/\s+/).slice(1, 9).map(Number)
  return { all: parts.reduce((sum, part) => sum + part, 0), idle: (parts[3] ?? 0) + (parts[4] ?? 0) }
}
