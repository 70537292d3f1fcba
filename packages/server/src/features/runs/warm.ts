import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { JsonSchema } from '@skillrun/core/json.ts'
import { drawPageJob } from '@skillrun/reader/media/draw-page.ts'
import { readDocumentJob } from '@skillrun/reader/media/packed-document.ts'
import { ofShare, type ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { answerJob } from '../../agent/embedded/answer.ts'
import { installation } from '../../core/installation.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'

/** Lower than all other work. */
const lastRank = 9

/** Enough to load what draws. */
const drawnWidth = 100

const terms = {
  wallMs: limits.extractWallMs,
  memoryMb: limits.extractMemoryMb,
  signal: new AbortController().signal,
}
const samples = installation.sharedFolder('samples')
const path = fileURLToPath(new URL('invoice.pdf', samples))

interface Parts {
  readonly processPool: ProcessPool
  readonly log: Log
}

/**
 * Lets a child process read and answer the sample invoice, so that the first execution does not wait until one has started and loaded its
 * modules: code that has run once on a usual document is several times faster, and is kept compiled. Never rejects: a server without warm
 * children still works.
 */
export const warmProcessPool = (parts: Parts): Promise<void> =>
  warmed(parts, async (own) => {
    const { packed } = await own.run(readDocumentJob, { path }, terms)
    const schema = JSON.parse(await readFile(new URL('invoice.schema.json', samples), 'utf8')) as JsonSchema
    await own.run(answerJob, { documents: [{ input: 'invoice', packed }], values: {}, schema }, terms)
  })

/** The same for pages that the console draws. Not at a start, where the first execution would wait for it. */
export const warmDrawing = (parts: Parts): Promise<void> =>
  warmed(parts, async (own) => void (await own.run(drawPageJob, { path, page: 0, width: drawnWidth }, terms)))

async function warmed({ processPool, log }: Parts, use: (own: ProcessPool) => Promise<void>): Promise<void> {
  try {
    await use(ofShare(processPool, { group: 'warming', rank: lastRank }))
  } catch (error) {
    log.debug({ error }, 'warming the process pool failed')
  }
}

/**
 * The same process pool, whose jobs wait until a child is warm: in a second one, which would load and compile the same at the same time, they
 * would end later. Quick jobs do not wait.
 */
export function afterWarming(processPool: ProcessPool, warming: Promise<void>): ProcessPool {
  let isWarm = false
  const warm = warming.then(() => {
    isWarm = true
  })
  return {
    run: async (job, input, terms) => {
      if (!isWarm && !job.isQuick) await unlessAborted(warm, terms.signal)
      return await processPool.run(job, input, terms)
    },
    close: () => processPool.close(),
  }
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}
