import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@skillrun/core/clock.ts'
import { parseS3Url } from './adapters/blobs/s3/address.ts'
import type { DbAddress } from './adapters/db/db.ts'
import { startEmbedded } from './adapters/db/embedded/start.ts'
import { parsePrivateTargets } from './adapters/egress/private-targets.ts'
import {
  type ChildProcessPoolSettings,
  childProcessPoolDefaults,
  createChildProcessPool,
} from './adapters/process-pool/child/child-process-pool.ts'
import { compileLater } from './adapters/process-pool/child/compile-later.ts'
import type { ProcessPool } from './adapters/process-pool/process-pool.ts'
import type { FindBubblewrap } from './adapters/sandbox/bubblewrap.ts'
import type { Config } from './config.ts'
import type { Log } from './core/log.ts'
import { makeDataFolder } from './data-folder.ts'
import { afterWarming, warmDrawing, warmProcessPool } from './features/runs/warm.ts'
import { makeSandboxFinder } from './sandbox-finder.ts'
import { openTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'

export interface BeginParts {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  /** A database to use instead of the configured or embedded one. */
  readonly databaseAddress?: DbAddress
  /** A process pool to use instead of an own one. */
  readonly processPool?: ProcessPool
  /** Called when the server cannot continue and must be stopped. */
  readonly onLost?: (reason: Error) => void
}

/** Frees a resource; called in reverse order of creation. */
export type Undo = (signal: AbortSignal) => Promise<void>

/** What a server begins with. */
export interface Begun {
  readonly temporary: TemporaryFolder
  readonly findSandbox: FindBubblewrap
  readonly processPool: ProcessPool
  /** Rejects when the database cannot be started. */
  readonly address: Promise<DbAddress>
}

export interface Beginning {
  readonly begun: Promise<Begun>
  /** Receives what the caller creates afterwards. */
  readonly undos: Undo[]
  /** Frees everything, in reverse order of creation. */
  readonly undo: Undo
}

/** Begins what takes longest at a start, so that the other modules load meanwhile: the embedded database, and a child process that reads documents. */
export function begin(parts: BeginParts): Beginning {
  const undos: Undo[] = []
  const begun = beginWith(parts, undos)
  // A rejection is reported by the caller that awaits it; until then it must not count as unhandled.
  begun.catch(() => undefined)
  const undo: Undo = async (signal) => {
    for (const one of undos.splice(0).reverse()) {
      await one(signal).catch((error: unknown) => parts.log.warn({ error }, 'a component did not stop cleanly'))
    }
  }
  return { begun, undos, undo }
}

async function beginWith(parts: BeginParts, undos: Undo[]): Promise<Begun> {
  const { config, clock, log } = parts
  // Wrong settings are refused before anything is made.
  parsePrivateTargets(config.allowPrivate)
  if (config.s3Url !== undefined) parseS3Url(config.s3Url)
  await makeDataFolder(config.dataFolder)
  const temporary = await openTemporaryFolder({ dataFolder: config.dataFolder, clock, log })
  undos.push(() => temporary.close())
  const address = databaseAddress(parts, undos)
  address.catch(() => undefined)
  const findSandbox = makeSandboxFinder(config)
  const sandboxed = await findSandbox()
  if ('missing' in sandboxed) log.info({ why: sandboxed.missing }, 'documents are read without bubblewrap')
  const options = {
    ...childProcessPoolDefaults,
    childrenMax: Math.max(2, availableParallelism()),
    inputFolder: temporary.path,
    bubblewrap: 'found' in sandboxed ? sandboxed.found : undefined,
    compiledFolder: join(config.dataFolder, 'compiled', 'children'),
  }
  const processPool = parts.processPool ?? openProcessPool(parts, options, undos)
  return { temporary, findSandbox, processPool, address }
}

function openProcessPool({ config, log }: BeginParts, options: ChildProcessPoolSettings, undos: Undo[]): ProcessPool {
  const processPool = createChildProcessPool(options)
  const warming = config.role !== 'api' && config.warmsChildren ? warmProcessPool({ processPool, log }) : undefined
  undos.push(async () => warming)
  const compiling = compileLater(options, async (own) => {
    await warmProcessPool({ processPool: own, log })
    await warmDrawing({ processPool: own, log })
  })
  undos.push(() => compiling.close())
  undos.push(() => processPool.close())
  return warming ? afterWarming(processPool, warming) : processPool
}

async function databaseAddress(
  { config, clock, log, databaseAddress: given, onLost }: BeginParts,
  undos: Undo[],
): Promise<DbAddress> {
  if (given) return given
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl }
  const starting = startEmbedded({ dataFolder: config.dataFolder, log, clock, ...(onLost ? { onLost } : {}) })
  undos.push(async () => (await starting.catch(() => undefined))?.stop())
  return (await starting).address
}
