import type { KeyRequest } from '@skillrun/client/openapi.ts'
import type { Clock } from '@skillrun/core/clock.ts'
import { InvalidArgumentError } from 'commander'
import type { Command, GlobalOptions } from '../command.ts'
import { renderFields, renderJson, renderMoment } from '../render.ts'
import type { Terminal } from '../terminal.ts'
import { dollars } from './execution-acts.ts'

interface CreateOptions extends GlobalOptions {
  readonly workspace?: string
  readonly name?: string
  readonly scopes?: NonNullable<KeyRequest['scopes']>
  readonly expires?: string
  readonly budget?: number
}

/** `skillrun keys`: creates, lists and revokes keys. Needs an admin key. */
export function addKeys(program: Command, terminal: Terminal): void {
  const keys = program
    .command('keys')
    .description('create, list and revoke API keys (requires an admin key)')
    .examples('skillrun keys create --name "night batch"', 'skillrun keys list')
  keys
    .command('create')
    .description('create a key; it is only shown once')
    .option('--workspace <NAME>', 'workspace of the key; created if it does not exist (default: your own)')
    .option('--name <NAME>', 'name of the key')
    .option(
      '--scopes <SCOPES>',
      'permissions, such as execute,read,files:write (default: all except approve and admin; a key for a new workspace always has admin)',
      (text) =>
        text
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean),
    )
    .option('--expires <DATE>', 'expiry, such as 2027-01-31 (0:00 UTC) or 2027-01-31T12:00:00Z', (text) =>
      future(text, terminal.clock),
    )
    .option('--budget <DOLLARS>', 'the most that its executions may cost on one day (UTC)', dollars)
    .examples(
      'skillrun keys create --workspace accounting --name "night batch"',
      'skillrun keys create --name assistant --scopes execute,read --budget 5',
      'KEY=$(skillrun keys create --scopes execute,read --json | jq -r .key)',
    )
    .action(async (_: unknown, command: Command) => {
      const { workspace, name, scopes, expires, budget, json } = command.optsWithGlobals<CreateOptions>()
      const client = await command.connect()
      const limited = { expires_at: expires, budget_dollars_per_day: budget }
      const made = await client.keys.create({ workspace, name, scopes, ...limited })
      if (json) terminal.print(renderJson(made))
      else {
        terminal.print(renderFields(Object.entries(made).map(([field, value]) => [field, words(value)] as const)))
        terminal.log('Save the key now: it is not shown again.')
      }
    })
  keys
    .command('list')
    .description('list the keys of the workspace')
    .option('--workspace <NAME>', 'another workspace; requires an admin key of the first workspace')
    .examples('skillrun keys list')
    .action(async (_: unknown, command: Command) => {
      const client = await command.connect()
      const { workspace } = command.optsWithGlobals<CreateOptions>()
      const found = await client.keys.list({ workspace })
      const headings = ['ID', 'NAME', 'WORKSPACE', 'SCOPES', 'CREATED', 'EXPIRES', 'REVOKED']
      command.printTable(found, headings, (each) => [
        each.id,
        each.name,
        each.workspace,
        each.scopes.join(','),
        renderMoment(each.created_at),
        renderMoment(each.expires_at),
        renderMoment(each.revoked_at),
      ])
    })
  keys
    .command('revoke <ID>')
    .description('revoke a key immediately')
    .option('--workspace <NAME>', 'another workspace; requires an admin key of the first workspace')
    .examples('skillrun keys revoke 0192f0c1-…')
    .action(async (id: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const { workspace } = command.optsWithGlobals<CreateOptions>()
      const ended = await client.keys.revoke(id, { workspace })
      command.report(ended, `revoked ${id}`)
    })
}

const words = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value ?? '-'))

/** Parses a future date in ISO 8601. */
function future(text: string, clock: Clock): string {
  const shaped = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  const date = new Date(shaped ? text : Number.NaN)
  if (Number.isNaN(date.getTime()))
    throw new InvalidArgumentError('It must be a date such as 2027-01-31 or 2027-01-31T12:00:00Z.')
  if (date <= clock.now()) throw new InvalidArgumentError('It must be in the future.')
  return date.toISOString()
}
