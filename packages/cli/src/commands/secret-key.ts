import { existsSync } from 'node:fs'
import { keyFileOf, rotateKeyFile } from '@skillrun/core/secret-key-file.ts'
import { newKeyText } from '@skillrun/core/secret-keys.ts'
import type { Command } from '../command.ts'
import { dataFolders } from '../paths.ts'
import { renderJson } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun secret-key`: the encryption key of secrets in the database, on the server's machine. */
export function addSecretKey(program: Command, terminal: Terminal): void {
  const group = program
    .command('secret-key')
    .description('create and rotate the key that encrypts secrets in the database')
    .examples('skillrun secret-key new', 'skillrun secret-key rotate')
  group
    .command('new')
    .description('print a new key for SKILLRUN_SECRET_KEY')
    .examples('export SKILLRUN_SECRET_KEY=$(skillrun secret-key new)')
    .action((_: unknown, command: Command) => {
      const key = newKeyText()
      terminal.print(command.isJson ? renderJson({ key }) : key)
    })
  group
    .command('rotate')
    .description('add a new key at the top of the key file in the data folder (SKILLRUN_DATA)')
    .examples('skillrun secret-key rotate', 'SKILLRUN_DATA=/var/lib/skillrun skillrun secret-key rotate')
    .action(async (_: unknown, command: Command) => {
      const folders = dataFolders(terminal.environment)
      const path = await rotateKeyFile(folders.find((one) => existsSync(keyFileOf(one))) ?? folders[0] ?? '.')
      if (command.isJson) terminal.print(renderJson({ path }))
      else
        terminal.log(
          `${path} now starts with a new key. Restart every server process that uses it: the first one encrypts all secrets with the new key. Then you can delete the other lines.`,
        )
    })
}
