/** Anything that answers SQL: the database itself, or one transaction in it. */
export interface Sql {
  /**
   * Runs one statement and gives its rows. `$1`, `$2` … in `text` stand for `params`; text without params may hold
   * several statements, and then the rows of the last are given.
   *
   * bigint comes as number (a Bug beyond 2^53), timestamptz as Date, json and jsonb as values, date, timestamp and
   * numeric as text. An array param becomes a PostgreSQL array: wrap what goes into a jsonb column in `jsonb()`.
   *
   * Throws Fault `unavailable` when the database can't be reached and Fault `timeout` when the statement ran too long.
   * A broken constraint keeps the database's own error: ask `brokenConstraint`.
   */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    params?: readonly unknown[],
  ): Promise<readonly Row[]>
  /**
   * Tells those who `listen`; a transaction's messages go right after its commit, and none go when it is undone. A process that
   * dies between the two tells nobody: whoever listens looks again at times. Absent where SQL is answered by something simpler.
   */
  readonly tell?: (messages: readonly Message[]) => void
}

/** A message on a channel. */
export interface Message {
  readonly channel: string
  readonly payload: string
}

/** Tells as `Sql.tell` does; where there is none, by a statement. */
export async function tell(sql: Sql, messages: readonly Message[]): Promise<void> {
  if (sql.tell) return sql.tell(messages)
  for (const { channel, payload } of messages) await sql.query('select pg_notify($1, $2)', [channel, payload])
}

/** The database. Every process has one. It sees every workspace, unless it is confined to one by `within`. */
export interface Db extends Sql {
  /**
   * The same database as one workspace sees it: a statement finds, changes and adds rows of that workspace alone, whatever
   * it asks for (row-level security). It shares the connections.
   */
  within(workspaceId: string): Db
  /**
   * Runs `work` in one transaction: committed and durable when the promise resolves, undone when `work` throws. `work`
   * may run again from its start (at most 5 times) when the database asks for it after a deadlock or a serialisation
   * failure, so it must have no effect outside `tx`. Fault `unavailable` with the code `commit_unknown` where the database was lost
   * while it committed: it may have done so, or do so yet.
   */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  /**
   * As `transaction`, but `work` may share its transaction with others of this process and this moment, so that many wait for
   * the disk once. Where one of them fails, all are undone and each runs again in a transaction of its own: none fails for
   * another's sake. Only for work that does not wait for anything but its own statements, and takes no advisory lock nor looks
   * at rows that others of the kind write: those in one transaction do not keep each other out.
   */
  together<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  /** One statement that writes, durable when the promise resolves; it may share a transaction as `together` does. */
  write<Row extends object = Record<string, unknown>>(text: string, params: readonly unknown[]): Promise<readonly Row[]>
  /**
   * Calls `onMessage` for each `notify` on `channel` until the returned function is called. A lost connection is made
   * again without end; `onGap` is then called, because messages in between are gone: look again at what they were
   * about.
   */
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  /**
   * Holds the shared advisory lock of the number `hashtextextended(name, 0)` until the returned function is called: a sign that this process
   * lives, which the database takes away with its session. `onBack` is called when it is held again after its connection was lost.
   */
  hold(name: string, onBack: () => void): Promise<() => Promise<void>>
  /** Waits for running statements, then closes every connection. Statements after it are a Fault `unavailable`. */
  close(): Promise<void>
}

/** The database, each statement of which goes by `write`. */
export const writing = (db: Pick<Db, 'write'>): Sql => ({ query: (text, params = []) => db.write(text, params) })

/** Where a PostgreSQL answers: a URL, or the folder of its Unix socket with a user and a database. */
export type DbAddress =
  | { readonly url: string }
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      /** Absent: the database asks for none. */
      readonly password?: string
      readonly database: string
    }

/** A value on its way into a json or jsonb column. */
export function jsonb(value: unknown): string {
  return JSON.stringify(value)
}

/** The kinds of constraint a statement can break, by PostgreSQL's error code (appendix A, class 23). */
const constraintKinds: Readonly<Record<string, ConstraintKind>> = {
  '23505': 'unique',
  '23503': 'foreign_key',
  '23514': 'check',
  '23502': 'not_null',
  '23P01': 'exclusion',
}

/** What a broken constraint guards. */
export type ConstraintKind = 'unique' | 'foreign_key' | 'check' | 'not_null' | 'exclusion'

/** The constraint that `error` says was broken, or undefined when it is about something else. */
export function brokenConstraint(error: unknown): { kind: ConstraintKind; name: string } | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const kind = constraintKinds[String(error.code)]
  if (kind === undefined) return undefined
  const name = 'constraint' in error && error.constraint !== undefined ? String(error.constraint) : ''
  return { kind, name }
}
