import type { Me, User, UserChange, UserWithPassword } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { Argument, Option } from 'commander'
import type { Command, GlobalOptions } from '../command.ts'
import { printable, renderFields, renderJson, renderMoment, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

interface UserOptions extends GlobalOptions {
  readonly workspace?: string
  readonly name?: string
  readonly role?: User['role']
  /** False with `--no-password`. */
  readonly password?: boolean
}

const roles = ['viewer', 'reviewer', 'editor', 'admin'] as const

/** `skillrun users`: people who sign in to the console. Needs an admin key. */
export function addUsers(program: Command, terminal: Terminal): void {
  const users = program
    .command('users')
    .description('add, change and remove the people who sign in to the console (requires an admin key)')
    .examples('skillrun users add ann@example.com --role admin', 'skillrun users list')
  const command = (text: string, description: string, example: string) =>
    users
      .command(text)
      .description(description)
      .option('--workspace <NAME>', 'another workspace; requires an admin key of the first workspace')
      .examples(example)

  command('list', 'list the users of the workspace', 'skillrun users list').action(
    async (_: unknown, command: Command) => {
      const found = await listOf(command)
      if (command.optsWithGlobals<UserOptions>().json) return terminal.print(renderJson(found))
      const rows = found.map((one) => [
        one.id,
        one.email,
        one.name,
        one.role,
        one.disabled ? 'disabled' : 'active',
        renderMoment(one.signed_in_at),
      ])
      terminal.print(renderTable(['ID', 'EMAIL', 'NAME', 'ROLE', 'STATE', 'LAST SIGN-IN'], rows, terminal.columns))
    },
  )

  command(
    'add <EMAIL>',
    'add a user; prints a first password, which has to be changed',
    'skillrun users add ann@example.com --role reviewer',
  )
    .addOption(new Option('--role <ROLE>', 'what the user may do').choices(roles).makeOptionMandatory())
    .option('--name <NAME>', 'name of the person (default: the email address)')
    .option('--no-password', 'a user who signs in with an identity provider only')
    .action(async (email: string, options: UserOptions, command: Command) => {
      const { workspace, name, role, password } = options
      const body = { email, role, workspace, name, password: password === false ? null : undefined }
      const client = await command.connect()
      showPassword(command, await client.call<UserWithPassword>('/v1/users', { method: 'POST', body }))
    })

  command(
    'role <USER>',
    'change the role of a user, by email address or id',
    'skillrun users role ann@example.com editor',
  )
    .addArgument(new Argument('<ROLE>', 'the new role').choices(roles))
    .action((user: string, role: User['role'], _: unknown, command: Command) => change(command, user, { role }))

  command(
    'rename <USER> <NAME>',
    'change the name of a user',
    'skillrun users rename ann@example.com "Ann Lee"',
  ).action((user: string, name: string, _: unknown, command: Command) => change(command, user, { name }))

  command(
    'disable <USER>',
    'end the sessions of a user, who can then no longer sign in',
    'skillrun users disable ann@example.com',
  ).action((user: string, _: unknown, command: Command) => change(command, user, { disabled: true }))

  command('enable <USER>', 'let a disabled user sign in again', 'skillrun users enable ann@example.com').action(
    (user: string, _: unknown, command: Command) => change(command, user, { disabled: false }),
  )

  command(
    'reset-password <USER>',
    'give a user a new password, which has to be changed, and end their sessions',
    'skillrun users reset-password ann@example.com',
  ).action(async (user: string, _: unknown, command: Command) => {
    const path = `${await pathOf(command, user)}/reset-password`
    const client = await command.connect()
    const reset = await client.call<UserWithPassword>(path, { method: 'POST', query: queryOf(command) })
    showPassword(command, reset)
  })

  command(
    'remove <USER>',
    'remove a user from the workspace; with their last workspace, their account is deleted',
    'skillrun users remove ann@example.com',
  ).action(async (user: string, _: unknown, command: Command) => {
    const path = await pathOf(command, user)
    const client = await command.connect()
    show(command, await client.call<User>(path, { method: 'DELETE', query: queryOf(command) }))
  })

  users
    .command('me')
    .description('show whose key this is, and what it may do')
    .examples('skillrun users me')
    .action(async (_: unknown, command: Command) => {
      const me = await (await command.connect()).call<Me>('/v1/me')
      if (command.isJson) return terminal.print(renderJson(me))
      const fields = [
        [me.kind, printable(me.name)],
        ['id', me.id],
        ['workspace', printable(me.workspace.name)],
        ['scopes', me.scopes.join(', ')],
      ] as const
      terminal.print(renderFields(fields))
    })

  async function change(command: Command, user: string, body: UserChange): Promise<void> {
    const path = await pathOf(command, user)
    const client = await command.connect()
    show(command, await client.call<User>(path, { method: 'PUT', query: queryOf(command), body }))
  }

  /** The path of a user named by email address or id. Fault `missing`. */
  async function pathOf(command: Command, named: string): Promise<string> {
    const wanted = named.trim().toLowerCase()
    const found = (await listOf(command)).find(({ id, email }) => id === wanted || email === wanted)
    if (!found)
      throw new Fault('missing', 'unknown_user', `The workspace has no user ${named}; "skillrun users list" lists them`)
    return `/v1/users/${encodeURIComponent(found.id)}`
  }

  function show(command: Command, user: User): void {
    const { json } = command.optsWithGlobals<GlobalOptions>()
    terminal.print(json ? renderJson(user) : renderFields(fieldsOf(user)))
  }

  function showPassword(command: Command, user: UserWithPassword): void {
    const { json } = command.optsWithGlobals<GlobalOptions>()
    terminal.print(json ? renderJson(user) : renderFields([...fieldsOf(user), ['password', user.password ?? '-']]))
    if (!json && user.password !== null)
      terminal.log('Hand the password over now: it is not shown again, and has to be changed at the first sign-in.')
  }
}

const queryOf = (command: Command) => ({ workspace: command.optsWithGlobals<UserOptions>().workspace })

const listOf = async (command: Command): Promise<readonly User[]> =>
  (await command.connect()).call<readonly User[]>('/v1/users', { query: queryOf(command) })

const fieldsOf = (user: User) =>
  [
    ['id', user.id],
    ['email', printable(user.email)],
    ['name', printable(user.name)],
    ['role', user.role],
    ['workspace', printable(user.workspace)],
    ['state', user.disabled ? 'disabled' : 'active'],
  ] as [string, string][]
