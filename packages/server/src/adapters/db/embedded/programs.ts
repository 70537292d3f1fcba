import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { type Layout, passage, passageDescriptor } from './layout.ts'

/** Only what the programs need: PG… variables of the user's shell refer to other servers. */
const environment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }

/**
 * Starts one of PostgreSQL's programs as its account, in its own process group: Ctrl-C reaches only this process, which
 * stops the program when nothing uses it any more. `output` is a file descriptor, or `pipe`. A pipe must be read at once:
 * unread output is lost when the program ends.
 */
export function startProgram(
  layout: Layout,
  program: string,
  options: { args: readonly string[]; output: number | 'pipe' },
): ChildProcess {
  const { args, output } = options
  const { uid, gid, other } = layout.account
  const stdio: StdioOptions = ['ignore', output, output]
  const entrance = layout.seenRoot === passage ? openSync(layout.root, 'r') : undefined
  try {
    if (entrance !== undefined) stdio[passageDescriptor] = entrance
    const child = spawn(program, args, {
      ...(other ? { uid, gid } : {}),
      cwd: '/',
      env: environment,
      detached: true,
      stdio,
    })
    // Without a listener a failed spawn would end this process; callers check `pid` and the exit code.
    child.on('error', () => {})
    return child
  } finally {
    if (entrance !== undefined) closeSync(entrance)
  }
}
