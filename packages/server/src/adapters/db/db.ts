/** Runs SQL: the database, or one transaction in it. */
export interface Sql {
  /**
   * Runs one statement and returns its rows. `$1`, `$2` … in `text` stand for `params`. Text without params may contain
   * several statements; the rows of the last are returned.
   *
   * bigint is returned as number (a Bug beyond 2^53), timestamptz as Date, json and jsonb as values, date, timestamp and
   * numeric as strings. An array param becomes a PostgreSQL array: use `jsonb()` for a jsonb column.
   *
   * Throws Fault `unavailable` when the database cannot be reached and Fault `timeout` when the statement ran too long.
   * A violated constraint keeps the database's own error: see `brokenConstraint`.
   */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    params?: readonly unknown[],
  ): Promise<readonly Row[]>
  /**
   * Sends messages to subscribers of `listen`. Messages of a transaction are sent right after its commit, and dropped when it
   * is rolled back. They are lost when the process ends between the two, so subscribers must also poll. Absent in simple
   * implementations.
   */
  readonly notify?: (messages: readonly Message[]) => void
  /** In work that shares a transaction; see `each`. Absent elsewhere. */
  readonly each?: <Item, Result>(many: ManyRows<Item, Result>, item: Item) => Promise<Result>
  /** Outside of transactions; see `readEach`. Absent elsewhere. */
  readonly readEach?: <Item, Result>(many: ManyRows<Item, Result>, item: Item) => Promise<Result>
}

/**
 * One statement for any number of rows; returns a result for each item, in their order. It sends the statement before it first
 * awaits. Each such function is created once: calls are grouped by it.
 */
export type ManyRows<Item, Result> = (sql: Sql, items: readonly Item[]) => Promise<readonly Result[]>

/**
 * Runs `many` for one item. Pieces of work that share a transaction (`Db.together`, `Db.write`) share one call: under load many
 * rows go to the database in one statement. Statements of one piece of work run in the order in which it issued them.
 */
export async function each<Item, Result>(sql: Sql, many: ManyRows<Item, Result>, item: Item): Promise<Result> {
  if (sql.each) return sql.each(many, item)
  const [result] = await many(sql, [item])
  return result as Result
}

/**
 * As `each`, for a statement that only reads: outside of transactions, too, concurrent calls of this process share a statement. It is
 * sent after all of them were made, so that each sees what was committed before it.
 */
export const readEach = <Item, Result>(sql: Sql, many: ManyRows<Item, Result>, item: Item): Promise<Result> =>
  sql.readEach ? sql.readEach(many, item) : each(sql, many, item)

/** A message on a channel. */
export interface Message {
  readonly channel: string
  readonly payload: string
}

/** Sends messages with `Sql.notify`, or by a statement where that is absent. */
export async function notify(sql: Sql, messages: readonly Message[]): Promise<void> {
  if (sql.notify) return sql.notify(messages)
  for (const { channel, payload } of messages) await sql.query('select pg_notify($1, $2)', [channel, payload])
}

/** The database. Every process has one. It sees every workspace unless it is confined to one by `within`. */
export interface Db extends Sql {
  /**
   * The same database confined to one workspace by row-level security: a statement reads, changes and adds only rows of that
   * workspace. It shares the connections.
   */
  within(workspaceId: string): Db
  /**
   * Runs `work` in one transaction: committed and durable when the promise resolves, rolled back when `work` throws. `work`
   * is run again (at most 5 times) after a deadlock or a serialisation failure, so it must have no effect outside `tx`.
   * Throws Fault `unavailable` with code `commit_unknown` when the connection was lost during the commit: the transaction may
   * or may not be committed.
   */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  /**
   * As `transaction`, but concurrent calls in this process may share one transaction, so that many writes wait for the disk
   * once. When one of them fails, all are rolled back and each runs again in its own transaction. Only for work that awaits
   * nothing but its own statements, takes no advisory locks and does not read rows that other such work writes: within one
   * transaction they are not isolated from each other.
   */
  together<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  /**
   * Runs `many` in one transaction for the items of concurrent calls of this process in this workspace. Unlike work of `together`, it may
   * take locks: others of its kind wait until it has committed.
   */
  transactionEach<Item, Result>(many: ManyRows<Item, Result>, item: Item): Promise<Result>
  /** As `together`, for work of one statement: alone, it needs no transaction. */
  write<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * Calls `onMessage` for each `notify` on `channel` until the returned function is called. Reconnects when the connection is lost and then
   * calls `onGap`, because messages were missed: query the state that they were about.
   */
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  /**
   * Holds the shared advisory lock `hashtextextended(name, 0)` until the returned function is called. The database releases
   * it when the session ends, so it shows that this process is alive. `onBack` is called when the lock is held again after a
   * lost connection.
   */
  hold(name: string, onBack: () => void): Promise<() => Promise<void>>
  /** Waits for running statements, then closes all connections. Later statements fail with Fault `unavailable`. */
  close(): Promise<void>
}

/** How to reach PostgreSQL: a URL, or the folder of its Unix socket with a user and a database. */
export type DbAddress =
  | { readonly url: string }
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      /** Absent: the server requires none. */
      readonly password?: string
      readonly database: string
    }

/** Serialises a value for a json or jsonb column. */
export function jsonb(value: unknown): string {
  return JSON.stringify(value)
}

/** Kinds of constraint by PostgreSQL's error code (appendix A, class 23). */
const constraintKinds: Readonly<Record<string, ConstraintKind>> = {
  '23505': 'unique',
  '23503': 'foreign_key',
  '23514': 'check',
  '23502': 'not_null',
  '23P01': 'exclusion',
}

export type ConstraintKind = 'unique' | 'foreign_key' | 'check' | 'not_null' | 'exclusion'

/** The constraint that an error reports as violated; undefined for other errors. */
export function brokenConstraint(error: unknown): { kind: ConstraintKind; name: string } | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const kind = constraintKinds[String(error.code)]
  if (kind === undefined) return undefined
  const name = 'constraint' in error && error.constraint !== undefined ? String(error.constraint) : ''
  return { kind, name }
}
