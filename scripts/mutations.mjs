// Mutation check of the conditions in SQL: fences (`attempt = $3`), guards of a status (`status = 'running'`) and
// conditions of a workspace (`workspace_id = $1`). Weakens one at a time in a copy of the repository, runs the tests
// that should notice, and prints the survivors; exits with 1 if there are any. In the copy, row-level security is off,
// so that a statement has only its own condition.
// `npm run mutations [-- --kind fence|guard|workspace] [--in packages/server/src/features/executions] [--from 1]
// [--quick] [--list]`; --quick skips the slower tests, which otherwise run when the quick ones notice nothing.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    in: { type: 'string', default: 'packages/server/src/' },
    from: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const root = resolve(fileURLToPath(import.meta.url), '..', '..')

/** Makes a condition true but keeps its parameter: PostgreSQL refuses parameters that a statement does not use. */
const always = (condition) => `(${condition} or true)`

/** What is weakened, and how. A pattern starts with what may precede a condition, so that assignments do not match. */
const before = String.raw`(?<=\b(?:where|and|or|not|when|on)\s+\(?|\()`
const column = String.raw`(?:[a-z_]+\.)?`
const kinds = [
  { kind: 'fence', pattern: `${column}attempt = \\$\\d+`, weaken: (text) => text.replace(' = ', ' >= ') },
  { kind: 'fence', pattern: `${column}attempt = \\$\\d+`, weaken: (text) => text.replace(' = ', ' <= ') },
  { kind: 'fence', pattern: `${column}job_number = \\$\\d+`, weaken: (text) => text.replace(' = ', ' >= ') },
  { kind: 'fence', pattern: `${column}job_number = \\$\\d+`, weaken: (text) => text.replace(' = ', ' <= ') },
  { kind: 'fence', pattern: `${column}job_attempt < \\$\\d+`, weaken: (text) => text.replace(' < ', ' <= ') },
  { kind: 'fence', pattern: `${column}job_attempt < \\$\\d+`, weaken: always },
  { kind: 'fence', pattern: `${column}retry_count = attempt\\.retry_count`, weaken: always },
  { kind: 'guard', pattern: `${column}(?:status|state) (?:=|<>|<) '[a-z]+'`, weaken: always },
  { kind: 'guard', pattern: `${column}(?:status|state) in \\([^)]*\\)`, weaken: always },
  { kind: 'guard', pattern: `${column}(?:status|state) = any\\(\\$\\d+\\)`, weaken: always },
  { kind: 'workspace', pattern: `${column}workspace_id = \\$\\d+`, weaken: always },
  { kind: 'workspace', pattern: `${column}workspace_id = [a-z_]+\\.workspace_id`, weaken: always },
]

/** The tests that should notice, fastest first. */
const suites = [
  {
    of: /^packages\/server\/src\/adapters\/queue\//,
    tests: [
      'packages/server/src/adapters/queue/pgboss/pgboss-queue.test.ts',
      'packages/server/src/adapters/queue/pgboss/database-clock.test.ts',
    ],
  },
  {
    of: /^packages\/server\/src\/features\/(executions|inputs|pricing|processes|retention|runs|webhooks)\//,
    tests: ['test/fences.test.ts'],
    more: [
      'packages/server/src/features/executions',
      'packages/server/src/features/pricing',
      'packages/server/src/features/processes',
      'packages/server/src/features/runs',
      'packages/server/src/features/webhooks',
      'test/crash.test.ts',
      'test/isolation.test.ts',
      'test/control.test.ts',
      'test/callbacks.test.ts',
      'test/pending-uploads.test.ts',
      'test/retention-of-runs.test.ts',
      'test/usage.test.ts',
      'test/fairness.test.ts',
    ],
  },
  {
    of: /^packages\/server\/src\/features\/files\//,
    tests: ['packages/server/src/features/files'],
    more: ['test/storage.test.ts', 'test/isolation.test.ts', 'test/retention.test.ts'],
  },
  {
    of: /^packages\/server\/src\/features\/(skills|skill-making)\//,
    tests: ['packages/server/src/features/skills', 'packages/server/src/features/skill-making'],
    more: [
      'test/skills.test.ts',
      'test/skill-crash.test.ts',
      'test/skill-sessions.test.ts',
      'test/skill-lists.test.ts',
      'test/isolation.test.ts',
    ],
  },
  {
    of: /^packages\/server\/src\/features\/programs\//,
    tests: ['packages/server/src/features/programs'],
    more: ['test/programs.test.ts', 'test/program-crash.test.ts', 'test/isolation.test.ts'],
  },
  {
    of: /^packages\/server\/src\/features\/evaluations\//,
    tests: ['packages/server/src/features/evaluations'],
    more: ['test/evaluations.test.ts', 'test/isolation.test.ts'],
  },
  {
    of: /^packages\/server\/src\/features\//,
    tests: [],
    more: [
      'test/isolation.test.ts',
      'test/usage.test.ts',
      'test/chat.test.ts',
      'test/agents.test.ts',
      'test/artifacts.test.ts',
      'test/audit.test.ts',
    ],
  },
]

