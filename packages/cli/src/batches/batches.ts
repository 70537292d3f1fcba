import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { BackfillRequest, Batch, BatchItem, BatchRequest } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import { Option } from 'commander'
import type { Client } from '../client.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { skillEntries } from '../commands/execute.ts'
import { addCallbacks, dollars } from '../commands/execution-acts.ts'
import { addFilterOptions, type FilterOptions, filterOf } from '../execution-filters.ts'
import { exitCodes } from '../exit-codes.ts'
import { readJsonFile, readSchemaFile } from '../local-json.ts'
import { collected, given, type ServiceTier, tierOption, wholeNumber, wrongRate } from '../options.ts'
import { callerPath } from '../paths.ts'
import { printable, renderBar, renderDollars, renderFields, renderJson, renderMoment, renderTable } from '../render.ts'
import { checkTarget, saveContent } from '../save.ts'
import type { Terminal } from '../terminal.ts'
import { documentsOf, findSources } from './batch-files.ts'

const formats = ['csv', 'xlsx', 'jsonl'] as const
type Format = (typeof formats)[number]

interface ResultOptions {
  readonly out?: string
  readonly format?: Format
  readonly evidence?: boolean
}

interface BatchOptions extends ResultOptions {
  readonly schema?: string
  readonly skill?: readonly string[]
  readonly skillId?: readonly string[]
  readonly prompt?: string
  readonly agent?: string
  readonly model?: string
  readonly tier?: ServiceTier
  readonly name?: string
  readonly config?: string
  readonly callback?: string
  readonly maxCost?: number
  readonly maxWrongRate?: number | 'off'
  readonly maxInFlight?: number
  readonly combine?: boolean
  readonly new?: boolean
  readonly detach?: boolean
}

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

const resultOptions = (command: Command): Command =>
  command
    .option('-o, --out <FILE>', 'where to write the results: .csv, .xlsx or .jsonl; otherwise JSON Lines on stdout')
    .addOption(new Option('--format <FORMAT>', 'format of the results, if not that of --out').choices(formats))
    .option('--evidence', 'in CSV and XLSX, add the confidence of each value and a link to its place')

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

interface BackfillOptions
  extends ResultOptions,
    Omit<FilterOptions, 'status'>,
    Pick<BatchOptions, 'schema' | 'name' | 'callback' | 'maxCost' | 'maxInFlight' | 'new' | 'detach'> {
  readonly limit: number
  readonly dryRun?: boolean
}

/** `skillrun backfill`: asks earlier executions for the fields that a new schema adds. */
function addBackfill(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  const command = program
    .command('backfill [EXECUTIONS...]')
    .description(
      'ask earlier executions for the fields that a new schema adds, and write a table of results; fields that did not change are kept',
    )
    .requiredOption('--schema <FILE>', 'the new JSON Schema')
  resultOptions(addFilterOptions(command, ['completed']))
    .option('--limit <COUNT>', 'executions at most, newest first', wholeNumber(1, 10_000), 10_000)
    .option('--name <NAME>', 'name of the batch')
    .option('--callback <URL>', 'URL to call when the batch has ended')
    .option('--max-cost <DOLLARS>', 'pause an execution before its cost exceeds this', dollars)
    .option('--max-in-flight <COUNT>', 'executions that exist and have not ended, at most', wholeNumber(1, 1_000))
    .option('--new', 'start another batch, although one of these executions and options exists')
    .option('--detach', 'print the batch immediately instead of waiting for its end')
    .option('--dry-run', 'print how many executions would be asked and what that would cost, and do nothing')
    .examples(
      'skillrun backfill --batch 0192f0c1-… --schema with-iban.schema.json --out results.xlsx',
      'skillrun backfill --skill invoices --after 2026-01-01 --schema with-iban.schema.json --dry-run',
      'skillrun backfill 0192f0c1-… 0192f0c2-… --schema with-iban.schema.json',
    )
    .action(async (named: readonly string[], options: BackfillOptions, command: Command) => {
      await checkOutput(options, terminal)
      // These filter the executions.
      const { skill: _skill, agent: _agent, tier: _tier, ...own } = options
      const config = await configOf(own, terminal)
      const client = await command.connect()
      const ids = named.length > 0 ? named : await completedIds(client, options)
      if (ids.length === 0) throw new Fault('missing', 'no_executions', 'No completed execution matches')
      if (options.dryRun) {
        const json_schema = config.json_schema ?? {}
        const request = { base_executions: [...ids], config: { json_schema } } as BackfillRequest
        return terminal.print(renderJson(await client.batches.estimate(request)))
      }
      const batch = await begin(client, { ...requestOf(own), base_executions: [...ids], config }, options.new === true)
      if (options.detach) return terminal.print(renderJson(batch))
      terminal.log(`batch ${printable(batch.id)}: ${batch.total} ${batch.total === 1 ? 'execution' : 'executions'}`)
      setExitCode(await follow(batch, options, { client, terminal }))
    })
}

