import type { AuditEntry, CallbackSecret, Domain } from '@skillrun/client/openapi.ts'
import type { Command } from '../command.ts'
import { wholeNumber } from '../options.ts'
import { renderFields, renderJson, renderMoment } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun health`, `audit`, `callback-secret` and `domains`: the workspace and its server. */
export function addWorkspace(program: Command, terminal: Terminal): void {
  addHealth(program, terminal)
  addAudit(program)
  addCallbackSecret(program)
  program
    .command('domains')
    .description('list the document domains with built-in schemas')
    .examples('skillrun domains', 'skillrun domains --json')
    .action(async (_: unknown, command: Command) => {
      const client = await command.connect()
      const found = await client.call<readonly Domain[]>('/v1/domains')
      command.printTable(found, ['DOMAIN'], ({ domain }) => [domain])
    })
}

function addHealth(program: Command, terminal: Terminal): void {
  program
    .command('health')
    .description(
      'ask the server whether it, its database and the key are well; exits as other commands do where they are not',
    )
    .examples('skillrun health', 'skillrun health --json')
    .action(async (_: unknown, command: Command) => {
      const client = await command.connect()
      const ask = (path: string) => client.call<{ readonly status?: string }>(path)
      const [server, database, key] = [await ask('/healthz'), await ask('/readyz'), await ask('/v1/health')]
      if (command.isJson) return terminal.print(renderJson({ server, database, key }))
      const statusText = ({ status }: { readonly status?: string }) => status ?? 'answers'
      terminal.print(
        renderFields([
          ['server', `${statusText(server)}, at ${client.connection.url}`],
          ['database', statusText(database)],
          ['key', statusText(key)],
        ]),
      )
    })
}

interface AuditOptions {
  readonly action?: string
  readonly subject?: string
  readonly keyId?: string
  readonly after?: string
  readonly before?: string
  readonly limit: number
  readonly skip: number
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('list the audit log of keys, files, skills and secrets, newest first (requires an admin key)')
    .option('--action <ACTION>', 'only this action, such as key.create or file.delete')
    .option('--subject <ID>', 'only actions on this key, user, file or skill')
    .option('--key-id <ID>', 'only actions of this key or user')
    .option('--after <MOMENT>', 'only actions at or after this time, such as 2026-11-21T08:00:00Z')
    .option('--before <MOMENT>', 'only actions before this time')
    .option('--limit <COUNT>', 'maximum number to list', wholeNumber(1, 1000), 50)
    .option('--skip <COUNT>', 'number to skip', wholeNumber(0), 0)
    .examples('skillrun audit', 'skillrun audit --action key.revoke --json')
    .action(async (options: AuditOptions, command: Command) => {
      const { action, subject, keyId, after, before, limit, skip } = options
      const asked = { action, subject_id: subject, key_id: keyId, created_after: after, created_before: before }
      const client = await command.connect()
      const found = await client.call<readonly AuditEntry[]>('/v1/audit', { query: { ...asked, limit, skip } })
      command.printTable(found, ['AT', 'ACTION', 'SUBJECT', 'BY', 'DETAIL'], (one) => [
        renderMoment(one.created_at),
        one.action,
        one.subject_id,
        one.user_name ?? (one.key_id === null ? 'the server' : `${one.key_name || 'key'} …${one.key_hint}`),
        JSON.stringify(one.detail),
      ])
    })
}

function addCallbackSecret(program: Command): void {
  program
    .command('callback-secret')
    .description('show the secret that signs the callbacks of the workspace (requires an admin key)')
    .option('--change', 'create a new secret, which signs from now on')
    .examples('skillrun callback-secret', 'skillrun callback-secret --change')
    .action(async ({ change }: { change?: boolean }, command: Command) => {
      const client = await command.connect()
      const method = change ? 'POST' : 'GET'
      const found = await client.call<CallbackSecret>('/v1/callback-secret', { method })
      command.print(found, () => `${found.secret}\n`)
    })
}
