/** A structured log: fields, then a fixed message. Never the content of documents, prompts, answers or keys. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const nothing = (): void => {}

/** Logs nothing: for tests, and for programs whose output is their result. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
