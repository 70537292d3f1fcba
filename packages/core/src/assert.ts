/**
 * Stops the caller when our own code is wrong. A failed assertion is a bug, never an answer to a user:
 * the HTTP seam turns it into one fixed 500 sentence and a job that meets one fails and is not retried.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message)
}

/** Our code is wrong. Carries no user data in its message. */
export class Bug extends Error {
  override name = 'Bug'
}
