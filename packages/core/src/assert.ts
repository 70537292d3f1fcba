/**
 * Throws a Bug when our own code is wrong. A Bug is never an answer to a user: the HTTP server replies with a fixed 500
 * message, and a job that throws one fails without a retry.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message)
}

/** A mistake in our own code. The message contains no user data. */
export class Bug extends Error {
  override name = 'Bug'
}
