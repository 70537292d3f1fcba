import type { Readable } from 'node:stream'
import type { Sql } from './db.ts'

/** Held exclusively by a backup, and shared by everything that deletes blobs: no blob of a snapshot goes before it is copied. */
export const backupLock = 7_254_615_022

/** A table, or the waiting jobs of the queue, as PostgreSQL's COPY in text format writes it. */
export interface DumpedTable {
  readonly schema: string
  readonly name: string
  /** The columns of its lines, in order. */
  readonly columns: readonly string[]
}

/** Where the numbers of a column continue. */
export interface DumpedSequence {
  readonly table: string
  readonly column: string
  readonly value: string
  /** Whether `value` has been given out. */
  readonly isUsed: boolean
}

export interface AppliedMigration {
  readonly version: number
  readonly name: string
  readonly sha256: string
}

/** The database at one moment. No blob is deleted until `close`. */
export interface Snapshot {
  readonly migrations: readonly AppliedMigration[]
  readonly tables: readonly DumpedTable[]
  readonly sequences: readonly DumpedSequence[]
  /** For questions about that moment. */
  readonly sql: Sql
  /** The lines of a table. Read one table to its end before the next; `rows` is complete then. */
  read(table: DumpedTable): Readable & { readonly rowCount: number }
  /** Ends the transaction, so that PostgreSQL can clean up again; blobs are still kept. */
  finishReading(): Promise<void>
  /** Throws Fault `unavailable` when the connection was lost since, and with it the hold on blobs. */
  assertHeld(): Promise<void>
  close(): Promise<void>
}

/** What `loadDump` writes. */
export interface Dump {
  /** `rows` is read after the lines of the table. */
  readonly tables: readonly (DumpedTable & { readonly rows: number })[]
  readonly sequences: readonly DumpedSequence[]
  /** The lines of a table; fails when they are not what was written. */
  read(table: DumpedTable): Readable
}
