import type { File as FileRecord } from '@skillrun/client/openapi.ts'
import { bytesText } from '@skillrun/core/figures.ts'
import { Option } from 'commander'
import type { Command } from '../command.ts'
import { findLocalFile } from '../local-file.ts'
import { wholeNumber } from '../options.ts'
import { callerPath } from '../paths.ts'
import { printable, renderFields, renderJson, renderMoment, renderTable } from '../render.ts'
import { findTarget, saveContent } from '../save.ts'
import { sendFile, withProgress } from '../send-files.ts'
import type { Terminal } from '../terminal.ts'
import { addFilePlaces } from './file-places.ts'

/** `skillrun files`: uploads, lists and downloads files. */
export function addFiles(program: Command, terminal: Terminal): void {
  const files = program
    .command('files')
    .description('upload, list and download files')
    .examples('skillrun files upload invoice.pdf', 'skillrun files list')
  addUpload(files, terminal)
  addList(files, terminal)
  addDownload(files, terminal)
  addFilePlaces(files, terminal)
  files
    .command('get <ID>')
    .description('show the record of a file')
    .examples('skillrun files get 0192f0c1-…')
    .action(async (id: string, _: unknown, command: Command) => {
      const client = await command.connect()
      show(await client.files.get(id), command, terminal)
    })
  files
    .command('delete <ID>')
    .description('delete a file from the server')
    .examples('skillrun files delete 0192f0c1-…')
    .action(async (id: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const file = await client.files.delete(id)
      command.report(file, `deleted ${printable(file.filename)} (${printable(file.id)})`)
    })
}

function addUpload(files: Command, terminal: Terminal): void {
  files
    .command('upload <FILE...>')
    .description('upload files and print their records')
    .addOption(
      new Option('--purpose <PURPOSE>', 'purpose of the files')
        .choices(['assistants', 'batch', 'fine-tune', 'vision', 'datasets'])
        .default('assistants'),
    )
    .examples(
      'skillrun files upload invoice.pdf receipt.jpg',
      'skillrun files upload invoice.pdf --json | jq -r ".[0].id"',
    )
    .action(async (names: readonly string[], { purpose }: { purpose: FileRecord['purpose'] }, command: Command) => {
      const found = await Promise.all(names.map((name) => findLocalFile(callerPath(name, terminal.environment), name)))
      const client = await command.connect()
      await client.checkKey()
      const stored: FileRecord[] = []
      try {
        for (const file of found) stored.push(await sendFile(file, { client, terminal, purpose }))
      } finally {
        // When a later upload fails, the caller still needs the ids of the earlier ones.
        if (stored.length > 0) command.print(stored, () => tableOf(stored, terminal))
      }
    })
}

function addList(files: Command, terminal: Terminal): void {
  files
    .command('list')
    .description('list files, newest first')
    .option('--limit <COUNT>', 'maximum number to list', wholeNumber(1, 1000), 10)
    .option('--skip <COUNT>', 'number to skip', wholeNumber(0), 0)
    .examples('skillrun files list --limit 100')
    .action(async ({ limit, skip }: { limit: number; skip: number }, command: Command) => {
      const client = await command.connect()
      const found = await client.files.list({ skip, limit })
      command.print(found, () => tableOf(found, terminal))
    })
}

function addDownload(files: Command, terminal: Terminal): void {
  files
    .command('download <ID>')
    .description('download a file')
    .option(
      '-o, --output <FILE>',
      'where to put it; - for stdout; else its own name in this folder, if nothing has that name',
    )
    .examples('skillrun files download 0192f0c1-…', 'skillrun files download 0192f0c1-… -o - | less')
    .action(async (id: string, { output }: { output?: string }, command: Command) => {
      const client = await command.connect()
      const file = await client.files.get(id)
      const target = await findTarget(file, output, terminal)
      const content = client.content(client.files.content(id))
      await saveContent(withProgress(content, { ...file, terminal }), target, terminal.signal)
      if (target === undefined) return
      command.report({ ...file, path: target }, `wrote ${bytesText(file.bytes)} to ${target}`)
    })
}

function tableOf(files: readonly FileRecord[], terminal: Terminal): string {
  const rows = files.map((each) => [each.id, bytesText(each.bytes), renderMoment(each.created_at), each.filename])
  return renderTable(['ID', 'SIZE', 'CREATED', 'NAME'], rows, terminal.columns)
}

function show(file: FileRecord, command: Command, terminal: Terminal): void {
  if (command.isJson) terminal.print(renderJson(file))
  else {
    const fields = Object.entries(file).map(([name, value]) => [name, value === null ? '-' : String(value)] as const)
    terminal.print(renderFields(fields))
  }
}
