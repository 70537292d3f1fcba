import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, glob, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { isJsonObject } from '../packages/core/src/json.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { ensureClient } from '../scripts/client.mjs'
import { makeDatabase, makeEmptyDatabase } from './support/database.ts'
import { urlOf } from './support/database-url.ts'
import { startMockModel } from './support/mock-model.ts'
import { startServer } from './support/server.ts'
import { openTestService } from './support/service.ts'
import { copyTree, linkTree } from './support/trees.ts'

/*
 * Runs README and guides: every code block whose fence says `run` (sh, js, ts), in order, on its own server. Blocks that name other
 * places (`staged`) are run by test/staged-blocks.test.ts. The
 * contents of `text output` blocks, and of `console.log( … ) //` comments, must be printed. A `json config` block is
 * the server's SKILLRUN_CONFIG. The `diff apply` blocks of a document must apply to the current code, and the result
 * must compile and pass the tests that they add. A `json printed` block is part of a command's output. Blocks that
 * cannot run here (`sh elsewhere`) are listed with the reason, and must be valid shell that names existing files,
 * scripts and variables; a `json part` must be accepted as configuration, a `json record` be part of an execution's record, an `sql statement` by a database; a
 * `js part` must import what there is, and a `yaml part` be YAML. The `sql database` blocks make a role and a database that a server starts on.
 * Every block in every document is checked; the test of the Python client runs its own. `test/named-in-documents.test.ts` checks the commands and
 * options of blocks that cannot run here.
 */

/** The kinds of blocks by language; `receiver` and `program` are run by the tests of callbacks and of the code agent. */
const checks: Readonly<Record<string, readonly string[]>> = {
  sh: ['run', 'staged', 'elsewhere'],
  js: ['run', 'receiver', 'part'],
  ts: ['run', 'program'],
  json: ['config', 'part', 'printed', 'staged', 'record'],
  python: ['run'],
  yaml: ['part'],
  sql: ['statement', 'database'],
  diff: ['apply'],
}

