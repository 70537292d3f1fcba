import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..', '..')

/** The arguments of Node with which `npm start` of a checkout starts the server; another version may have others. */
export function startArguments(checkout = root): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [, , ...words] = scripts.start.split(' ')
  return words.map((word) => (word.startsWith('-') ? word : join(checkout, word)))
}

/** Skillrun as a separate process, as `npm start` runs it. */
export interface TestServer extends AsyncDisposable {
  readonly process: ChildProcess
  /** All output so far, both streams. */
  output(): string
  /** Resolves with the match once it was printed; rejects when the process ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal and waits for the end; returns the exit code, or the signal that ended it. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

/**
 * Starts a server on a free port with this data folder; of another version when its `checkout` is given. Without a warm child, unless `env`
 * says so: most tests give it no document.
 */
export function startServer(dataFolder: string, env: Record<string, string> = {}, checkout = root): TestServer {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, startArguments(checkout), {
    env: {
      ...{ PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', SKILLRUN_DATA: dataFolder, OLLAMA_BASE_URL: 'off' },
      ...{ SKILLRUN_WARM: 'no', ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const listeners = new Set<() => void>()
  const heard = (part: Buffer) => {
    text += part.toString()
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', heard)
  child.stderr.on('data', heard)
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null)
  const end: TestServer['end'] = (signal = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return {
    process: child,
    output: () => text,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(text)
          if (!match) return
          listeners.delete(look)
          resolve(match)
        }
        listeners.add(look)
        look()
        void ended.then(() => reject(new Error(`the server ended without printing ${pattern}:\n${text}`)))
      }),
    end,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGTERM')
    },
  }
}
