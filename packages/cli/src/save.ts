import { createWriteStream } from 'node:fs'
import { access, constants, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Fault } from '@skillrun/core/fault.ts'
import { callerPath } from './paths.ts'
import { printable } from './render.ts'
import type { Terminal } from './terminal.ts'

/** Names of downloaded content from the server. */
export interface Named {
  readonly id: string
  readonly filename: string
}

/**
 * The target of a download: the caller's `output`, undefined for stdout (`-`), otherwise the server's name in the current
 * folder, which it cannot leave. Throws Fault `invalid` when that would overwrite a file.
 */
export async function findTarget(
  { id, filename }: Named,
  output: string | undefined,
  terminal: Terminal,
): Promise<string | undefined> {
  if (output === '-') return undefined
  if (output !== undefined) return callerPath(output, terminal.environment)
  const name = printable(basename(filename.replaceAll('\\', '/')))
    .replace(/^\.+/, '')
    .trim()
  const target = callerPath(name || id, terminal.environment)
  const taken = await access(target).then(
    () => true,
    () => false,
  )
  if (taken)
    throw new Fault(
      'invalid',
      'file_exists',
      `${target} already exists; choose another path with -o, or pass this one with -o to overwrite it`,
    )
  return target
}

/** Throws Fault `invalid` when a file cannot be written there, before long work for it begins. */
export async function checkTarget(target: string): Promise<void> {
  try {
    await access(dirname(target), constants.W_OK)
    if (
      await stat(target).then(
        (found) => found.isDirectory(),
        () => false,
      )
    )
      throw new Fault('invalid', 'bad_output', `${target} is a folder; name a file`)
  } catch (error) {
    throw writeFault(error, target)
  }
}

/** Writes content completely or not at all to its target, or to stdout. Throws Fault `invalid` when it cannot be written. */
export async function saveContent(
  content: AsyncIterable<Uint8Array>,
  target: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (target === undefined) return pipeline(content, process.stdout, { signal, end: false })
  const half = `${target}.${process.pid}.half`
  try {
    await pipeline(content, createWriteStream(half, { flags: 'wx' }), { signal })
    await rename(half, target)
  } catch (error) {
    await rm(half, { force: true })
    throw writeFault(error, target)
  }
}

function writeFault(error: unknown, target: string): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  return code && syscall ? new Fault('invalid', 'bad_output', `${target} cannot be written: ${message}`) : error
}
