import module from 'node:module'
import { serialize } from 'node:v8'
import { Fault } from '@skillrun/core/fault.ts'
import { type ChildMessage, type JobMessage, startFailedCode } from './messages.ts'

/** Characters of an error's description for the parent's log. */
const accountCharactersMax = 4_000
/** How often the orphan watch checks for the parent. */
const orphanCheckMs = 1_000

/** Kills this process when its parent is gone, even while a job blocks the main thread: it runs on another thread. */
const orphanWatch = `
  const parent = require('node:worker_threads').workerData
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, ${orphanCheckMs})
`

/** How long after a job its compiled code is saved: not while another waits for its answer. */
const keepAfterMs = 100
let keeping: NodeJS.Timeout | undefined
const loaded = new Set<string>()

/** A child is killed, never ended, so save compiled code while it lives. */
function keepCompiled(address: string): void {
  if (loaded.has(address)) return
  loaded.add(address)
  clearTimeout(keeping)
  keeping = setTimeout(() => module.flushCompileCache(), keepAfterMs).unref()
}

async function answer({ module: address, input, givesJson, outputBytesMax }: JobMessage): Promise<ChildMessage> {
  let work: (input: unknown) => unknown
  try {
    work = ((await import(address)) as { default: typeof work }).default
  } catch (error) {
    return { type: 'broken', account: accountOf(error) }
  }
  try {
    const made = await work(input)
    const output = serialize(givesJson ? JSON.stringify(made) : made)
    keepCompiled(address)
    return output.length > outputBytesMax ? { type: 'output_too_large' } : { type: 'done', output }
  } catch (error) {
    if (error instanceof Fault) return { type: 'fault', kind: error.kind, code: error.code, message: error.message }
    return { type: isOurs(error) ? 'broken' : 'failed', account: accountOf(error) }
  }
}

/**
 * Whether an error cannot be the input's fault: a package that cannot be loaded, or a failed system call. Denied permissions do not count,
 * because an input may cause them.
 */
function isOurs(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  if (code === 'ERR_ACCESS_DENIED') return false
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED' || typeof syscall === 'string'
}

function accountOf(error: unknown): string {
  try {
    const account = error instanceof Error ? (error.stack ?? error.message) : `thrown: ${String(error)}`
    return account.slice(0, accountCharactersMax)
  } catch {
    return 'thrown: something without words'
  }
}

function send(message: ChildMessage): void {
  process.send?.(message)
}

// Compiled code can be saved now, and jobs lose the permission to write.
const permission = process.permission as { drop?: (scope: string) => void } | undefined
permission?.drop?.('fs.write')
process.on('disconnect', () => process.exit(0))
process.on('message', (message: JobMessage) => void answer(message).then(send))
send({ type: 'ready' })
if (process.argv.includes('watch-parent')) startWatch()

/** Watches for the end of the parent, which may be gone before the watch begins, so it gets the parent's process id. */
function startWatch(): void {
  const failed = (): never => process.exit(startFailedCode)
  try {
    // Most children need none: loaded here only.
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const watch = new Worker(orphanWatch, { eval: true, env: {}, execArgv: [], workerData: process.ppid })
    watch.once('error', failed)
    watch.unref()
  } catch {
    failed()
  }
}
