import { Fault } from '@skillrun/core/fault.ts'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { dollars } from '../commands/execution-acts.ts'
import { addFilterOptions, type FilterOptions, filterOf } from '../execution-filters.ts'
import { wholeNumber } from '../options.ts'
import { printable, renderJson } from '../render.ts'
import type { Terminal } from '../terminal.ts'
import {
  type BatchOptions,
  begin,
  checkOutput,
  configOf,
  follow,
  type ResultOptions,
  requestOf,
  resultOptions,
} from './run-batch.ts'

interface BackfillOptions
  extends ResultOptions,
    Omit<FilterOptions, 'status'>,
    Pick<BatchOptions, 'schema' | 'name' | 'callback' | 'maxCost' | 'maxInFlight' | 'new' | 'detach'> {
  readonly limit: number
  readonly dryRun?: boolean
}

/** `skillrun backfill`: asks earlier executions for the fields that a new schema adds. */
export function addBackfill(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
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
    .addHelpText(
      'after',
      `
The filters leave out an execution that a backfill made of another one that matches too. To go on from the answers of a backfill,
name its batch with --batch.`,
    )
    .action(async (named: readonly string[], options: BackfillOptions, command: Command) => {
      await checkOutput(options, terminal)
      // These filter the executions.
      const { skill: _skill, agent: _agent, tier: _tier, ...own } = options
      const config = await configOf(own, terminal)
      const client = await command.connect()
      const ids = named.length > 0 ? named : await completedIds(client, options)
      if (ids.length === 0) throw new Fault('missing', 'no_executions', 'No completed execution matches')
      const request = { ...requestOf(own), base_executions: [...ids], config }
      if (options.dryRun) return terminal.print(renderJson(await client.batches.estimate(request)))
      const batch = await begin(client, request, options.new === true)
      if (options.detach) return terminal.print(renderJson(batch))
      terminal.log(`batch ${printable(batch.id)}: ${batch.total} ${batch.total === 1 ? 'execution' : 'executions'}`)
      setExitCode(await follow(batch, options, { client, terminal, isFiltered: named.length === 0 }))
    })
}

/**
 * The completed executions that match the filters, newest first, without turns of chats. Without those that a backfill made of others
 * among them too, so that the same command finds the same executions again.
 */
async function completedIds(client: Client, options: BackfillOptions): Promise<readonly string[]> {
  const ids = new Set<string>()
  /** Earlier execution, which may still come → those that backfills made of it. */
  const made = new Map<string, readonly string[]>()
  for await (const execution of client.executions.list({ ...filterOf(options), status: 'completed' })) {
    const { id, agent_id, batch_id, base_execution: base } = execution
    if (agent_id === null) continue
    for (const later of made.get(id) ?? []) ids.delete(later)
    made.delete(id)
    ids.add(id)
    // Outside of a batch, it is of another version of the document.
    if (batch_id !== null && base !== null) made.set(base, [...(made.get(base) ?? []), id])
    if (ids.size >= options.limit && made.size === 0) break
  }
  return [...ids].slice(0, options.limit)
}