const root = join(import.meta.dirname, '..')
/** The server's own. */
const { parseDocument } = createRequire(new URL('../packages/server/package.json', import.meta.url))('yaml')
async function markdownIn(...patterns: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for await (const path of glob(patterns, { cwd: root })) if (!/node_modules|\/dist\//.test(path)) found.push(path)
  return found.sort()
}
const documents = [
  ...(await markdownIn('README.md', 'docs/guides/*.md')),
  ...['packages/client/README.md', 'packages/reader/README.md', 'skills/README.md'],
]
/** Documents without blocks that run. */
const others = (
  await markdownIn('*.md', 'docs/**/*.md', 'packages/**/*.md', 'clients/**/*.md', 'deploy/**/*.md')
).filter((path) => !documents.includes(path))

/** Texts that nothing prints, by document: how many, and what they are. */
const drawings: Readonly<Record<string, readonly [number, string]>> = {
  'docs/ARCHITECTURE.md': [1, 'a diagram'],
  'docs/decisions/0018-order-of-features.md': [
    1,
    'the features in their order, which the test of the architecture has',
  ],
  'docs/guides/backup.md': [1, 'the files of a backup, which its test reads'],
  'docs/guides/models.md': [2, 'a formula, and two members of a record, which the test of models reads'],
  'packages/server/README.md': [1, 'folders'],
}

/** The blocks that cannot run here, by document: how many, and why. */
const elsewhere: Readonly<Record<string, readonly (readonly [beginning: string, reason: string])[]>> = {
  'CONTRIBUTING.md': [
    ['npm test', 'CI runs these commands, and this test is part of them'],
    ['node scripts/release.mjs', 'it changes the checkout; test/packages.test.ts makes a release by a dry run'],
  ],
  'clients/python/README.md': [
    ['pip install', "pip fetches a builder from Python's registry; test/python-client.test.ts uses the folder"],
  ],
  'docs/guides/mcp.md': [
    ['claude mcp add', 'the program of a vendor; test/staged-blocks.test.ts connects by both transports'],
    [
      'npx @modelcontextprotocol/inspector',
      'npx fetches it; test/mcp.test.ts uses the clients of both majors that it is made of',
    ],
  ],
  'docs/guides/models.md': [['SKILLRUN_GGUF=', 'a model of some gigabytes']],
  'docs/guides/ollama.md': [
    [
      'OLLAMA_CONTEXT_LENGTH=',
      'a program and a model of some gigabytes; find-ollama.test.ts has a server that answers as it does',
    ],
  ],
  'docs/guides/scale-out.md': [['docker compose', 'Docker; test/compose.test.ts reads the files']],
  'docs/guides/skills.md': [
    ['skillrun skills improve', 'a language model and a skill with cases; test/improvements.test.ts runs the command'],
    ['python3 -m venv', "pip fetches packages from Python's registry"],
  ],
  'packages/integrations/n8n/README.md': [
    [
      'mkdir -p /tmp/n8n-check',
      'npm fetches n8n, which is left out of the lockfile; test/integrations.test.ts runs the node',
    ],
  ],
  'docs/guides/upgrade.md': [
    ['git pull', 'a newer version; test/rolling-upgrade.test.ts and test/plain-machines.test.ts upgrade'],
    ['node bench/rolling-upgrade.ts', 'a checkout of an earlier version; test/rolling-upgrade.test.ts makes one'],
  ],
}

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

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** The texts that the output must contain; `…` matches anything. */
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

/** `npm run -s skillrun --` in a document runs this tree's command line. */
const opening = (url: string): string => `set -euo pipefail
skillrun() { node '${join(root, 'packages', 'cli', 'skillrun.mjs')}' "$@"; }
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
    // Ends its output with a newline, whether or not it prints one.
    if (language === 'sh') return `${head}${own}echo\n`
    const name = `block-${index + 1}.m${language}`
    files.set(name, own)
    return `${head}node ${name}\n`
  })
  return { text: opening(url) + parts.join(''), files }
}

function runScript(text: string, { folder, key }: { folder: string; key: string }) {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const env = { PATH: `${join(root, 'node_modules', '.bin')}:${PATH}`, HOME, NODE_COMPILE_CACHE, SKILLRUN_API_KEY: key }
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

/** A folder with the files that documents name, the client package, and the clients of OpenAI and Anthropic. */
async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-guide-'))
  for (const name of ['samples', 'skills', 'openapi.json'])
    if (existsSync(join(root, name))) await symlink(join(root, name), join(folder, name))
  await mkdir(join(folder, 'node_modules', '@skillrun'), { recursive: true })
  for (const [name, path] of [
    ['client', 'client'],
    ['reader', 'reader'],
    ['ai-sdk', 'integrations/ai-sdk'],
    ['langchain', 'integrations/langchain'],
  ] as const)
    await symlink(join(root, 'packages', path), join(folder, 'node_modules', '@skillrun', name))
  for (const name of ['openai', '@anthropic-ai', 'ai', '@ai-sdk'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
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
  await using service = await openTestService({ env: config ? { SKILLRUN_CONFIG: configFile } : {} })
  try {
    const { text: script, files } = scriptOf(blocks.filter(isRunnable), service.url)
    for (const [name, code] of files) await writeFile(join(folder, name), code)
    const ended = await runScript(script, { folder, key: service.key })
    const missing = promisesOf(blocks).filter(
      (promise) => !promise.test(ended.stdout) && !promise.test(squeezed(ended.stdout)),
    )
    const printed = ended.stdout.split('\n').map(jsonOf)
    const unprinted = blocks
      .filter(({ marks }) => marks.includes('printed'))
      .filter(({ code }) => !printed.some((whole) => holds(jsonOf(code), whole)))
    return { ...ended, missing: [...missing, ...unprinted.map(({ code }) => code)] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const hundredths = (value: number): number => Math.round(value * 100) / 100

/** True when `whole` contains everything in `part`; numbers are compared to the hundredth. */
function holds(part: unknown, whole: unknown): boolean {
  if (typeof part === 'number') return typeof whole === 'number' && hundredths(part) === hundredths(whole)
  if (Array.isArray(part))
    return Array.isArray(whole) && part.length === whole.length && part.every((one, index) => holds(one, whole[index]))
  if (!isJsonObject(part)) return part === whole
  return isJsonObject(whole) && Object.entries(part).every(([name, one]) => holds(one, whole[name]))
}

/** The problems of a block that cannot run here. */
async function faultsOf({ language, marks, code }: Block): Promise<readonly string[]> {
  if (marks.includes('staged') && language === 'json') return jsonFaults(code)
  if (marks.some((mark) => mark === 'elsewhere' || mark === 'staged') && language === 'sh') return shellFaults(code)
  if (marks.includes('record')) return recordFaults(code)
  if (marks.includes('part')) return (partChecks[language] ?? configFaults)(code)
  if (marks.includes('statement')) return statementFaults(code)
  if (marks.includes('message')) return messageFaults(code)
  return marks.some((mark) => checks[language]?.includes(mark)) ? [] : [`nothing checks this ${language}: ${code}`]
}

/** Variables of other programs that documents name: of Ollama and the AWS client. */
const othersVariables = /^(OLLAMA_|AWS_)/

function jsonFaults(code: string): readonly string[] {
  try {
    JSON.parse(code)
    return []
  } catch {
    return [`no JSON: ${code}`]
  }
}

const { components } = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'))
const isOfRecord = new Ajv2020({ strict: false, validateFormats: false }).compile({
  ...partial({ components }),
  $ref: '#/components/schemas/AgentExecutionResponse',
})

/** A schema whose objects may lack members, but have no others. */
function partial(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (name, value) => {
    if (name === 'required' && Array.isArray(value)) return undefined
    return isJsonObject(value) && isJsonObject(value['properties']) ? { additionalProperties: false, ...value } : value
  })
}

/** Members that the record of an execution does not have, or has otherwise. */
function recordFaults(code: string): readonly string[] {
  if (isOfRecord(JSON.parse(code))) return []
  return (isOfRecord.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

const yamlFaults = async (code: string): Promise<readonly string[]> =>
  parseDocument(code).errors.map((error: Error) => `no YAML: ${error.message}`)

/** What a program imports is there, and the program has no error of syntax. */
async function importFaults(code: string): Promise<readonly string[]> {
  const folder = await openFolder()
  try {
    const imported = [...code.matchAll(/^import \{(.*)\} from '(.*)'$/gm)]
    const names = imported.map(([line = '']) => line).join('\n')
    await writeFile(join(folder, 'imports.mjs'), names)
    await writeFile(join(folder, 'whole.mjs'), code)
    const { code: ended, stderr } = await runScript('node imports.mjs && node --check whole.mjs', { folder, key: '' })
    return ended === 0 && imported.length > 0 ? [] : [`${stderr}: ${code}`]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const partChecks: Readonly<Record<string, (code: string) => Promise<readonly string[]>>> = {
  js: importFaults,
  yaml: yamlFaults,
}

async function shellFaults(code: string): Promise<readonly string[]> {
  const faults: string[] = []
  const child = spawn('bash', ['-n', '-c', code], { stdio: 'ignore' })
  if ((await new Promise((end) => child.on('close', end))) !== 0) faults.push(`no sound shell: ${code}`)
  const known = (
    await Promise.all(
      ['packages/server/src/config.ts', 'packages/server/src/adapters/models', 'README.md'].map(textUnder),
    )
  ).join('\n')
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: object }
  for (const [, name = ''] of code.matchAll(/\b([A-Z][A-Z0-9_]{2,})=/g))
    if (!othersVariables.test(name) && !known.includes(name)) faults.push(`nothing reads ${name}`)
  for (const [, name = ''] of code.matchAll(/\bnpm (?:run )?(?:-s )?([a-z]+)/g))
    if (!(name in scripts) && name !== 'install') faults.push(`there is no npm run ${name}`)
  for (const [path] of code.matchAll(/\b(?:deploy|docs|bench|scripts)\/[\w./-]+/g))
    if (!existsSync(join(root, path))) faults.push(`there is no ${path}`)
  return faults
}

/** The code of a file, or of a whole folder. */
async function textUnder(path: string): Promise<string> {
  if (path.includes('.')) return readFile(join(root, path), 'utf8')
  const names = (await readdir(join(root, path), { recursive: true })).filter((name) => name.endsWith('.ts'))
  return (await Promise.all(names.map((name) => readFile(join(root, path, name), 'utf8')))).join('\n')
}

async function configFaults(code: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-guide-'))
  try {
    await writeFile(join(folder, 'part.json'), code)
    // Its placeholders for keys are set where it is used.
    const keys = [...code.matchAll(/"key": "(\w+)"/g)].map(([, key = '']) => [key, 'a-key'] as const)
    readConfig({ ...Object.fromEntries(keys), SKILLRUN_CONFIG: 'part.json' }, folder)
    return []
  } catch (error) {
    return [`${error instanceof Error ? error.message : error}: ${code}`]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A message is one that the server has a template for. */
async function messageFaults(code: string): Promise<readonly string[]> {
  const templates = [...(await textUnder('packages/server/src')).matchAll(/`([^`\n]+)`/g)]
    .map(([, template = '']) => template.replaceAll(/\$\{[^}]*\}/g, '…'))
    .filter((template) => template.replaceAll('…', '').length > 40)
  const patterns = templates.map(patternOf)
  const whole = code.trim()
  return patterns.some((pattern) => pattern.exec(whole)?.[0] === whole) ? [] : [`no message: ${code}`]
}

