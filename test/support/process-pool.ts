import { mkdir } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  childProcessPoolDefaults,
  createChildProcessPool,
} from '../../packages/server/src/adapters/process-pool/child/child-process-pool.ts'
import { closed, type ProcessPool } from '../../packages/server/src/adapters/process-pool/process-pool.ts'
import { makeSandboxFinder } from '../../packages/server/src/sandbox-finder.ts'

let opened: Promise<ProcessPool> | undefined

async function openPool(compiledFolder: string): Promise<ProcessPool> {
  // In the folder of the test run, which is removed with it.
  const inputFolder = join(tmpdir(), `children-of-${process.pid}`)
  await mkdir(inputFolder, { recursive: true })
  const sandbox = await makeSandboxFinder({ privatePaths: [] })()
  return createChildProcessPool({
    ...childProcessPoolDefaults,
    childrenMax: Math.max(2, availableParallelism()),
    inputFolder,
    bubblewrap: 'found' in sandbox ? sandbox.found : undefined,
    compiledFolder,
  })
}

/**
 * The process pool of all servers in this process: starting and warming children is most of what a short test of a server takes. Its
 * `close` ends only what was run with it. Undefined outside of a test run: benchmarks open servers too.
 */
export async function shareProcessPool(): Promise<ProcessPool | undefined> {
  const compiledFolder = process.env['COMPILED_FOR_CHILDREN']
  if (!compiledFolder) return undefined
  opened ??= openPool(compiledFolder)
  const pool = await opened
  const closing = new AbortController()
  return {
    run: async (job, input, terms) =>
      await pool.run(job, input, { ...terms, signal: AbortSignal.any([terms.signal, closing.signal]) }),
    close: async () => closing.abort(closed()),
  }
}
