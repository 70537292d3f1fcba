import { Command as Commander } from 'commander'
import type { Client } from './client.ts'
import { renderJson, renderTable } from './render.ts'
import type { Terminal } from './terminal.ts'

/** Options of every command. */
export interface GlobalOptions {
  readonly url?: string
  readonly key?: string
  readonly json?: boolean
}

/** A command of `skillrun`: commander's, with what all commands do alike. */
export class Command extends Commander {
  declare readonly commands: readonly Command[]
  readonly #terminal: Terminal

  constructor(terminal: Terminal, name?: string) {
    super(name)
    this.#terminal = terminal
  }

  override createCommand(name?: string): Command {
    return new Command(this.#terminal, name)
  }

  /** Adds examples to the help. */
  examples(...lines: readonly string[]): this {
    return this.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}\n`).join('')}`)
  }

  /** Whether the caller gave --json. */
  get isJson(): boolean {
    return this.optsWithGlobals<GlobalOptions>().json === true
  }

  /** A client for the server of these options. Throws what `findConnection` throws. */
  async connect(): Promise<Client> {
    // Commands that need no server do not load this.
    const [{ findConnection }, { createClient }] = await Promise.all([import('./connection.ts'), import('./client.ts')])
    const connection = await findConnection(this.optsWithGlobals<GlobalOptions>(), this.#terminal.environment)
    return createClient(connection, this.#terminal.signal)
  }

  /** Prints a value: as JSON with --json, otherwise as `textOf` renders it. */
  print<Value>(value: Value, textOf: (value: Value) => string): void {
    this.#terminal.print(this.isJson ? renderJson(value) : textOf(value))
  }

  /** Prints a value as JSON with --json; otherwise logs one sentence about it, and prints nothing. */
  report<Value>(value: Value, sentence: string): void {
    if (this.isJson) this.#terminal.print(renderJson(value))
    else this.#terminal.log(sentence)
  }

  /** Prints a list: as JSON with --json, otherwise as a table with a row for each. */
  printTable<Item>(
    list: readonly Item[],
    headings: readonly string[],
    cellsOf: (item: Item) => readonly string[],
  ): void {
    this.print(list, () => renderTable(headings, list.map(cellsOf), this.#terminal.columns))
  }
}