/** Runs the statement on a table with its name. */
async function statementFaults(code: string): Promise<readonly string[]> {
  await using database = await makeDatabase()
  const [, table = ''] = /alter table (\w+)/.exec(code) ?? []
  try {
    await database.db.query(`create table ${table} (workspace_id uuid not null)`)
    for (const statement of code.split(';').filter((one) => one.trim())) await database.db.query(statement)
    return []
  } catch (error) {
    return [`${error instanceof Error ? error.message : error}: ${code}`]
  }
}

test.each([...documents, ...others])('every block of code in %s is checked in some way', async (path) => {
  const blocks = blocksOf(await readFile(join(root, path), 'utf8'))
  const isText = ({ language, marks }: Block) => ['', 'text'].includes(language) && !marks.includes('message')
  expect((await Promise.all(blocks.filter((block) => !isText(block)).map(faultsOf))).flat()).toEqual([])
  const unrun = blocks.filter(({ marks }) => marks.includes('elsewhere')).map(({ code }) => code)
  const reasons = elsewhere[path] ?? []
  expect(unrun.filter((code) => !reasons.some(([beginning]) => code.startsWith(beginning)))).toEqual([])
  expect(reasons.filter(([beginning]) => !unrun.some((code) => code.startsWith(beginning)))).toEqual([])
  const unprinted = blocks.filter((block) => isText(block) && !block.marks.includes('output'))
  expect(unprinted.length).toBe(drawings[path]?.[0] ?? 0)
})

