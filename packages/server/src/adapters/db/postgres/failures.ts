import { Fault } from '@skillrun/core/fault.ts'
import pg from 'pg'

const unavailable = (cause: unknown): Fault =>
  new Fault('unavailable', 'database_unavailable', 'The database cannot be reached.', { cause })

/** PostgreSQL's error codes (appendix A) that mean: this server cannot serve us now. */
const unavailableCodes = /^(08...|57P0[1-5]|53[023]00|25006|28...|3D000)$/

/** What node-postgres says without a code when a connection is gone, or was never there. */
const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Cannot use a pool after|Client was closed/

/** Turns what node-postgres throws into what `db.ts` promises; all else passes as it is. */
export function asPromised(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Fault) return error
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? ''
    if (code === '57014') {
      return new Fault('timeout', 'database_timeout', 'The database took too long over a statement.', { cause: error })
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
 * As `asPromised`, of a commit: a database that is lost then may have done it, or do it yet when it goes on, so the Fault says that
 * nobody knows.
 */
export function asCommitLost(error: unknown): unknown {
  const promised = asPromised(error)
  if (!(promised instanceof Fault) || promised.code !== 'database_unavailable') return promised
  return new Fault(
    'unavailable',
    'commit_unknown',
    'The database stopped answering while this was being kept, so it may have been; asked again under the same id or Idempotency-Key, nothing is done twice.',
    { cause: error },
  )
}

/** True when the database asks for the whole transaction again: serialisation failure, deadlock. */
export function wantsRetry(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}
