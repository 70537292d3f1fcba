import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startMockModel } from '../bench/mock-model.ts'
import { ensureClient } from '../scripts/client.mjs'
import { openTestHouse } from './house/house.ts'

/*
 * README and guides are run: every block of code whose fence says `run` (sh, js, ts), in its order, against a server of its own. What a
 * `text output` block shows, and what stands behind console.log( … ) //, must be printed. A `json config` block is
 * that server's SKILLRUN_CONFIG; a `diff apply` block must apply to the code as it is.
 */

const root = join(import.meta.dirname, '..')
const guides = (await readdir(join(root, 'docs', 'guides'))).filter((name) => name.endsWith('.md'))
const documents = ['README.md', ...guides.map((name) => `docs/guides/${name}`)]

interface Block {
  readonly language: string
  readonly marks: readonly string[]
  readonly code: string
}

/** The fenced blocks of a document. */
function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^```(\S*)[ \t]*([^\n]*)\n([\s\S]*?)^```[ \t]*$/gm)].map(
    ([, language = '', marks = '', code = '']) => ({
      language,
      marks: marks.split(/\s+/).filter(Boolean),
      code,
    }),
  )
}

const isRunnable = ({ marks }: Block): boolean => marks.includes('run')

/** What the output must hold, text by text; `…` stands for anything. */
function promisesOf(blocks: readonly Block[]): readonly RegExp[] {
  return blocks.flatMap(({ language, marks, code }) => {
    if (marks.includes('output')) return code.split('\n').filter(Boolean).map(patternOf)
    if (!marks.includes('run') || language === 'sh') return []
    return [...code.matchAll(/console\.log\(.*\) \/\/ (.+)$/gm)].map(([, told = '']) => patternOf(told))
  })
}

const patternOf = (line: string): RegExp =>
  new RegExp(
    line
      .trim()
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  )

/** What a document calls `npm run -s skillrun --` is the command line of this tree. */
const opening = (url: string): string => `set -euo pipefail
skillrun() { node '${join(root, 'cli', 'skillrun.mjs')}' "$@"; }
npm() {
  [ "\${*:1:4}" = 'run -s skillrun --' ] || { echo "npm $* is not run here" >&2; return 1; }
  shift 4
  skillrun "$@"
}
export SKILLRUN_URL='${url}'
`

/** One script of all runnable blocks. */
function scriptOf(
  blocks: readonly Block[],
  url: string,
): { readonly text: string; readonly files: Map<string, string> } {
  const files = new Map<string, string>()
  const parts = blocks.map(({ language, code }, index) => {
    const own = code.replaceAll('http://127.0.0.1:8080', url)
    const head = `echo '::block ${index + 1}::' >&2\n`
    if (language === 'sh') return head + own
    const name = `block-${index + 1}.m${language}`
    files.set(name, own)
    return `${head}node ${name}\n`
  })
  return { text: opening(url) + parts.join(''), files }
}

function runScript(text: string, { folder, key }: { folder: string; key: string }) {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH: `${join(root, 'node_modules', '.bin')}:${PATH}`, HOME, SKILLRUN_API_KEY: key }
  const child = spawn('bash', ['-c', text], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (part) => {
    stdout += part
  })
  child.stderr.on('data', (part) => {
    stderr += part
  })
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** A folder with what a checkout has that documents name, the package under its name, and OpenAI's client. */
async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-guide-'))
  for (const name of ['samples', 'skills', 'openapi.json'])
    if (existsSync(join(root, name))) await symlink(join(root, name), join(folder, name))
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules', 'skillrun'))
  await symlink(join(root, 'node_modules', 'openai'), join(folder, 'node_modules', 'openai'))
  return folder
}

async function runDocument(text: string) {
  const blocks = blocksOf(text)
  ensureClient()
  await using model = await startMockModel({ script: () => ({ text: '{"total": 12.5}' }) })
  const folder = await openFolder()
  const config = blocks.find(({ marks }) => marks.includes('config'))?.code
  const configFile = join(folder, 'skillrun.json')
  if (config) await writeFile(configFile, config.replaceAll('http://127.0.0.1:8000/v1', model.baseUrl))
  await using house = await openTestHouse({ env: config ? { SKILLRUN_CONFIG: configFile } : {} })
  try {
    const { text: script, files } = scriptOf(blocks.filter(isRunnable), house.url)
    for (const [name, code] of files) await writeFile(join(folder, name), code)
    const ended = await runScript(script, { folder, key: house.key })
    const missing = promisesOf(blocks).filter((promise) => !promise.test(ended.stdout))
    return { ...ended, missing }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe.each(documents)('%s', (path) => {
  test('shows something that can be run, and what it shows runs and prints what it says', async () => {
    const text = await readFile(join(root, path), 'utf8')
    expect(blocksOf(text).filter(isRunnable).length).toBeGreaterThan(0)
    const { code, stdout, stderr, missing } = await runDocument(text)
    expect({ code, stderr: code === 0 ? '' : stderr, stdout: code === 0 ? '' : stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: '',
    })
    expect({ missing, stdout: missing.length > 0 ? stdout : '' }).toEqual({ missing: [], stdout: '' })
  })

  test('leads to pages and pictures that are there', async () => {
    const text = await readFile(join(root, path), 'utf8')
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
    const own = links.filter((link) => !/^[a-z]+:/.test(link))
    expect(own.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([])
  })

  test('shows changes that apply to the code as it is', async () => {
    const diffs = blocksOf(await readFile(join(root, path), 'utf8')).filter(({ marks }) => marks.includes('apply'))
    for (const { code } of diffs) {
      const child = spawn('git', ['apply', '--check', '-C1', '-'], { cwd: root, stdio: ['pipe', 'ignore', 'pipe'] })
      child.stdin.end(code)
      let said = ''
      child.stderr.on('data', (part) => {
        said += part
      })
      expect([await new Promise((end) => child.on('close', end)), said]).toEqual([0, ''])
    }
  })
})

test('what runs documents finds a block that fails, and a promise that is not kept', async () => {
  const failing = await runDocument('```sh run\ncurl -fsS http://127.0.0.1:8080/nothing\n```\n')
  expect(failing.code).not.toBe(0)
  const broken = await runDocument(
    '```js run\nconsole.log(1 + 1) // 3\n```\n```sh run\necho said\n```\n```text output\nsaid\nunsaid\n```\n',
  )
  expect(broken.code).toBe(0)
  expect(broken.missing).toEqual([/3/, /unsaid/])
})