const { stdout: tracked } = git('ls-files', '--cached', '--others', '--exclude-standard')
const files = tracked.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
const mutants = files
  .filter((file) => file.startsWith(values.in) && /^packages\/.*(?<!\.test)\.ts$/.test(file))
  .flatMap(mutantsOf)
  .filter(({ kind }) => values.kind === undefined || kind === values.kind)

if (mutants.length === 0)
  throw new Error(`${values.in} has no condition to weaken${values.kind ? ` of kind ${values.kind}` : ''}`)
if (values.list) for (const mutant of mutants) console.log(nameOf(mutant))
else run()

function mutantsOf(file) {
  const text = readFileSync(join(root, file), 'utf8')
  return kinds
    .flatMap(({ kind, pattern, weaken }) =>
      [...text.matchAll(new RegExp(`${before}${pattern}`, 'g'))].map((match) => ({
        file,
        kind,
        line: text.slice(0, match.index).split('\n').length,
        from: match[0],
        to: weaken(match[0]),
        text: text.slice(0, match.index) + weaken(match[0]) + text.slice(match.index + match[0].length),
      })),
    )
    .sort((a, b) => a.line - b.line)
}

function nameOf({ file, line, kind, from, to }) {
  return `${kind.padEnd(9)} ${file}:${line}  ${from}  →  ${to}`
}

function run() {
  const copy = mkdtempSync(join(tmpdir(), 'skillrun-mutations-'))
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const file of files) cpSync(join(root, file), join(copy, file), { recursive: true })
  // Links between the packages are relative, so in the copy they lead to the copy.
  const { status } = spawnSync('cp', ['-al', join(root, 'node_modules'), join(copy, 'node_modules')])
  if (status !== 0)
    cpSync(join(root, 'node_modules'), join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  unconfine(copy)
  for (const of of new Set(mutants.map(({ file }) => suiteOf(file)))) {
    const failing = firstFailure(copy, of)
    if (failing) throw new Error(`${failing} fails without any mutation`)
  }
  const survivors = []
  for (const [place, mutant] of mutants.entries()) {
    if (place + 1 < Number(values.from)) continue
    const path = join(copy, mutant.file)
    const original = readFileSync(path, 'utf8')
    writeFileSync(path, mutant.text)
    const killer = firstFailure(copy, suiteOf(mutant.file))
    writeFileSync(path, original)
    if (!killer) survivors.push(mutant)
    console.log(
      `${place + 1}/${mutants.length} ${killer ? 'killed  ' : 'SURVIVED'} ${nameOf(mutant)}${killer ? `  by ${killer}` : ''}`,
    )
  }
  console.log(`\n${survivors.length} of ${mutants.length} survived`)
  for (const mutant of survivors) console.log(nameOf(mutant))
  process.exitCode = survivors.length > 0 ? 1 : 0
}

/** Row-level security would back up every workspace condition. */
function unconfine(copy) {
  const file = join(copy, 'packages/server/src/adapters/db/postgres/row-scope.ts')
  const text = readFileSync(file, 'utf8')
  const changed = text.replace('return { workspace: workspaceId, role }', 'return { ...allWorkspaces }')
  if (changed === text) throw new Error(`${file} has changed: say here how a connection is not confined`)
  writeFileSync(file, changed)
}

function suiteOf(file) {
  return suites.find(({ of }) => of.test(file)) ?? suites.at(-1)
}

/** The first test file that fails, or undefined. */
function firstFailure(copy, { tests, more = [] }) {
  for (const some of values.quick ? [tests] : [tests, more]) {
    if (some.length === 0) continue
    const args = ['run', '--configLoader=native', '--bail=1', '--reporter=dot', ...some]
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(copy, 'node_modules/vitest/vitest.mjs'), ...args],
      {
        cwd: copy,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1', PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
      },
    )
    if (status !== 0) return /FAIL +(?:\|?\w+\|? +)?(\S+\.test\.ts)/.exec(stdout + stderr)?.[1] ?? 'a failure to start'
  }
  return undefined
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}
