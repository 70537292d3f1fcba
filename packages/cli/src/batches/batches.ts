import type { Batch, BatchItem } from '@skillrun/client/openapi.ts'
import { Option } from 'commander'
import type { Command, GlobalOptions } from '../command.ts'
import { addCallbacks, dollars } from '../commands/execution-acts.ts'
import { collected, tierOption, wholeNumber, wrongRate } from '../options.ts'
import { printable, renderDollars, renderFields, renderJson, renderMoment, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'
import { addBackfill } from './backfill.ts'
import { documentsOf, findSources } from './batch-files.ts'
import {
  type BatchOptions,
  begin,
  checkOutput,
  configOf,
  follow,
  type ResultOptions,
  requestOf,
  resultOptions,
  saveResults,
} from './run-batch.ts'

/** `skillrun batch` and `skillrun batches`: one configuration for many documents. */
export function addBatches(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  addBatch(program, terminal, setExitCode)
  addBackfill(program, terminal, setExitCode)
  const batches = program
    .command('batches')
    .description('list, control and download batches')
    .examples('skillrun batches list', 'skillrun batches results 0192f0c1-… --out results.xlsx')
  addReading(batches, terminal)
  addMoves(batches, terminal)
  addCallbacks(batches, terminal, 'batches')
  resultOptions(batches.command('results <ID>').description('download the results of a batch, one row per document'))
    .examples('skillrun batches results 0192f0c1-… --out results.xlsx')
    .action(async (id: string, options: ResultOptions, command: Command) => {
      await checkOutput(options, terminal)
      await saveResults(id, options, { client: await command.connect(), terminal })
    })
}

function addBatch(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  resultOptions(program.command('batch <FILES...>'))
    .description(
      'run an agent on each of many documents (files, folders, URLs, or an archive), and write a table of results',
    )
    .option('--schema <FILE>', 'JSON Schema of the responses')
    .option('--skill <FOLDER>', 'folder of a local skill, or name of a shipped or stored one; repeatable', collected)
    .option('--skill-id <SKILL>', 'a stored skill, by id, NAME or NAME:VERSION; repeatable', collected)
    .option('-p, --prompt <TEXT>', 'what to do')
    .option('--agent <NAME>', 'agent to run, as NAME or NAME:VERSION')
    .option('--model <MODEL>', 'model to use (see "skillrun models")')
    .addOption(tierOption().default(undefined, 'flex'))
    .option('--name <NAME>', 'name of the batch')
    .option('--callback <URL>', 'URL to call when the batch has ended')
    .option('--max-cost <DOLLARS>', 'pause an execution before its cost exceeds this', dollars)
    .option(
      '--max-wrong-rate <SHARE>',
      'share of wrong values to accept from the embedded engine, 0.005 to 0.2, or off',
      wrongRate,
    )
    .option('--max-in-flight <COUNT>', 'executions that exist and have not ended, at most', wholeNumber(1, 1_000))
    .option('--config <FILE>', 'further configuration as a JSON object; other options take precedence')
    .option('--combine', 'read all documents together in one execution')
    .option('--new', 'start another batch, although one of these files and options exists')
    .option('--detach', 'print the batch immediately instead of waiting for its end')
    .examples(
      'skillrun batch ./invoices --schema invoice.schema.json --out results.xlsx',
      'skillrun batch invoices.zip --schema invoice.schema.json --out results.xlsx',
      'skillrun batch *.pdf --skill-id invoices --out results.csv --evidence',
      'skillrun batch ./invoices --schema invoice.schema.json --detach --json | jq -r .id',
    )
    .addHelpText(
      'after',
      `
The same command on the same files goes on with the same batch: press Ctrl-C and run it again.

Exit codes: 0 all completed, 1 some failed, 2 invalid usage or input, 3 server unreachable, 4 key rejected, 130 interrupted.`,
    )
    .action(async (names: readonly string[], options: BatchOptions, command: Command) => {
      await checkOutput(options, terminal)
      const sources = await findSources(names, terminal)
      const config = await configOf(options, terminal)
      const client = await command.connect()
      const documents = await documentsOf(sources, { client, terminal })
      const batch = await begin(client, { ...requestOf(options), ...documents, config }, options.new === true)
      if (options.detach) return terminal.print(renderJson(batch))
      terminal.log(`batch ${printable(batch.id)}: ${batch.total} ${batch.total === 1 ? 'document' : 'documents'}`)
      setExitCode(await follow(batch, options, { client, terminal }))
    })
}

function addReading(batches: Command, terminal: Terminal): void {
  batches
    .command('list')
    .description('list batches, newest first')
    .option('--limit <COUNT>', 'how many', wholeNumber(1, 100), 20)
    .addOption(new Option('--status <STATUS>').choices(['running', 'paused', 'completed', 'cancelled']))
    .examples('skillrun batches list --status running')
    .action(async (_: unknown, command: Command) => {
      const { limit, status, json } = command.optsWithGlobals<
        GlobalOptions & { limit: number; status?: Batch['status'] }
      >()
      const found = await (await command.connect()).batches.list({ limit, ...(status ? { status } : {}) })
      if (json) return terminal.print(renderJson(found))
      const rows = found.map((one) => [
        one.id,
        one.name ?? '-',
        one.status,
        `${one.counts.completed + one.counts.failed + one.counts.cancelled}/${one.total}`,
        String(one.counts.failed),
        renderDollars(one.cost_dollars),
        renderMoment(one.created_at),
      ])
      const header = ['ID', 'NAME', 'STATUS', 'DONE', 'FAILED', 'COST', 'CREATED']
      terminal.print(renderTable(header, rows, terminal.columns))
    })
  batches
    .command('get <ID>')
    .description('show a batch and its progress')
    .examples('skillrun batches get 0192f0c1-…')
    .action(async (id: string, _: unknown, command: Command) =>
      show(await (await command.connect()).batches.get(id), command, terminal),
    )
  batches
    .command('items <ID>')
    .description('list the documents of a batch with their status and lowest confidence')
    .addOption(
      new Option('--filter <FILTER>', 'only these').choices(['low_confidence', 'not_found', 'failed'] as const),
    )
    .examples('skillrun batches items 0192f0c1-… --filter low_confidence')
    .action(async (id: string, _: unknown, command: Command) => {
      const { filter, json } = command.optsWithGlobals<
        GlobalOptions & { filter?: 'low_confidence' | 'not_found' | 'failed' }
      >()
      const client = await command.connect()
      const query = filter ? { filter } : {}
      const items: BatchItem[] = []
      for await (const item of client.batches.items(id, query)) items.push(item)
      if (json) return terminal.print(renderJson(items))
      const rows = items.map((item) => [
        String(item.index),
        item.file_name ?? '-',
        item.status,
        item.lowest_confidence === null ? '-' : item.lowest_confidence.toFixed(2),
        item.execution_id ?? '-',
        item.error?.message ?? '',
      ])
      const header = ['INDEX', 'FILE', 'STATUS', 'CONFIDENCE', 'EXECUTION', 'ERROR']
      terminal.print(renderTable(header, rows, terminal.columns))
    })
}

function addMoves(batches: Command, terminal: Terminal): void {
  const moves = {
    pause: 'pause a batch and its executions',
    resume: 'continue a paused batch',
    cancel: 'cancel a batch and its executions that have not ended',
    retry: 'run the failed documents of a batch again',
  } as const
  for (const [verb, description] of Object.entries(moves) as [keyof typeof moves, string][])
    batches
      .command(`${verb} <ID>`)
      .description(description)
      .examples(`skillrun batches ${verb} 0192f0c1-…`)
      .action(async (id: string, _: unknown, command: Command) =>
        show(await (await command.connect()).batches[verb](id), command, terminal),
      )
}

function show(batch: Batch, command: Command, terminal: Terminal): void {
  const { json } = command.optsWithGlobals<GlobalOptions>()
  terminal.print(json ? renderJson(batch) : renderFields(fieldsOf(batch)))
}

const fieldsOf = (batch: Batch): readonly (readonly [string, string])[] => [
  ['id', printable(batch.id)],
  ['name', printable(batch.name ?? '-')],
  ['status', batch.status],
  ...Object.entries(batch.counts).map(([name, count]) => [name, String(count)] as const),
  ['total', String(batch.total)],
  ['cost', renderDollars(batch.cost_dollars)],
  ['created', renderMoment(batch.created_at)],
  ['ended', renderMoment(batch.completed_at)],
]
