import { Fault } from '@skillrun/core/fault.ts'
import pg from 'pg'

const unavailable = (cause: unknown): Fault =>
  new Fault('unavailable', 'database_unavailable', 'The database cannot be reached.', { cause })

/** PostgreSQL's error codes (appendix A) for a server that cannot serve requests now. */
const unavailableCodes = /^(08...|57P0[1-5]|53[023]00|25006|28...|3D000)$/

/** Messages of node-postgres, without a code, for a connection that was lost or never made. */
const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Cannot use a pool after|Client was closed/

/** Converts errors of node-postgres to the Faults of `db.ts`; other errors are returned unchanged. */
export function asPromised(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Fault) return error
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? ''
    if (code === '57014') {
      return new Fault('timeout', 'database_timeout', 'A database statement took too long.', { cause: error })
    }
    if (code === '53100') {
      return new Fault('unavailable', 'database_full', 'The database has no space left on its disk.', { cause: error })
    }
    return unavailableCodes.test(code) ? unavailable(error) : error
  }
  const systemError = 'syscall' in error || error instanceof AggregateError
  return systemError || lostConnection.test(error.message) ? unavailable(error) : error
}

/**
 * As `asPromised`, for a commit: when the connection is lost, the transaction may or may not be committed, and the Fault
 * says so.
 */
export function asCommitLost(error: unknown): unknown {
  const promised = asPromised(error)
  if (!(promised instanceof Fault) || promised.code !== 'database_unavailable') return promised
  return new Fault(
    'unavailable',
    'commit_unknown',
    'The database stopped answering during the commit, so the change may or may not be stored. Retry with the same id or Idempotency-Key: nothing is done twice.',
    { cause: error },
  )
}

/** Whether the database asks for a retry of the transaction: serialisation failure or deadlock. */
export function wantsRetry(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}