/** The completed executions that match the filters, newest first, without turns of chats. */
async function completedIds(client: Client, options: BackfillOptions): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { id, agent_id } of client.executions.list({ ...filterOf(options), status: 'completed' })) {
    if (agent_id !== null) ids.push(id)
    if (ids.length === options.limit) break
  }
  return ids
}

async function configOf(options: BatchOptions, terminal: Terminal): Promise<NonNullable<BatchRequest['config']>> {
  const more = options.config === undefined ? {} : await readJsonFile(options.config, terminal, 'configuration')
  const skills = await skillEntries(options, terminal)
  return {
    ...more,
    ...given({
      prompt: options.prompt,
      json_schema: options.schema === undefined ? undefined : await readSchemaFile(options.schema, terminal),
      skills: skills.length === 0 ? undefined : skills,
      max_cost_dollars: options.maxCost,
      max_wrong_rate: options.maxWrongRate === 'off' ? null : options.maxWrongRate,
    }),
  } as NonNullable<BatchRequest['config']>
}

const requestOf = (options: BatchOptions): Omit<BatchRequest, 'items' | 'zip_file_id' | 'config'> => {
  const { name, agent, model, tier, callback, maxInFlight, combine } = options
  const limited = { service_tier: tier, callback_url: callback, max_in_flight: maxInFlight }
  return { name, agent, model, ...limited, combine }
}

/** The key is the content of the request: the same command finds its batch again. */
function begin(client: Client, request: BatchRequest, isNew: boolean): Promise<Batch> {
  const own = isNew ? newId(new Date()) : createHash('sha256').update(JSON.stringify(request)).digest('hex')
  return client.batches.create(request, { idempotencyKey: `skillrun batch ${own}` })
}

/** Waits for the end of a batch, with a progress bar, and writes its results. Returns the exit code. */
async function follow(
  { id }: Batch,
  options: ResultOptions,
  how: { client: Client; terminal: Terminal },
): Promise<number> {
  const { client, terminal } = how
  const onProgress = (batch: Batch) => terminal.logLive(progressLine(batch))
  const ended = await client.batches.wait(id, { signal: terminal.signal, onProgress }).catch((error: unknown) => {
    if (terminal.signal.aborted)
      terminal.log(`The batch continues; run the same command again to follow it, or stop it with: ${stopCommand(id)}`)
    throw error
  })
  terminal.log(progressLine(ended))
  if (ended.status === 'paused')
    throw new Fault('conflict', 'batch_paused', `The batch is paused; continue it with: skillrun batches resume ${id}`)
  await saveResults(id, options, how)
  if (ended.status === 'cancelled') terminal.log('The batch was cancelled; --new starts another one')
  else if (ended.counts.failed > 0) terminal.log(`Run the failed documents again with: skillrun batches retry ${id}`)
  return ended.status === 'completed' && ended.counts.failed === 0 ? exitCodes.completed : exitCodes.failed
}

const stopCommand = (id: string): string => `skillrun batches cancel ${id}`

function progressLine({ status, total, counts, cost_dollars }: Batch): string {
  const done = counts.completed + counts.failed + counts.cancelled
  const others = (['failed', 'cancelled', 'running', 'paused'] as const)
    .filter((one) => counts[one] > 0)
    .map((one) => `, ${counts[one]} ${one}`)
  return `${status} ${renderBar(done / total)} ${done}/${total}${others.join('')}, ${renderDollars(cost_dollars)}`
}

function formatOf({ out, format }: ResultOptions): Format {
  if (format) return format
  if (out === undefined) return 'jsonl'
  const found = formats.find((one) => `.${one}` === extname(out).toLowerCase())
  if (found) return found
  throw new Fault(
    'invalid',
    'unknown_format',
    `${out} has no known ending: use .csv, .xlsx or .jsonl, or name the format with --format`,
  )
}

const targetOf = ({ out }: ResultOptions, terminal: Terminal): string | undefined =>
  out === undefined ? undefined : callerPath(out, terminal.environment)

/** Before anything is sent. Throws Fault `invalid` where the results could not be written. */
async function checkOutput(options: ResultOptions, terminal: Terminal): Promise<void> {
  const [format, target] = [formatOf(options), targetOf(options, terminal)]
  if (target !== undefined) return checkTarget(target)
  if (format === 'xlsx') throw new Fault('invalid', 'needs_file', 'XLSX needs a file: name it with --out')
}

async function saveResults(
  id: string,
  options: ResultOptions,
  { client, terminal }: { client: Client; terminal: Terminal },
): Promise<void> {
  const query = { format: formatOf(options), ...(options.evidence ? { evidence: true } : {}) }
  const target = targetOf(options, terminal)
  const content = client.content(client.batches.results(id, query))
  if (target !== undefined) {
    await saveContent(content, target, terminal.signal)
    return terminal.log(`wrote ${target}`)
  }
  const decoder = new TextDecoder()
  for await (const piece of content) terminal.print(decoder.decode(piece, { stream: true }))
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
