import { jsonb } from '../../../adapters/db/db.ts'
import type { Move, Status } from '../lifecycle.ts'

export const moveTo = (status: Status, at: Date, attempt: number): Move => ({ status, at: at.toISOString(), attempt })

/**
 * SQL that appends a move to `moves`; `place`, a parameter or an expression, holds the status and the time; the attempt is the row's or the
 * given one. A move is never earlier than the last one, whatever the clock says.
 */
export const withMove = (place: number | string, attempt = 'attempt'): string =>
  `moves = moves || (${param(place)}::jsonb || jsonb_build_object('attempt', ${attempt}, 'at', greatest((${param(place)}::jsonb->>'at') collate "C", moves->-1->>'at')))`

/** SQL of an end time: `place`, but not before the last move. */
export const endTime = (place: number | string): string =>
  `greatest(${param(place)}::timestamptz, (moves->-1->>'at')::timestamptz)`

const param = (place: number | string): string => (typeof place === 'number' ? `$${place}` : place)

/** The parameter of `withMove`. */
export const moveParam = (status: Status, at: Date): string => jsonb({ status, at: at.toISOString() })
