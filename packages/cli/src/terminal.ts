import type { Clock } from '@skillrun/core/clock.ts'

/** What a command uses of its machine. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Aborts on Ctrl-C, SIGTERM and a closed terminal. */
  readonly signal: AbortSignal
  /** Width of the terminal on stdout; undefined when stdout is not a terminal. */
  readonly columns: number | undefined
  /** Writes to stdout: results only. */
  readonly print: (text: string) => void
  /** Writes a line to stderr: progress, hints, errors. */
  readonly log: (line: string) => void
  /** Whether stderr is a terminal, where a progress line can be redrawn. */
  readonly isLive: boolean
  /** Shows a line that the next one replaces; does nothing when stderr is not a terminal. */
  readonly logLive: (line: string) => void
}

/** The process's terminal. */
export function processTerminal(clock: Clock, signal: AbortSignal): Terminal {
  let liveShown = false
  const clear = () => {
    if (liveShown) process.stderr.write('\r\u001b[2K')
    liveShown = false
  }
  return {
    environment: process.env,
    clock,
    signal,
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    print: (text) => {
      clear()
      process.stdout.write(text)
    },
    log: (line) => {
      clear()
      process.stderr.write(`${line}\n`)
    },
    isLive: process.stderr.isTTY === true,
    logLive: (line) => {
      if (!process.stderr.isTTY) return
      clear()
      process.stderr.write(line.slice(0, (process.stderr.columns || 80) - 1))
      liveShown = true
    },
  }
}
