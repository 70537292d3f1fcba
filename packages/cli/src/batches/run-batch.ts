import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { Batch, BatchRequest } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import { Option } from 'commander'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { skillEntries } from '../commands/execute.ts'
import { exitCodes } from '../exit-codes.ts'
import { readJsonFile, readSchemaFile } from '../local-json.ts'
import { given, type ServiceTier } from '../options.ts'
import { callerPath } from '../paths.ts'
import { renderBar, renderDollars } from '../render.ts'
import { checkTarget, saveContent } from '../save.ts'
import type { Terminal } from '../terminal.ts'

const formats = ['csv', 'xlsx', 'jsonl'] as const
type Format = (typeof formats)[number]

export interface ResultOptions {
  readonly out?: string
  readonly format?: Format
  readonly evidence?: boolean
}

export interface BatchOptions extends ResultOptions {
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

export const resultOptions = (command: Command): Command =>
  command
    .option('-o, --out <FILE>', 'where to write the results: .csv, .xlsx or .jsonl; otherwise JSON Lines on stdout')
    .addOption(new Option('--format <FORMAT>', 'format of the results, if not that of --out').choices(formats))
    .option('--evidence', 'in CSV and XLSX, add the confidence of each value and a link to its place')

export async function configOf(
  options: BatchOptions,
  terminal: Terminal,
): Promise<NonNullable<BatchRequest['config']>> {
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

export const requestOf = (options: BatchOptions): Omit<BatchRequest, 'items' | 'zip_file_id' | 'config'> => {
  const { name, agent, model, tier, callback, maxInFlight, combine } = options
  const limited = { service_tier: tier, callback_url: callback, max_in_flight: maxInFlight }
  return { name, agent, model, ...limited, combine }
}

/** The key is the content of the request: the same command finds its batch again. */
export function begin(client: Client, request: BatchRequest, isNew: boolean): Promise<Batch> {
  const own = isNew ? newId(new Date()) : createHash('sha256').update(JSON.stringify(request)).digest('hex')
  return client.batches.create(request, { idempotencyKey: `skillrun batch ${own}` })
}

/**
 * Waits for the end of a batch, with a progress bar, and writes its results. Returns the exit code. `isFiltered`: the same command begins
 * another batch once other executions match.
 */
export async function follow(
  { id }: Batch,
  options: ResultOptions,
  how: { client: Client; terminal: Terminal; isFiltered?: boolean },
): Promise<number> {
  const { client, terminal, isFiltered } = how
  const onProgress = (batch: Batch) => terminal.logLive(progressLine(batch))
  const ended = await client.batches.wait(id, { signal: terminal.signal, onProgress }).catch((error: unknown) => {
    if (terminal.signal.aborted) terminal.log(isFiltered ? continuesById(id) : continues(id))
    throw error
  })
  terminal.log(progressLine(ended))
  if (ended.status === 'paused')
    throw new Fault('conflict', 'batch_paused', `The batch is paused; continue it with: skillrun batches resume ${id}`)
  await saveResults(id, options, how)
  if (ended.status === 'cancelled') terminal.log('The batch was cancelled; --new starts another one')
  else if (ended.counts.failed > 0) terminal.log(await adviceOn(id, client))
  return ended.status === 'completed' && ended.counts.failed === 0 ? exitCodes.completed : exitCodes.failed
}

/** What to do about failed documents: those of lasting failures fail again. */
async function adviceOn(id: string, client: Client): Promise<string> {
  const retry = `skillrun batches retry ${id}`
  for await (const { error } of client.batches.items(id, { filter: 'failed' }))
    if (error?.retryable) return `Run the failed documents again with: ${retry}`
  return `See why documents failed with: skillrun batches items ${id} --filter failed
Run again unchanged, they fail again. Once the cause is removed: ${retry}`
}

const continues = (id: string): string =>
  `The batch continues; run the same command again to follow it, or stop it with: skillrun batches cancel ${id}`

const continuesById = (id: string): string => `The batch continues; follow it, get its results or stop it with:
  skillrun batches get ${id}
  skillrun batches results ${id}
  skillrun batches cancel ${id}`

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
export async function checkOutput(options: ResultOptions, terminal: Terminal): Promise<void> {
  const [format, target] = [formatOf(options), targetOf(options, terminal)]
  if (target !== undefined) return checkTarget(target)
  if (format === 'xlsx') throw new Fault('invalid', 'needs_file', 'XLSX needs a file: name it with --out')
}

export async function saveResults(
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
