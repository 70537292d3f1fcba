import type { Clock } from '@skillrun/core/clock.ts'

/** What a command has of the machine that it runs on. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Aborted by Ctrl-C, SIGTERM and a closed terminal. */
  readonly signal: AbortSignal
  /** Columns of the terminal that reads stdout; undefined when a program reads it. */
  readonly columns: number | undefined
  /** Writes to stdout: results alone. */
  readonly print: (text: string) => void
  /** Writes a line to stderr: progress, hints, failures. */
  readonly tell: (line: string) => void
  /** Whether stderr is a terminal, where a line may live. */
  readonly isLive: boolean
  /** Shows a line that the next one replaces; does nothing where stderr is not a terminal. */
  readonly tellLive: (line: string) => void
}

/** The terminal of this process. */
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
    tell: (line) => {
      clear()
      process.stderr.write(`${line}\n`)
    },
    isLive: process.stderr.isTTY === true,
    tellLive: (line) => {
      if (!process.stderr.isTTY) return
      clear()
      process.stderr.write(line.slice(0, (process.stderr.columns || 80) - 1))
      liveShown = true
    },
  }
}
