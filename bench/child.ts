import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { startArguments } from '../test/support/server.ts'

/** A Node process that a benchmark starts, and stops when it is disposed of. */
export interface Child extends AsyncDisposable {
  readonly process: ChildProcess
  readonly pid: number
  /** The address that it printed. */
  readonly url: string
  /** Resolves with the match once it was printed; rejects when the process ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
}

interface Terms {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Opens a channel for messages. */
  readonly ipc?: boolean
}

/** Runs Node with these arguments, until the program has printed its address. */
export async function startChild(args: readonly string[], { ipc = false, ...terms }: Terms = {}): Promise<Child> {
  const child = spawn(process.execPath, args, {
    ...terms,
    stdio: ['ignore', 'pipe', 'inherit', ...(ipc ? (['ipc'] as const) : [])],
  })
  let text = ''
  const ended = once(child, 'close')
  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(text)
        if (!match) return
        child.stdout?.off('data', look)
        resolve(match)
      }
      child.stdout?.on('data', look)
      look()
      void ended.then(() => reject(new Error(`${args.join(' ')} ended without printing ${pattern}: ${text}`)))
    })
  child.stdout?.on('data', (part) => {
    text += part
  })
  const [, url = ''] = await printed(/(http:\S+)\s/)
  return {
    process: child,
    pid: child.pid ?? 0,
    url,
    printed,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Runs the server of this checkout on a data folder. */
export const startMain = (
  dataFolder: string,
  env: NodeJS.ProcessEnv = {},
  before: readonly string[] = [],
): Promise<Child> =>
  startChild([...before, ...startArguments()], {
    env: { ...process.env, PORT: '0', SKILLRUN_DATA: dataFolder, OLLAMA_BASE_URL: 'off', ...env },
    ipc: before.length > 0,
  })
