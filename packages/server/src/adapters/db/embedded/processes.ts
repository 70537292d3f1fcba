import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The command line of a running process, separated by spaces; undefined when there is no such process. */
export async function commandOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
    return stdout.trim() === '' ? undefined : stdout.trim()
  }
  // A zombie has an empty command line.
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return text === '' ? undefined : text.replaceAll('\0', ' ').trim()
}

/** Sends a signal; ignores a process that has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
