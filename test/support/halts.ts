import type { Db } from '../../packages/server/src/adapters/db/db.ts'
import { until } from './until.ts'

const lockKey = 4_242
const waiting = `from pg_locks where locktype = 'advisory' and objid = $1 and not granted
  and database = (select oid from pg_database where datname = current_database())`

/** Makes processes wait in the middle of a statement, so that a test can kill them there. */
export interface Halts {
  /** Makes the next process that comes to a place wait there until `release`. */
  at(place: string): Promise<{
    /** Resolves when a process waits there. */
    reached(): Promise<void>
    /** Ends the statement that waits there without a result, as if the database had noticed that its process died. */
    lose(): Promise<void>
    release(): Promise<void>
  }>
}

/** Adds places to a database: for each the head of a trigger, such as `before insert on steps for each row when (new.attempt = 0)`. */
export async function addHalts(db: Db, places: Readonly<Record<string, string>>): Promise<Halts> {
  await db.transaction(async (tx) => {
    await tx.query('create table halts (place text not null)')
    await tx.query(`
      create function halt() returns trigger language plpgsql security definer as $$ begin
        if exists (select 1 from public.halts where place = tg_argv[0]) then perform pg_advisory_xact_lock(${lockKey}); end if;
        return new;
      end $$`)
    for (const [place, head] of Object.entries(places))
      await tx.query(`create trigger "halt at ${place}" ${head} execute function halt('${place}')`)
  })
  return {
    async at(place) {
      const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await db.query('insert into halts values ($1)', [place])
      const held = db.transaction(async (tx) => {
        await tx.query('select pg_advisory_xact_lock($1)', [lockKey])
        taken.resolve()
        await released.promise
      })
      await taken.promise
      return {
        async reached() {
          await until(async () => ((await db.query(`select 1 ${waiting}`, [lockKey])).length > 0 ? true : undefined))
        },
        async lose() {
          await db.query(`select pg_terminate_backend(pid, 10_000) ${waiting}`, [lockKey])
        },
        async release() {
          await db.query('delete from halts')
          released.resolve()
          await held
        },
      }
    },
  }
}
