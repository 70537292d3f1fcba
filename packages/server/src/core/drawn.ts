import { createHash } from 'node:crypto'

/** A pseudo-random number in [0, 1) derived from an execution's id, so that a run that is ended twice draws only once. */
export const drawn = (executionId: string): number =>
  createHash('sha256').update(executionId).digest().readUInt32BE(0) / 2 ** 32
