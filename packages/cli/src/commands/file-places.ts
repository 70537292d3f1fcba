import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { Command } from 'commander'
import { connect, examples, type GlobalOptions, wholeNumber } from '../options.ts'
import { callerPath } from '../paths.ts'
import { renderFields, renderJson } from '../render.ts'
import type { Terminal } from '../terminal.ts'
import { findLocalFile } from '../upload.ts'
import { addPage } from './pages.ts'

/** Other ways to a file: by its content, as drawn pages, and uploads by others: below `skillrun files`. */
export function addFilePlaces(files: Command, terminal: Terminal): void {
  const show = (record: JsonObject, command: Command) => {
    if (command.optsWithGlobals<GlobalOptions>().json) return terminal.print(renderJson(record))
    const fields = Object.entries(record).map(([name, value]) => [name, value === null ? '-' : String(value)] as const)
    terminal.print(renderFields(fields))
  }
  files
    .command('find <FILE>')
    .description('find the stored file with the same content as a local file')
    .addHelpText('after', examples('skillrun files find invoice.pdf --json | jq -r .id'))
    .action(async (name: string, _: unknown, command: Command) => {
      const { path } = await findLocalFile(callerPath(name, terminal.environment), name)
      const hash = createHash('md5')
      for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
      const client = await connect(command, terminal)
      show(await client.call({ method: 'GET', path: `/v1/files/hash/${hash.digest('hex')}` }, terminal.signal), command)
    })
  addPage(files, terminal, 'files')
  files
    .command('presign <NAME>')
    .description('create a URL that accepts one upload without a key')
    .option('--expires-in <SECONDS>', 'lifetime of the URL', wholeNumber(1, 604_800))
    .addHelpText(
      'after',
      examples('skillrun files presign invoice.pdf --expires-in 3600', 'curl -T invoice.pdf "$URL"'),
    )
    .action(async (filename: string, { expiresIn }: { expiresIn?: number }, command: Command) => {
      const client = await connect(command, terminal)
      const json = { filename, ...(expiresIn === undefined ? {} : { expiration: expiresIn }) }
      show(await client.call({ method: 'POST', path: '/v1/files/presigned-url', json }, terminal.signal), command)
    })
  files
    .command('verify <ID>')
    .description('check whether a file was uploaded to its presigned URL')
    .addHelpText('after', examples('skillrun files verify 0192f0c1-…'))
    .action(async (id: string, _: unknown, command: Command) => {
      const client = await connect(command, terminal)
      const path = `/v1/files/verify-upload/${encodeURIComponent(id)}`
      show(await client.call({ method: 'GET', path }, terminal.signal), command)
    })
}
