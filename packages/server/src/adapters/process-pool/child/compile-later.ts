import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Job } from '@skillrun/core/job.ts'
import { installation } from '../../../core/installation.ts'
import type { ProcessPool } from '../process-pool.ts'
import { type ChildProcessPoolSettings, createChildProcessPool } from './child-process-pool.ts'

const keepCompiledJob: Job<undefined, void> = {
  name: 'keep-compiled',
  module: new URL('./keep-compiled.job.ts', import.meta.url),
}

const packageFile = new URL('package.json', installation.packageFolder('server'))
/** Names the files of the build by their content; only in a checkout. */
const buildFile = new URL('dist/list.json', installation.packageFolder('server'))
const terms = { wallMs: 10_000, memoryMb: 1_000 }

/** Delay after the start: the cache is for later children and the next start. */
const laterMs = 30_000

/** Fills the compile cache after a delay, for children in bubblewrap that can only read it; see `compileNow`. */
export function compileLater(
  settings: ChildProcessPoolSettings,
  use: (processPool: ProcessPool) => Promise<void>,
): { close(): Promise<void> } {
  const stopping = new AbortController()
  let compiling: Promise<void> | undefined
  const timer = setTimeout(() => {
    // Without the cache, modules are compiled again.
    compiling = compileNow(settings, use, stopping.signal).catch(() => undefined)
  }, laterMs).unref()
  return {
    close: async () => {
      clearTimeout(timer)
      stopping.abort()
      await compiling
    },
  }
}

/**
 * Compiles the modules of children into the cache, once per version of them, which is the content of `versionFiles`: `use` runs jobs that
 * load them in a separate process pool, without files of callers. Does nothing without bubblewrap, where each child writes the cache itself.
 */
export async function compileNow(
  settings: ChildProcessPoolSettings,
  use: (processPool: ProcessPool) => Promise<void>,
  signal: AbortSignal,
  versionFiles: readonly (URL | string)[] = [packageFile, buildFile],
): Promise<void> {
  const { compiledFolder, bubblewrap } = settings
  if (compiledFolder === undefined || bubblewrap === undefined) return
  const files = await Promise.all(versionFiles.map((file) => readFile(file, 'utf8').catch(() => '')))
  const version = createHash('sha256').update(process.version).update(files.join('\n')).digest('hex').slice(0, 16)
  const done = `done-${version}`
  const names: readonly string[] = await readdir(compiledFolder).catch(() => [])
  if (names.includes(done) || signal.aborted) return
  const processPool = createChildProcessPool({ ...settings, childrenMax: 1, writesCompiled: true })
  const stop = (): void => void processPool.close()
  signal.addEventListener('abort', stop)
  try {
    await use(processPool)
    await processPool.run(keepCompiledJob, undefined, { ...terms, signal })
  } finally {
    signal.removeEventListener('abort', stop)
    await processPool.close()
  }
  for (const name of names) if (name.startsWith('done-')) await rm(join(compiledFolder, name), { force: true })
  await writeFile(join(compiledFolder, done), '')
}
