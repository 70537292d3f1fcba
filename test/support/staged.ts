import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/*
 * Blocks of documents that say `staged`: they name places that no test has, such as /var/lib or db.internal, and run with others in their stead.
 */

const root = resolve(import.meta.dirname, '..', '..')

/** The code of the staged block of a document that begins with these characters. */
export async function stagedBlock(path: string, beginning: string): Promise<string> {
  const text = await readFile(join(root, path), 'utf8')
  const blocks = [...text.matchAll(/^```\w+ staged\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
  const [found, ...others] = blocks.filter((code) => code.startsWith(beginning))
  if (found === undefined || others.length > 0)
    throw new Error(`${path} has ${found ? 'several' : 'no'} staged blocks that begin with ${beginning}`)
  return found
}

const program = join(root, 'packages', 'cli', 'skillrun.mjs')
const startAndEnd = join(import.meta.dirname, 'start-and-end.mjs')

/** `skillrun` and `npm` are those of this tree; a server that `npm start` starts ends once it is ready. */
const opening = `set -euo pipefail
skillrun() { '${process.execPath}' '${program}' "$@"; }
npm() {
  if [ "$*" = start ]; then '${process.execPath}' '${startAndEnd}'; return; fi
  [ "\${*:1:4}" = 'run -s skillrun --' ] || { echo "npm $* is not run here" >&2; return 1; }
  skillrun "\${@:5}"
}
`

export interface Stage {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** What stands in a block, and what the test has in its stead. */
  readonly places?: Readonly<Record<string, string>>
  /** Shell before the block: what stands in for programs that are not here. */
  readonly before?: string
  /** Ends the block when it has printed this: it would run on. */
  readonly until?: string
}

/** Runs a block, and returns all that it printed; throws if it fails or lacks a place. */
export async function play(code: string, stage: Stage): Promise<string> {
  let staged = code
  for (const [name, place] of Object.entries(stage.places ?? {})) {
    if (!staged.includes(name)) throw new Error(`nothing names ${name}: ${code}`)
    staged = staged.replaceAll(name, place)
  }
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const own = { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', OLLAMA_BASE_URL: 'off' }
  const child = spawn('bash', ['-c', `${opening}${stage.before ?? ''}\n${staged}`], {
    cwd: stage.folder,
    env: { ...own, ...stage.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  let isDone = false
  const hear = (part: Buffer) => {
    said += part
    if (isDone || stage.until === undefined || !said.includes(stage.until)) return
    isDone = true
    process.kill(-(child.pid ?? 0), 'SIGTERM')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const ended = await new Promise((end) => child.on('close', (status) => end(status)))
  if (stage.until === undefined ? ended !== 0 : !isDone) throw new Error(`${staged}\nended with ${ended}:\n${said}`)
  return said
}
