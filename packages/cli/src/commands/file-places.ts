import { createHash } from 'node:crypto'
import type { File as FileRecord, PresignedUpload } from '@skillrun/client/openapi.ts'
import type { Command } from '../command.ts'
import { findLocalFile } from '../local-file.ts'
import { wholeNumber } from '../options.ts'
import { callerPath } from '../paths.ts'
import { renderFields, renderJson } from '../render.ts'
import type { Terminal } from '../terminal.ts'
import { addPage } from './pages.ts'

/** More commands for files: by content, as page images, presigned uploads. Subcommands of `skillrun files`. */
export function addFilePlaces(files: Command, terminal: Terminal): void {
  const show = (record: object, command: Command) => {
    if (command.isJson) return terminal.print(renderJson(record))
    const fields = Object.entries(record).map(([name, value]) => [name, value === null ? '-' : String(value)] as const)
    terminal.print(renderFields(fields))
  }
  files
    .command('find <FILE>')
    .description('find the stored file with the same content as a local file')
    .examples('skillrun files find invoice.pdf --json | jq -r .id')
    .action(async (name: string, _: unknown, command: Command) => {
      const { content } = await findLocalFile(callerPath(name, terminal.environment), name)
      const hash = createHash('md5')
      for await (const piece of content.stream()) hash.update(piece)
      const client = await command.connect()
      show(await client.call<FileRecord>(`/v1/files/hash/${hash.digest('hex')}`), command)
    })
  addPage(files, terminal, 'files')
  files
    .command('presign <NAME>')
    .description('create a URL that accepts one upload without a key')
    .option('--expires-in <SECONDS>', 'lifetime of the URL', wholeNumber(1, 604_800))
    .examples('skillrun files presign invoice.pdf --expires-in 3600', 'curl -T invoice.pdf "$URL"')
    .action(async (filename: string, { expiresIn }: { expiresIn?: number }, command: Command) => {
      const client = await command.connect()
      const body = { filename, ...(expiresIn === undefined ? {} : { expiration: expiresIn }) }
      show(await client.call<PresignedUpload>('/v1/files/presigned-url', { method: 'POST', body }), command)
    })
  files
    .command('verify <ID>')
    .description('check whether a file was uploaded to its presigned URL')
    .examples('skillrun files verify 0192f0c1-…')
    .action(async (id: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const path = `/v1/files/verify-upload/${encodeURIComponent(id)}`
      show(await client.call<FileRecord>(path), command)
    })
}