test('the SQL of docs/guides/scale-out.md makes a role and a database on which a server starts without a warning', async () => {
  const guide = await readFile(join(root, 'docs', 'guides', 'scale-out.md'), 'utf8')
  const blocks = blocksOf(guide).filter(({ marks }) => marks.includes('database'))
  expect(blocks.length).toBe(2)
  const name = `guide_${randomUUID().replaceAll('-', '')}`
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-guide-'))
  await using database = await makeEmptyDatabase()
  const address = database.administratorAddress
  const administrator = await connect({ address, clock: systemClock, log: silentLog, connectionsMax: 1 })
  try {
    for (const { code } of blocks)
      for (const statement of code.replaceAll('skillrun', name).split(';'))
        if (statement.trim()) await administrator.query(statement)
    const own = { ...address, database: name, user: name, password: 'secret' }
    await using server = startServer(folder, { DATABASE_URL: urlOf(own), SKILLRUN_API_KEY: 'the-key-of-the-guide' })
    await server.printed(/Skillrun +http:\S+/)
    expect(server.output()).not.toMatch(/superuser|"level":/)
    expect(await server.end()).toBe(0)
  } finally {
    await administrator.query(`drop database if exists ${name} with (force)`)
    await administrator.query(`drop role if exists ${name}`)
    await administrator.close()
    await rm(folder, { recursive: true, force: true })
  }
})

