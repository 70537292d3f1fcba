import { randomUUID } from 'node:crypto'
import { chown, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Layout } from './layout.ts'
import { administrator, type Passwords, service } from './passwords.ts'

/** Runs statements as the administrator. */
type Run = (text: string) => Promise<unknown>

/** pg_hba.conf: everyone connects with a password (PostgreSQL manual, "The pg_hba.conf File"). */
const access = `# Written by Skillrun at each start.
local all all scram-sha-256
`

/** Not quoted: names and passwords are generated from letters, digits, - and _. */
const withPassword = `login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password`

/**
 * Establishes the rights of the database: two roles with passwords, the service's role as owner of its schemas and their
 * content, no connection without a password. Also converts a database of an earlier version, whose only role was a
 * superuser without a password. Every step is idempotent, so an interrupted start can be repeated.
 */
export async function settleRoles(layout: Layout, run: Run, passwords: Passwords): Promise<void> {
  const isClosed = (await readFile(join(layout.cluster, 'pg_hba.conf'), 'utf8')) === access
  if (!isClosed) {
    // A failed statement would be logged with the passwords in it.
    await run(`set log_min_error_statement = panic`)
    await run(`alter role ${administrator} password '${passwords[administrator]}'`)
    await run(`do $$ begin
      if not exists (select from pg_roles where rolname = '${service}') then create role ${service}; end if;
    end $$`)
    await run(`alter role ${service} ${withPassword} '${passwords[service]}'`)
  }
  await run(ownSchemas)
  if (!isClosed) await writeAccess(layout)
  // An earlier start may have been killed between writing the file and this reload; usually there is nothing to reload.
  await run(`select pg_reload_conf()`)
}

/** Makes the service's role the owner of everything that does not belong to the system, in the connected database. */
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
