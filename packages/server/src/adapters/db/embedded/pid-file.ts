import { once } from 'node:events'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { type Layout, socketPort, unseen } from './layout.ts'
import { commandOf } from './processes.ts'

/** The content of `postmaster.pid` of a running PostgreSQL (miscadmin.h, LOCK_FILE_LINE_…). */
export interface PidFile {
  readonly pid: number
  readonly socketFolder: string
  /** It accepts connections. */
  readonly ready: boolean
}

const fileName = 'postmaster.pid'

/** The pid file of the database; undefined when it is absent or malformed. */
export async function readPidFile(layout: Layout): Promise<PidFile | undefined> {
  const text = await readFile(join(layout.cluster, fileName), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined
  return { pid, socketFolder: unseen(layout, lines[4] ?? ''), ready: lines[7]?.trim() === 'ready' }
}

/** Whether process `pid` is the PostgreSQL of this folder, and not another process that reused the number. */
export async function isOurServer(pid: number, layout: Layout): Promise<boolean> {
  const command = await commandOf(pid)
  return command !== undefined && `${command} `.includes(` cluster_name=${layout.mark} `)
}

/**
 * The folder with the socket of a server on these files that seems to run though its process is not seen here: it may be in another
 * container or PID namespace, which may know the data folder by another path. A second server would destroy the files.
 */
export async function unseenServer(layout: Layout, { socketFolder }: PidFile): Promise<string | undefined> {
  for (const folder of new Set([socketFolder, layout.socketFolder])) if (await mayAnswer(folder)) return folder
  return undefined
}

/** False only where no server can answer: there is no socket, or nobody listens on it. */
async function mayAnswer(socketFolder: string): Promise<boolean> {
  const socket = createConnection(join(socketFolder, `.s.PGSQL.${socketPort}`))
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    return !['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    socket.destroy()
  }
}

/**
 * Removes a pid file whose number now belongs to another process: PostgreSQL would take that process for a server and
 * refuse to start. A file that changed in the meantime is restored.
 */
export async function removeStale(layout: Layout, judged: PidFile): Promise<void> {
  const path = join(layout.cluster, fileName)
  const aside = `${path}.stale`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  const moved = Number((await readFile(aside, 'utf8')).split('\n')[0])
  if (moved !== judged.pid) await link(aside, path)
  await rm(aside, { force: true })
}
