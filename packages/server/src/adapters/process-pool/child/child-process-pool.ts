import { assert } from '@skillrun/core/assert.ts'
import type { Job, JobTerms, Share } from '@skillrun/core/job.ts'
import { parseJsonInTurns } from '../../../core/parse-json.ts'
import { closed, type ProcessPool } from '../process-pool.ts'
import { broken, type Child, type ChildSettings, type JobEnd, startChild } from './child.ts'
import { giveFiles } from './input-files.ts'
import type { JobMessage } from './messages.ts'
import { createTurns, type Turn } from './turns.ts'

/** Number and lifetime of child processes. */
export interface ChildProcessPoolSettings extends ChildSettings {
  /** Children at work in parallel; one more is in reserve, and two for quick jobs. See `Turns.take`. */
  readonly childrenMax: number
  /** Most waiting jobs of one group; further ones are refused. */
  readonly queueMax: number
  /** Most waiting jobs of all groups. */
  readonly queueTotalMax: number
  /** Jobs after which a child is replaced, against slow leaks in loaded modules. */
  readonly jobsPerChild: number
  /** Megabytes of resident memory above which an idle child is replaced. */
  readonly keptMemoryMb: number
  /** Largest serialised output of a job, in megabytes. */
  readonly outputMb: number
  /** Milliseconds after which an idle child is stopped, so that an idle server is small. */
  readonly idleMs: number
  /** The same for a child when another is idle too. */
  readonly spareIdleMs: number
}

/** Defaults for a machine with a few cores; the caller provides `inputFolder`, `bubblewrap` and `childrenMax`. */
export const childProcessPoolDefaults = {
  queueMax: 1_000,
  queueTotalMax: 10_000,
  jobsPerChild: 10_000,
  // Tesseract with its data takes about 150 MB, a large page several hundred more.
  keptMemoryMb: 700,
  outputMb: 64,
  idleMs: 60_000,
  spareIdleMs: 15_000,
  heapMb: 512,
  startMs: 20_000,
  memoryCheckMs: 50,
} as const

interface Waiting extends Turn {
  readonly module: string
  /** Requires a fresh child. */
  readonly isFresh?: boolean
  readonly start: (child: Child) => void
}

const noShare: Share = { group: '', rank: 1 }

const bytesPerMegabyte = 1024 * 1024

/** A process pool of killable child processes, started on demand and kept warm. */
export function createChildProcessPool(settings: ChildProcessPoolSettings): ProcessPool {
  assert(settings.childrenMax >= 1, 'a process pool needs a child')
  const closing = new AbortController()
  const pool = createPool(settings)
  return {
    run: async (job, input, terms) => {
      if (closing.signal.aborted) throw closed()
      const signal = AbortSignal.any([terms.signal, closing.signal])
      return await runJob({ pool, settings }, { job, input }, { ...terms, signal })
    },
    close: async () => {
      closing.abort(closed())
      await pool.close()
    },
  }
}

async function runJob<I, O>(
  { pool, settings }: { pool: Pool; settings: ChildProcessPoolSettings },
  { job, input }: { job: Job<I, O>; input: I },
  terms: JobTerms,
): Promise<O> {
  terms.signal.throwIfAborted()
  const module = job.module.href
  const turn = { module, isQuick: job.isQuick === true, ...(terms.share ?? noShare) }
  const outputBytesMax = settings.outputMb * bytesPerMegabyte
  const message = { module, givesJson: job.givesJson === true, outputBytesMax }
  const files = job.files ?? []
  let end = await runInChild(pool, await pool.take(turn, terms.signal), { message, input, files, terms })
  // The child may have died of the state that an earlier job left behind.
  if (end.isDeath && !end.isFirst) {
    const child = await pool.take({ ...turn, isFresh: true }, terms.signal)
    end = await runInChild(pool, child, { message, input, files, terms })
  }
  const { outcome } = end
  if ('error' in outcome) throw outcome.error
  return (job.givesJson ? await parseJsonInTurns(outcome.output as string) : outcome.output) as O
}

/** Runs a job in a child taken from the pool, and returns the child. */
async function runInChild(
  pool: Pool,
  child: Child,
  of: {
    readonly message: Omit<JobMessage, 'input'>
    readonly input: unknown
    readonly files: readonly string[]
    readonly terms: JobTerms
  },
): Promise<JobEnd & { readonly isFirst: boolean }> {
  const isFirst = child.jobsDone === 0
  const given = await giveFiles(child.folder, of.input, of.files).catch((error: unknown) => {
    pool.giveBack(child, true)
    throw broken(error)
  })
  const end = await child.run({ ...of.message, input: given.input }, of.terms)
  // The next job must find no files of this one.
  await given.release()
  pool.giveBack(child, end.reusable)
  return { ...end, isFirst }
}

interface Pool {
  /** A child when the job's turn comes, preferably one that has loaded the module; rejects with `signal.reason`. */
  take(turn: Omit<Waiting, 'start'>, signal: AbortSignal): Promise<Child>
  giveBack(child: Child, reusable: boolean): void
  close(): Promise<void>
}

function createPool(settings: ChildProcessPoolSettings): Pool {
  const children = new Set<Child>()
  const idle = new Map<Child, NodeJS.Timeout>()
  const atWork = new Map<Child, Waiting>()
  const turns = createTurns<Waiting>({ ...settings, atWorkMax: settings.childrenMax, quickAtWorkMax: 1 })

  const endTurn = (child: Child): void => {
    const turn = atWork.get(child)
    atWork.delete(child)
    if (turn) turns.end(turn)
  }

  const hire = (): Child => {
    const child = startChild(settings)
    children.add(child)
    void child.gone.then(() => {
      clearTimeout(idle.get(child))
      idle.delete(child)
      children.delete(child)
      endTurn(child)
      serve()
    })
    return child
  }

  const pick = ({ module, isFresh }: Waiting): Child => {
    if (isFresh) return hire()
    const candidates = [...idle.keys()]
    const chosen = candidates.find((child) => child.modules.has(module)) ?? candidates.at(-1)
    if (chosen === undefined) return hire()
    clearTimeout(idle.get(chosen))
    idle.delete(chosen)
    return chosen
  }

  const serve = (): void => {
    for (let turn = turns.take(); turn; turn = turns.take()) {
      const child = pick(turn)
      atWork.set(child, turn)
      turn.start(child)
    }
  }

  return {
    take: async (turn, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Child>()
      const waiting: Waiting = { ...turn, start: resolve }
      turns.wait(waiting)
      const onAbort = (): void => {
        turns.leave(waiting)
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort)
      serve()
      return await promise.finally(() => signal.removeEventListener('abort', onAbort))
    },
    giveBack: (child, reusable) => {
      const bytes = child.residentBytes()
      const grown = bytes !== undefined && bytes > settings.keptMemoryMb * bytesPerMegabyte
      if (!children.has(child)) return
      const isSpare = idle.size > settings.childrenMax
      if (!reusable || grown || isSpare || child.jobsDone >= settings.jobsPerChild) {
        // The turn ends when the child is gone.
        child.kill()
        return
      }
      endTurn(child)
      const ms = idle.size > 0 ? settings.spareIdleMs : settings.idleMs
      idle.set(child, setTimeout(() => child.kill(), ms).unref())
      serve()
    },
    close: async () => {
      const gone = [...children].map((child) => child.gone)
      for (const child of children) child.kill()
      await Promise.all(gone)
    },
  }
}
