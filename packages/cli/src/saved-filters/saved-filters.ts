import type { SavedFilter } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { addFilterOptions, type ExecutionQuery, type FilterOptions, filterOf } from '../execution-filters.ts'
import { printable } from '../render.ts'

const path = '/v1/agent/executions/filters'
const pathOf = ({ id }: SavedFilter): string => `${path}/${encodeURIComponent(id)}`

/** Adds `--filter`, which `savedQueryOf` resolves, to a command with filter options. */
export const addSavedFilterOption = (command: Command): Command =>
  command.option('--filter <NAME>', 'only executions of this saved filter; other options replace parts of it')

/** The query of the saved filter that `--filter` names; empty without the option. */
export async function savedQueryOf(client: Client, { filter }: { readonly filter?: string }): Promise<ExecutionQuery> {
  return filter === undefined ? {} : ((await find(client, filter)).query as ExecutionQuery)
}

const list = (client: Client): Promise<readonly SavedFilter[]> => client.call<readonly SavedFilter[]>(path)

async function find(client: Client, name: string): Promise<SavedFilter> {
  const found = (await list(client)).find((one) => one.name === name.trim())
  if (found) return found
  throw new Fault(
    'invalid',
    'unknown_saved_filter',
    `There is no saved filter named ${name}; "skillrun executions filters list" shows them`,
  )
}

/** `skillrun executions filters`: saved filters of the list of executions. */
export function addSavedFilters(executions: Command, statuses: readonly string[]): void {
  const filters = executions
    .command('filters')
    .description('manage saved filters, which everyone in the workspace can use')
    .examples('skillrun executions filters save "Failed invoices" --status failed --skill invoices')
  filters
    .command('list')
    .description('list saved filters by name')
    .examples('skillrun executions filters list')
    .action(async (_: unknown, command: Command) => {
      const found = await list(await command.connect())
      command.printTable(found, ['NAME', 'FILTER', 'SAVED BY'], ({ name, query, saved_by: by }) => [
        name,
        textOf(query),
        by.name,
      ])
    })
  addFilterOptions(filters.command('save <NAME>'), statuses)
    .description('save filters under a name; replaces the saved filter of this name')
    .examples(
      'skillrun executions filters save "Failed today" --status failed --after 2026-11-23',
      'skillrun executions list --filter "Failed today"',
    )
    .action(async (name: string, _: unknown, command: Command) => {
      const query = filterOf(command.optsWithGlobals<FilterOptions>())
      if (Object.keys(query).length === 0)
        throw new Fault('invalid', 'nothing_to_save', 'Give at least one filter, such as --status failed')
      const client = await command.connect()
      const known = (await list(client)).find((one) => one.name === name.trim())
      const body = { name, query }
      const saved = known
        ? await client.call<SavedFilter>(pathOf(known), { method: 'PUT', body })
        : await client.call<SavedFilter>(path, { method: 'POST', body })
      show(saved, 'saved', command)
    })
  filters
    .command('rename <NAME> <NEW>')
    .description('rename a saved filter')
    .examples('skillrun executions filters rename "Failed today" "Failed on Monday"')
    .action(async (name: string, to: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const known = await find(client, name)
      const body = { name: to, query: known.query }
      show(await client.call<SavedFilter>(pathOf(known), { method: 'PUT', body }), 'saved', command)
    })
  filters
    .command('delete <NAME>')
    .description('delete a saved filter')
    .examples('skillrun executions filters delete "Failed today"')
    .action(async (name: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const deleted = await client.call<SavedFilter>(pathOf(await find(client, name)), { method: 'DELETE' })
      show(deleted, 'deleted', command)
    })
}

const textOf = (query: SavedFilter['query']): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

function show(filter: SavedFilter, what: 'saved' | 'deleted', command: Command): void {
  command.print(filter, () => `${what} the filter ${printable(filter.name)}: ${printable(textOf(filter.query))}\n`)
}
