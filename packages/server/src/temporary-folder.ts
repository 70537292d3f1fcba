import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@skillrun/core/clock.ts'
import type { Log } from './core/log.ts'

/** A folder for callers' inputs while they are read. */
export interface TemporaryFolder {
  readonly path: string
  /**
   * Marks the folder as in use from now on, and removes folders of ended processes: immediately when this process is alone
   * (it holds the data folder's lock), otherwise when they have been silent for an hour.
   */
  keep(isAlone: boolean): Promise<void>
  /** Removes the folder and its content. */
  close(): Promise<void>
}

export interface TemporaryParts {
  readonly dataFolder: string
  readonly clock: Clock
  readonly log: Log
}

/** How often a process marks its folder as in use and removes abandoned ones. */
const beatMs = 5 * 60_000
/** A folder without a mark for this long is abandoned: tolerates sleeping machines and different clocks. */
const silentMs = 60 * 60_000

const prefix = 'tmp-'

/**
 * Creates this process's folder in the data folder; others are not touched until `keep`. Process ids and host names cannot show which
 * processes are alive: containers that share a volume may share both.
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
  const warn = (error: unknown): void => log.warn({ error }, 'cannot remove folders of ended processes')
  let timer: NodeJS.Timeout | undefined
  return {
    path,
    keep: async (isAlone) => {
      await beat(isAlone).catch(warn)
      timer = setInterval(() => void beat(isAlone).catch(warn), beatMs).unref()
    },
    close: async () => {
      clearInterval(timer)
      await rm(path, { recursive: true, force: true })
    },
  }
}

async function removeUntouched(folder: string, beforeMs: number): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  // Another process may have removed it in the meantime.
  if (found?.isDirectory() && found.mtimeMs < beforeMs) await rm(folder, { recursive: true, force: true })
}