describe.each(documents)('%s', (path) => {
  test('has a runnable block, and its blocks run and print what it shows', async () => {
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

  test('links to existing pages and images', async () => {
    const text = await readFile(join(root, path), 'utf8')
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
    const own = links.filter((link) => !/^[a-z]+:/.test(link))
    expect(own.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([])
  })
})

/** The parts of the repository that a changed tree needs to compile and to run its tests. */
const treeParts = [
  'tsconfig.json',
  'vitest.config.ts',
  'package.json',
  'packages',
  'test',
  'bench',
  'scripts',
  'samples',
  'skills',
]

/** A copy of the code with a document's changes applied in order, and git's message when they do not apply. */
async function openChanged(diffs: readonly Block[]): Promise<{ readonly folder: string; readonly refused: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-changed-'))
  // PostgreSQL runs as another user and needs to read its programs there.
  await chmod(folder, 0o755)
  for (const name of treeParts) await copyTree(join(root, name), join(folder, name))
  // Links to our own packages are relative: they lead to the copy.
  await linkTree(join(root, 'node_modules'), join(folder, 'node_modules'))
  const child = spawn('git', ['apply', '-C1', '-'], { cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] })
  child.stdin.end(diffs.map(({ code }) => code).join(''))
  const [refused] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { folder, refused }
}

/** The tests that diffs add. */
const testsOf = (diffs: readonly Block[]): readonly string[] =>
  diffs.flatMap(({ code }) => [...code.matchAll(/^\+\+\+ b\/(.*\.test\.ts)$/gm)].map(([, path = '']) => path))

const changedParts = [...['core', 'reader', 'server', 'cli'].map((name) => `packages/${name}`), 'test/support']

/** The compiler's messages for parts of a changed tree. Only the given tests are compiled: others refer to the original tree. */
async function compiled(folder: string, tests: readonly string[] = [], include = changedParts): Promise<string> {
  const config = { extends: './tsconfig.json', include, exclude: ['**/*.test.ts'], files: tests }
  await writeFile(join(folder, 'changed.json'), JSON.stringify(config))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  // Several checkers would each check what files share, and other tests need the cores.
  const child = spawn(process.execPath, [compiler, '--checkers', '1', '-p', join(folder, 'changed.json')], {
    cwd: folder,
  })
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')])
  return said
}

/** Runs tests of a changed tree. */
async function tested(
  folder: string,
  tests: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const runner = join(folder, 'node_modules', 'vitest', 'vitest.mjs')
  // Outside our own temporary folder: a PostgreSQL socket path has at most 107 bytes.
  const env = { ...process.env, TMPDIR: join(tmpdir(), '..', '..') }
  const child = spawn(process.execPath, [runner, 'run', '--configLoader=native', '--maxWorkers=1', ...tests], {
    cwd: folder,
    env,
  })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, output: code === 0 ? '' : output + errors }
}

const changing = (
  await Promise.all(
    documents.map(async (path) => {
      const blocks = blocksOf(await readFile(join(root, path), 'utf8'))
      return { path, diffs: blocks.filter(({ marks }) => marks.includes('apply')) }
    }),
  )
).filter(({ diffs }) => diffs.length > 0)

test.each(changing)(
  'the changes that $path shows apply to the code as it is, compile, keep the import rules, and pass the tests that they add',
  async ({ diffs }) => {
    const tests = testsOf(diffs)
    expect(tests.length).toBeGreaterThan(0)
    const { folder, refused } = await openChanged(diffs)
    try {
      expect(refused).toBe('')
      expect(await compiled(folder, tests)).toBe('')
      expect(await tested(folder, [...tests, 'test/architecture.test.ts'])).toEqual({ code: 0, output: '' })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  600_000,
)

test('the checks of changes detect changes that do not compile or whose tests fail', async () => {
  const code = `--- /dev/null
+++ b/packages/core/src/wrong.ts
@@ -0,0 +1,1 @@
+import { nothing } from './fault.ts'
--- /dev/null
+++ b/packages/core/src/wrong.test.ts
@@ -0,0 +1,2 @@
+import { expect, test } from 'vitest'
+test('one is two', () => expect(1).toBe(2))
`
  const diffs = [{ language: 'diff', marks: ['apply'], code }]
  const { folder, refused } = await openChanged(diffs)
  try {
    expect(refused).toBe('')
    expect(await compiled(folder, [], ['packages/core'])).toContain("no exported member 'nothing'")
    expect(await tested(folder, testsOf(diffs))).toEqual({ code: 1, output: expect.stringContaining('one is two') })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 600_000)

test('the runner of documents detects a failing block, and missing output', async () => {
  const failing = await runDocument('```sh run\ncurl -fsS http://127.0.0.1:8080/nothing\n```\n')
  expect(failing.code).not.toBe(0)
  const broken = await runDocument(
    '```js run\nconsole.log(1 + 1) // 3\n```\n```sh run\necho said\n```\n```text output\nsaid\nunsaid\n```\n',
  )
  expect(broken.code).toBe(0)
  expect(broken.missing).toEqual([/3/, /unsaid/])
  const told = '```sh run\necho \'{"total": 12.504, "more": [1]}\'\n```\n```json printed\n{"total": 12.5}\n```\n'
  expect((await runDocument(told)).missing).toEqual([])
  expect((await runDocument(told.replace('12.5}', '12.6}'))).missing).toEqual(['{"total": 12.6}\n'])
})

test('the checks of blocks that cannot run here detect their mistakes', async () => {
  const faults = async (language: string, mark: string, code: string) =>
    (await faultsOf({ language, marks: mark ? [mark] : [], code })).length
  expect(await faults('sh', '', 'npm start')).toBe(1)
  expect(await faults('sh', 'elsewhere', 'if then')).toBe(1)
  expect(await faults('sh', 'elsewhere', 'SKILLRUN_NO_SUCH=1 npm begin; docker compose -f deploy/none.yaml up')).toBe(3)
  expect(await faults('sh', 'elsewhere', 'SKILLRUN_ROLE=api npm start')).toBe(0)
  expect(await faults('json', 'part', '{"no_such_field": 1}')).toBe(1)
  expect(await faults('json', 'staged', '{"a": }')).toBe(1)
  expect(await faults('json', 'staged', '{"a": 1}')).toBe(0)
  expect(await faults('json', 'record', '{"path": {"checked": "no"}}')).toBeGreaterThan(0)
  expect(await faults('json', 'record', '{"path": {"chequed": true}}')).toBeGreaterThan(0)
  expect(await faults('json', 'record', '{"path": {"checked": true}}')).toBe(0)
  expect(await faults('json', 'elsewhere', '{}')).toBe(1)
  expect(await faults('yaml', 'part', 'a: [1')).toBe(1)
  expect(await faults('js', 'part', "import { nothing } from '@skillrun/client'\n")).toBe(1)
  expect(await faults('js', 'part', "import { createClient } from '@skillrun/client'\nconst = 1\n")).toBe(1)
  expect(await faults('js', 'part', "import { createClient } from '@skillrun/client'\n")).toBe(0)
  expect(await faults('sql', 'elsewhere', 'select 1')).toBe(1)
  expect(await faults('text', 'message', 'The moon has migration 52')).toBe(1)
  expect(await faults('rust', '', 'fn main() {}')).toBe(1)
  expect(await faults('sql', 'statement', 'alter table things enable no security')).toBe(1)
})
