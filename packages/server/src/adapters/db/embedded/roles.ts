import { randomUUID } from 'node:crypto'
import { chown, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Layout } from './layout.ts'
import { administrator, type Passwords, service } from './passwords.ts'

/** Runs statements as the administrator. */
type Run = (text: string) => Promise<unknown>

/** Who may connect, and how: everybody by password (PostgreSQL manual, "The pg_hba.conf File"). */
const access = `# Written by Skillrun at each start.
local all all scram-sha-256
`

/** Names and passwords are ours: letters, digits, - and _. */
const withPassword = `login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password`

/**
 * Brings the rights of the database to where they must be: the two roles with their passwords, the service's role as the owner of its
 * schemas and of all in them, and nobody without a password. What an earlier version made, whose only role was a superuser without
 * one, is brought there too; each step may be done again, so a start that is killed in the midst of it loses nothing.
 */
export async function settleRoles(layout: Layout, run: Run, passwords: Passwords): Promise<void> {
  const isClosed = (await readFile(join(layout.cluster, 'pg_hba.conf'), 'utf8')) === access
  if (!isClosed) {
    // A statement that fails is written to the log, with the passwords in it.
    await run(`set log_min_error_statement = panic`)
    await run(`alter role ${administrator} password '${passwords[administrator]}'`)
    await run(`do $$ begin
      if not exists (select from pg_roles where rolname = '${service}') then create role ${service}; end if;
    end $$`)
    await run(`alter role ${service} ${withPassword} '${passwords[service]}'`)
  }
  await run(ownSchemas)
  if (!isClosed) await writeAccess(layout)
  // A start that was killed after it had written the file told nobody; most often there is nothing new to read.
  await run(`select pg_reload_conf()`)
}

/** Makes the service's role the owner of all that is not the system's, in the database of the connection. */
const ownSchemas = `do $$
declare
  act text;
begin
  execute format('grant create on database %I to ${service}', current_database());
  for act in
    with ours as (
      select oid from pg_namespace where nspname <> 'information_schema' and nspname !~ '^pg_'
    ), owner as (
      select oid from pg_roles where rolname = '${service}'
    )
    select format('alter schema %I owner to ${service}', nspname)
      from pg_namespace, owner where pg_namespace.oid in (select oid from ours) and nspowner <> owner.oid
    union all
    -- A sequence of a column goes with its table.
    select format('alter table %s owner to ${service}', c.oid::regclass)
      from pg_class c, owner where relnamespace in (select oid from ours) and relowner <> owner.oid
       and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
       and not exists (
         select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i') and c.relkind = 'S'
       )
    union all
    select format('alter routine %s owner to ${service}', p.oid::regprocedure)
      from pg_proc p, owner where pronamespace in (select oid from ours) and proowner <> owner.oid
    union all
    select format('alter type %s owner to ${service}', format_type(t.oid, null))
      from pg_type t, owner where typnamespace in (select oid from ours) and typowner <> owner.oid
       and (typtype in ('e', 'd', 'r') or typtype = 'c' and exists (select from pg_class where oid = typrelid and relkind = 'c'))
  loop
    execute act;
  end loop;
end $$`

async function writeAccess({ cluster, account }: Layout): Promise<void> {
  const file = join(cluster, 'pg_hba.conf')
  const half = `${file}.${randomUUID()}`
  const handle = await open(half, 'wx', 0o600)
  try {
    await handle.writeFile(access)
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (account.other) await chown(half, account.uid, account.gid)
  await rename(half, file)
}
