import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How a command ended and what it wrote. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command in its own process, as a user would run it. */
export interface Running {
  readonly ended: Promise<Ended>
  readonly pid: number | undefined
  /** Resolves when stderr contains this text; rejects when the command ends without it. */
  stderrIncludes(text: string): Promise<void>
  /** Resolves with the match when stdout contains it; rejects when the command ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
  /** Stops reading stdout, as `head` does. */
  closeStdout(): void
}

const entry = fileURLToPath(new URL('../skillrun.mjs', import.meta.url))

/** Where a command runs: of the tester's own environment, PATH and the cache of compiled modules alone reach it. */
export interface Place {
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string
}

/** Starts `skillrun` with these arguments; `folder` is its working folder and its home. */
export function startSkillrun(args: readonly string[], place: Place): Running {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const environment = { PATH, NODE_COMPILE_CACHE, HOME: place.folder, ...place.environment }
  const child = spawn(process.execPath, [entry, ...args], { cwd: place.folder, env: environment })
  child.stdin.end(place.stdin ?? '')
  let stdout = ''
  let stderr = ''
  const waiting = new Set<() => void>()
  const heard = () => {
    for (const look of waiting) look()
  }
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    heard()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
    heard()
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
  const until = <Found>(look: () => Found | undefined | null, what: string): Promise<Found> =>
    new Promise((resolve, reject) => {
      const lookAgain = () => {
        const found = look()
        if (found) resolve(found)
      }
      waiting.add(lookAgain)
      lookAgain()
      void ended.then(() => reject(new Error(`the command ended without ${what}: ${stdout}${stderr}`)))
    })
  return {
    ended,
    pid: child.pid,
    stderrIncludes: async (text) =>
      void (await until(() => stderr.includes(text), `${JSON.stringify(text)} on stderr`)),
    printed: (pattern) => until(() => pattern.exec(stdout), `printing ${pattern}`),
    kill: (signal) => void child.kill(signal),
    closeStdout: () => void child.stdout.destroy(),
  }
}

/** Runs `skillrun` with these arguments to its end. */
export const skillrun = (args: readonly string[], place: Place): Promise<Ended> => startSkillrun(args, place).ended
