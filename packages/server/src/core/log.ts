/** Structured log: fields first, then one fixed sentence. Never the content of a document, prompt, answer or key. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const nothing = (): void => {}

/** Says nothing: for tests, and for programs whose output is their answer. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
