import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@skillrun/core/clock.ts'
import type { Log } from './core/log.ts'

/** A folder for the inputs of callers while they are read. */
export interface TemporaryFolder {
  readonly path: string
  /**
   * Shows from now on that the folder is in use, and removes those of processes that were killed: all at once where this
   * process is alone (no other can have the data folder), else each when it was silent for an hour.
   */
  keep(isAlone: boolean): Promise<void>
  /** Removes it with all that is in it. */
  close(): Promise<void>
}

export interface TemporaryParts {
  readonly dataFolder: string
  readonly clock: Clock
  readonly log: Log
}

/** How often a process shows that it still has its folder, and looks for those that nobody has. */
const beatMs = 5 * 60_000
/** A folder whose process was silent for this long is nobody's: room for a machine that sleeps, and for clocks that differ. */
const silentMs = 60 * 60_000

const prefix = 'tmp-'

/**
 * Makes a folder of this process's own in the data folder; the others are left alone until `keep`. Neither process ids nor the
 * names of hosts tell who is alive: containers on one volume may share both.
 */
export async function openTemporaryFolder({ dataFolder, clock, log }: TemporaryParts): Promise<TemporaryFolder> {
  const name = prefix + randomUUID()
  const path = join(dataFolder, name)
  await mkdir(path, { recursive: true, mode: 0o700 })
  const beat = async (isAlone: boolean): Promise<void> => {
    const now = clock.now()
    const beforeMs = isAlone ? Number.POSITIVE_INFINITY : now.getTime() - silentMs
    await utimes(path, now, now)
    const others = (await readdir(dataFolder)).filter((other) => other.startsWith(prefix) && other !== name)
    for (const other of others) await removeUntouched(join(dataFolder, other), beforeMs)
  }
  const complain = (error: unknown): void => log.warn({ error }, 'folders of processes that are gone were not removed')
  let timer: NodeJS.Timeout | undefined
  return {
    path,
    keep: async (isAlone) => {
      await beat(isAlone).catch(complain)
      timer = setInterval(() => void beat(isAlone).catch(complain), beatMs).unref()
    },
    close: async () => {
      clearInterval(timer)
      await rm(path, { recursive: true, force: true })
    },
  }
}

async function removeUntouched(folder: string, beforeMs: number): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  // Another process may have removed it in this moment.
  if (found?.isDirectory() && found.mtimeMs < beforeMs) await rm(folder, { recursive: true, force: true })
}
