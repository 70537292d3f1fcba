import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { type Layout, passage, passageDescriptor } from './layout.ts'

/** Only what the programs need: PG… variables of the user's shell are about other servers. */
const environment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }

/**
 * Starts one of PostgreSQL's programs as its account, in a process group of its own: Ctrl-C is for us, who then stop it
 * when nobody needs it any more. `output` is a file's descriptor, or `pipe` to read it: at once, for what a program wrote
 * is dropped when it ends before anybody reads.
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
    // Without a listener a program that cannot be started would end this process; its exit code says it.
    child.on('error', () => {})
    return child
  } finally {
    if (entrance !== undefined) closeSync(entrance)
  }
}
