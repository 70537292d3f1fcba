import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Fault } from '@skillrun/core/fault.ts'
import { Option } from 'commander'
import type { Command } from '../command.ts'
import { wholeNumber } from '../options.ts'
import { serverFile } from '../server-process.ts'
import type { Terminal } from '../terminal.ts'

interface ServeOptions {
  readonly port?: number
  readonly host?: string
  readonly data?: string
  readonly role?: string
}

/** `skillrun serve` and `skillrun worker`: run the server in this terminal until it ends. */
export function addServe(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  program
    .command('serve')
    .description('start the server with a worker and, unless DATABASE_URL is set, an embedded PostgreSQL')
    .option('--port <PORT>', 'port to listen on (default: PORT, or 8080)', wholeNumber(0, 65_535))
    .option('--host <HOST>', 'address to listen on (default: HOST, or 127.0.0.1)')
    .option('--data <FOLDER>', 'data folder (default: SKILLRUN_DATA, or .skillrun in the current folder)')
    .addOption(
      new Option('--role <ROLE>', 'parts to run (default: SKILLRUN_ROLE, or all)').choices([
        ...['all', 'api', 'worker', 'router'],
      ]),
    )
    .examples(
      'skillrun serve',
      'skillrun serve --port 9000 --data /var/lib/skillrun',
      'DATABASE_URL=postgres://… skillrun serve --role api',
      'SKILLRUN_SHARDS=a=http://…,b=http://… skillrun serve --role router',
    )
    .action(async (options: ServeOptions) => {
      setExitCode(await runServer(options, options.role ?? terminal.environment['SKILLRUN_ROLE'] ?? 'all', terminal))
    })
  program
    .command('worker')
    .description('start only a worker, on the database of another server')
    .option('--data <FOLDER>', 'data folder (default: SKILLRUN_DATA, or .skillrun in the current folder)')
    .examples('DATABASE_URL=postgres://… skillrun worker')
    .action(async (options: ServeOptions) => setExitCode(await runServer(options, 'worker', terminal)))
}

/** As in `npm start`. */
const youngGeneration = '--max-semi-space-size=16'

async function runServer(options: ServeOptions, role: string, terminal: Terminal): Promise<number> {
  const environment = {
    ...terminal.environment,
    SKILLRUN_ROLE: role,
    ...(options.port === undefined ? {} : { PORT: String(options.port) }),
    ...(options.host === undefined ? {} : { HOST: options.host }),
    ...(options.data === undefined ? {} : { SKILLRUN_DATA: options.data }),
  }
  const child = spawn(process.execPath, [youngGeneration, serverFile('main.mjs')], {
    stdio: 'inherit',
    env: environment,
  })
  const passOn = (signal: NodeJS.Signals) => child.kill(signal)
  // Ctrl-C in a terminal also goes to the server, because it goes to every process there.
  const interrupt = () => process.stdin.isTTY || child.kill('SIGINT')
  process.on('SIGINT', interrupt).on('SIGTERM', passOn).on('SIGHUP', passOn)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error) =>
        reject(new Fault('unavailable', 'no_start', `The server could not be started: ${error.message}`)),
      )
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    })
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', passOn).off('SIGHUP', passOn)
  }
}
