import { Fault } from '@skillrun/core/fault.ts'
import type { Job, JobTerms } from '@skillrun/core/job.ts'
import { closed, type ProcessPool, tooCostly, unreadable } from '../process-pool.ts'

/**
 * A process pool that runs jobs in this process, for tests: the same order and the same errors, but it cannot stop a running job or bound
 * its memory.
 */
export function createInlineProcessPool(): ProcessPool {
  const closing = new AbortController()
  return {
    run: async (job, input, terms) => {
      if (closing.signal.aborted) throw closed()
      terms.signal.throwIfAborted()
      return await runInline(job, input, { ...terms, closing: closing.signal })
    },
    close: async () => closing.abort(),
  }
}

async function runInline<I, O>(job: Job<I, O>, input: I, terms: JobTerms & { closing: AbortSignal }): Promise<O> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooCostly(`${terms.wallMs / 1000} seconds`)), terms.wallMs)
  const onAbort = (): void => reject(terms.signal.reason)
  const onClose = (): void => reject(closed())
  terms.signal.addEventListener('abort', onAbort)
  terms.closing.addEventListener('abort', onClose)
  try {
    return await Promise.race([runModule(job, input), stopped])
  } finally {
    clearTimeout(timer)
    terms.signal.removeEventListener('abort', onAbort)
    terms.closing.removeEventListener('abort', onClose)
  }
}

async function runModule<I, O>(job: Job<I, O>, input: I): Promise<O> {
  try {
    const { default: work } = (await import(job.module.href)) as { default: (input: I) => Promise<O> | O }
    const output = await work(structuredClone(input))
    return job.givesJson ? (JSON.parse(JSON.stringify(output)) as O) : structuredClone(output)
  } catch (error) {
    throw error instanceof Fault ? error : unreadable(error)
  }
}
