import { Fault } from '@skillrun/core/fault.ts'
import { createClient } from '../client.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { findConnection } from '../connection.ts'
import { writeProfile } from '../profile.ts'
import { renderJson } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun login`: saves a server and a key after checking them. */
export function addLogin(program: Command, terminal: Terminal): void {
  program
    .command('login')
    .description('save a server and a key for later commands (the key from --key, or one line on stdin)')
    .examples(
      'skillrun login --url https://skillrun.example.com --key sk-…',
      'skillrun login --url https://skillrun.example.com < key.txt',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const key = options.key ?? (await keyOnStdin())
      const connection = await findConnection({ ...options, ...(key ? { key } : {}) }, terminal.environment)
      if (connection.key === undefined)
        throw new Fault('invalid', 'no_key', 'No key was given: pass one with --key or on stdin')
      await createClient(connection, terminal.signal).checkKey()
      const path = await writeProfile({ url: connection.url, key: connection.key }, terminal.environment)
      if (options.json) terminal.print(renderJson({ url: connection.url, path }))
      else terminal.log(`${connection.url} accepts the key; both were saved in ${path}`)
    })
}

/** The first line of piped input; undefined without one. */
async function keyOnStdin(): Promise<string | undefined> {
  if (process.stdin.isTTY) return undefined
  let text = ''
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0]?.trim() || undefined
}
