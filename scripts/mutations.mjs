// Mutation check of the conditions in SQL: fences (`attempt = $3`), guards of a status (`status = 'running'`), conditions of a
// workspace (`workspace_id = $1`), of a key (`key_id = $2`), of a time (`expires_at > $2`) and of deleted rows (`deleted_at is
// null`). It does not weaken conditions on ids, locks (`for update`) or `on conflict`. Weakens one at a time in a copy of the
// repository, runs the tests that execute its statement, and prints what became of it; exits with 1 if any is not killed. In
// the copy, row-level security is off, so that a statement has only its own condition. A failure by timeout kills nothing:
// those tests run again alone, and a second timeout is reported for a person to judge.
// `npm run mutations [-- --kind fence|guard|workspace|key|lease|deletion] [--in packages/server/src/features/executions] [--list]`
//   --shard 1/2     every second mutant, to run beside another shard
//   --results FILE  adds a line of JSON per mutant; a later run skips what was killed in the same text
//   --trace FILE    keeps which test file executes which statement; a later run reads it and skips that run of all tests
//   --files 12      the most test files per mutant; those most likely to notice it come first
//   --tests REGEX   only these test files
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseAst } from 'vitest/node'

const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    in: { type: 'string', default: 'packages/server/src/' },
    list: { type: 'boolean', default: false },
    shard: { type: 'string', default: '1/1' },
    results: { type: 'string' },
    trace: { type: 'string' },
    files: { type: 'string', default: '12' },
    tests: { type: 'string', default: '' },
  },
})
const root = resolve(fileURLToPath(import.meta.url), '..', '..')

/** Makes a condition true but keeps its parameter: PostgreSQL refuses parameters that a statement does not use. */
const always = (condition) => `(${condition} or true)`
const replacing = (from, to) => (condition) => condition.replace(from, to)

/** What may precede a condition, so that assignments do not match: a word of SQL, or the start of the text. */
const before = String.raw`(?<=\b(?:where|and|or|not|when|on)\s+\(?|\(|\0['"\`])`
const column = String.raw`(?:[a-z_]+\.)?`
const hole = String.raw`\$\{[^{}]*\}`
const value = String.raw`(?:\$\d+|${hole}|[a-z_]+\.[a-z_]+)`
const kinds = [
  ...['attempt', 'job_number', String.raw`coalesce\(\(review->>'version'\)::integer, 0\)`].flatMap((name) => [
    { kind: 'fence', pattern: `${column}${name} = ${value}`, weaken: replacing(' = ', ' >= ') },
    { kind: 'fence', pattern: `${column}${name} = ${value}`, weaken: replacing(' = ', ' <= ') },
  ]),
  { kind: 'fence', pattern: `${column}job_attempt < ${value}`, weaken: replacing(' < ', ' <= ') },
  { kind: 'fence', pattern: `${column}job_attempt < ${value}`, weaken: always },
  { kind: 'fence', pattern: `${column}retry_count = ${value}`, weaken: always },
  { kind: 'fence', pattern: `${column}process_id <> ${value}`, weaken: always },
  { kind: 'fence', pattern: `${column}lost_attempts \\? ${value}`, weaken: always },
  { kind: 'fence', pattern: `${column}review is null`, weaken: always },
  { kind: 'lease', pattern: `${column}(?:claimed_until|expires_at) (?:<|<=|>|>=) ${value}`, weaken: always },
  { kind: 'key', pattern: `${column}(?:key_id|assigned_to|claimed_by) = ${value}`, weaken: always },
  { kind: 'guard', pattern: `${column}review->>'status' = (?:'[a-z]+'|${value})`, weaken: always },
  { kind: 'guard', pattern: `${column}(?:status|state) (?:=|<>|<) (?:'[a-z]+'|${value})`, weaken: always },
  { kind: 'guard', pattern: `${column}(?:status|state) (?:not )?in \\([^)]*\\)`, weaken: always },
  { kind: 'guard', pattern: `${column}(?:status|state) = any\\((?:[^()]|\\([^()]*\\))*\\)`, weaken: always },
  { kind: 'workspace', pattern: `${column}(?:workspace|owner)_id (?:=|<>) ${value}`, weaken: always },
  { kind: 'workspace', pattern: `${column}id = [a-z_]+\\.workspace_id`, weaken: always },
  { kind: 'workspace', pattern: `workspace_id, (?=id\\)\\s+where)`, weaken: () => '' },
  { kind: 'deletion', pattern: `${column}(?:deleted|purged|revoked|retired)_at is null`, weaken: always },
  { kind: 'deletion', pattern: `(?:not )?${column}is_(?:held|retained)`, weaken: always },
]

/** Conditions that change no result, each with the reason. */
const equivalents = [
  {
    file: 'packages/server/src/adapters/queue/pgboss/leases.ts',
    within: 'create index',
    from: "state = 'active'",
    to: "(state = 'active' or true)",
    why: 'the predicate of an index: the same rows are found with any',
  },
  {
    file: 'packages/server/src/adapters/queue/pgboss/leases.ts',
    within: 'as "isOverdue"',
    from: "state = 'active'",
    to: "(state = 'active' or true)",
    why: 'pg-boss gives back only attempts that are active; an index needs the condition',
  },
  {
    file: 'packages/server/src/features/skills/store.ts',
    within: 'distinct on (workspace_id)',
    from: "status = 'completed'",
    to: "(status = 'completed' or true)",
    why: 'a version has a number, or is the latest, only when it is completed (checks of the table); an index needs the condition',
  },
  {
    file: 'packages/server/src/adapters/db/postgres/snapshot.ts',
    within: "where state < 'completed'",
    from: "state < 'completed'",
    to: "(state < 'completed' or true)",
    why: 'a completed job is never run again; the condition only keeps backups small',
  },
  ...['as recent, lost_fields as lost, judgements', 'update programs set shadow_runs'].map((within) => ({
    file: 'packages/server/src/features/programs/program-runs.ts',
    within,
    from: 'workspace_id = $1',
    to: '(workspace_id = $1 or true)',
    why: 'the program is read and then changed, both only in its workspace: either condition is enough',
  })),
]

/** Test files whose tests do not need each other: only those that execute a statement run for it. */
const independent = /^test\/(batch-rows|fences|review-rows|row-states|workspaces)\.test\.ts$/

const { stdout: tracked } = git('ls-files', '--cached', '--others', '--exclude-standard')
const files = tracked.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
const allMutants = files.filter((file) => /^packages\/server\/src\/.*(?<!\.test)\.ts$/.test(file)).flatMap(mutantsOf)
const stale = equivalents.filter((one) => !allMutants.some((mutant) => isOf(one, mutant)))
if (stale.length > 0) throw new Error(`No such mutant: ${JSON.stringify(stale)}`)

const [shard = 1, shards = 1] = values.shard.split('/').map(Number)
const mutants = allMutants
  .filter(({ file, kind }) => file.startsWith(values.in) && (values.kind === undefined || kind === values.kind))
  .filter((_, place) => place % shards === shard - 1)
if (mutants.length === 0)
  throw new Error(`${values.in} has no condition to weaken${values.kind ? ` of kind ${values.kind}` : ''}`)
if (values.list) for (const mutant of mutants) console.log(nameOf(mutant))
else await run()

function mutantsOf(file) {
  const text = readFileSync(join(root, file), 'utf8')
  if (!/attempt|stat(us|e)|workspace_id|_at is null/.test(text)) return []
  const found = new Map()
  for (const literal of literalsOf(parseAst(text, { lang: 'ts' })))
    for (const { kind, pattern, weaken } of kinds) {
      const source = text.slice(literal.start, literal.end)
      for (const { 0: from, index } of `\0${source}`.matchAll(new RegExp(before + pattern, 'g'))) {
        const start = literal.start + index - 1
        const to = weaken(from)
        // A text within a text is found twice: the whole of it comes first.
        const place = `${start} ${to}`
        if (found.has(place)) continue
        found.set(place, {
          file,
          kind,
          line: text.slice(0, start).split('\n').length,
          from,
          to,
          pieces: literal.pieces,
          id: createHash('sha256').update([file, source, index, to].join('\0')).digest('hex').slice(0, 12),
          text: text.slice(0, start) + to + text.slice(start + from.length),
        })
      }
    }
  return [...found.values()].sort((a, b) => a.line - b.line)
}

/** The string literals of a syntax tree, each with the pieces of text between its `${…}`. */
function literalsOf(node) {
  if (node === null || typeof node !== 'object') return []
  const inner = Object.values(node).flatMap(literalsOf)
  const { type, start, end } = node
  if (type === 'TemplateLiteral')
    return [{ start, end, pieces: node.quasis.map(({ value }) => value.cooked) }, ...inner]
  return type === 'Literal' && typeof node.value === 'string' ? [{ start, end, pieces: [node.value] }, ...inner] : inner
}

function nameOf({ file, line, kind, from, to }) {
  return `${kind.padEnd(9)} ${file}:${line}  ${from}  →  ${to}`
}

/** Whether an entry of `equivalents` is about a mutant. */
function isOf(one, { file, from, to, pieces }) {
  return one.file === file && one.from === from && one.to === to && pieces.join(' ').includes(one.within)
}

async function run() {
  const copy = makeCopy()
  const known = readLines(values.results)
  const killed = new Map(known.filter(({ outcome }) => outcome === 'killed').map((result) => [result.id, result]))
  const { createVitest } = await import(join(copy, 'node_modules/vitest/dist/node.js'))
  process.chdir(copy)
  process.env.PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  // One database server for all runs.
  const options = { root: copy, watch: false, reporters: [{}], maxWorkers: 1, configLoader: 'native' }
  const vitest = await createVitest('test', { ...options, bail: 1 })
  process.exitCode = 1
  try {
    const trace = await readTrace(copy, vitest)
    /** How often a test file has killed a mutant of a folder. */
    const kills = new Map()
    const count = (mutant, killer) => {
      const pair = `${dirname(mutant.file)} ${killer}`
      kills.set(pair, (kills.get(pair) ?? 0) + 1)
    }
    const outcomes = []
    for (const [place, mutant] of mutants.entries()) {
      const equivalent = equivalents.find((one) => isOf(one, mutant))
      const done = equivalent ? { outcome: 'equivalent', why: equivalent.why } : killed.get(mutant.id)
      const result = done ?? (await checked(mutant))
      if (result.outcome === 'killed') count(mutant, result.by.file)
      if (values.results && !done)
        appendFileSync(values.results, `${JSON.stringify({ id: mutant.id, name: nameOf(mutant), ...result })}\n`)
      outcomes.push({ mutant, ...result })
      console.log(`${place + 1}/${mutants.length} ${result.outcome.padEnd(10)} ${nameOf(mutant)}`)
      if (!done) console.log(`    ${describe(result)}`)
    }
    const named = ['killed', 'equivalent', 'timed out', 'survived']
    const counts = named.map((name) => `${outcomes.filter(({ outcome }) => outcome === name).length} ${name}`)
    console.log(`\n${outcomes.length} mutants: ${counts.join(', ')}`)
    const open = outcomes.filter(({ outcome }) => outcome === 'survived' || outcome === 'timed out')
    for (const { mutant, ...result } of open) console.log(`${nameOf(mutant)}\n    ${describe(result)}`)
    if (open.length === 0) process.exitCode = 0

    async function checked(mutant) {
      const path = join(copy, mutant.file)
      const original = readFileSync(path, 'utf8')
      writeFileSync(path, mutant.text)
      vitest.invalidateFile(path)
      try {
        return await resultOf(copy, vitest, testsOf(mutant, trace, kills))
      } finally {
        writeFileSync(path, original)
        vitest.invalidateFile(path)
      }
    }
  } finally {
    await vitest.close()
    process.chdir(root)
  }
}

function describe({ outcome, why, by, tests }) {
  if (outcome === 'equivalent') return why
  if (outcome === 'survived') return `unnoticed by ${tests.join(', ') || 'any test: none executes this statement'}`
  return `by ${by.file} › ${by.test || 'a hook'}: ${by.error}`
}

function makeCopy() {
  const copy = mkdtempSync(join(tmpdir(), 'skillrun-mutations-'))
  // PostgreSQL runs as another user and reads its programs there.
  chmodSync(copy, 0o755)
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const file of files) cpSync(join(root, file), join(copy, file), { recursive: true })
  // Links between the packages are relative, so in the copy they lead to the copy.
  const { status } = spawnSync('cp', ['-al', join(root, 'node_modules'), join(copy, 'node_modules')])
  if (status !== 0)
    cpSync(join(root, 'node_modules'), join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  // Row-level security would back up every workspace condition.
  edit(join(copy, 'packages/server/src/adapters/db/postgres/row-scope.ts'), (text) =>
    text.replace('return { workspace: workspaceId, role }', 'return { ...allWorkspaces }'),
  )
  return copy
}

function edit(path, change) {
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  if (changed === text) throw new Error(`${path} has changed: say here how to edit it`)
  writeFileSync(path, changed)
  return () => writeFileSync(path, text)
}

function readLines(file) {
  if (file === undefined || !existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** The tests that pass, each with its duration and the statements that it executes; `test` is empty for hooks. */
async function readTrace(copy, vitest) {
  if (values.trace && existsSync(values.trace)) return readLines(values.trace)
  const log = join(copy, 'statements.log')
  const setup = join(copy, 'test/support/watch.setup.ts')
  const statement = join(copy, 'packages/server/src/adapters/db/postgres/statement.ts')
  const undo = [
    edit(statement, (text) =>
      text.replace(
        /(?=export async function runStatement)([\s\S]*?\): Promise<readonly Row\[\]> \{\n)/,
        `import { appendFileSync } from 'node:fs'
const traced = new Set<string>()
function trace(text: string): void {
  const line = JSON.stringify([process.env['TRACED_TEST'] ?? '', text])
  if (!traced.has(line)) appendFileSync(${JSON.stringify(log)}, line + '\\n')
  traced.add(line)
}
$1  trace(text)\n`,
      ),
    ),
    edit(
      setup,
      (text) => `import { beforeEach } from 'vitest'
${text}
beforeEach(({ task }) => {
  process.env['TRACED_TEST'] = task.fullTestName
  return () => delete process.env['TRACED_TEST']
})
`,
    ),
    // The servers that tests start have an environment of their own.
    edit(join(copy, 'test/support/server.ts'), (text) =>
      text.replace('env: { PATH,', `env: { TRACED_TEST: process.env['TRACED_TEST'] ?? '', PATH,`),
    ),
  ]
  const tests = files.filter(
    (file) =>
      /\.test\.ts$/.test(file) &&
      new RegExp(values.tests).test(file) &&
      !/^(bench|test\/(console|guides|chaos|embedded-upgrade))/.test(file) &&
      /makeDatabase|makeEmptyDatabase|open\w*(?:Service|Console|Inside|Cluster)\b|startServer/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
  )
  console.log(`tracing the statements of ${tests.length} test files`)
  const trace = []
  for (const test of tests) {
    const { failures, durations } = await runTests(copy, vitest, { file: test })
    if (failures.length > 0) {
      const [{ file, test, error }] = failures
      console.log(`${file} fails without any mutation and is not used: ${test}: ${error}`)
      continue
    }
    const byTest = Map.groupBy(readLines(log), ([name]) => name)
    for (const [name, ms] of [['', 0], ...durations])
      trace.push({ file: test, test: name, ms, statements: (byTest.get(name) ?? []).map(([, text]) => text) })
    rmSync(log, { force: true })
  }
  for (const one of undo) one()
  for (const path of [statement, setup]) vitest.invalidateFile(path)
  if (values.trace) writeFileSync(values.trace, trace.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return trace
}

/** The test files that execute the statement of a mutant, the most likely killer per second first. */
function testsOf({ file, pieces }, trace, kills) {
  const executes = (statement) => {
    let at = 0
    return pieces.every((piece) => {
      const found = statement.indexOf(piece, at)
      at = found + piece.length
      return found !== -1
    })
  }
  const folder = dirname(file)
  const cost = ({ file: test, ms }) => (ms + 1_000) / (1 + 4 * (kills.get(`${folder} ${test}`) ?? 0))
  return [...Map.groupBy(trace, (one) => one.file)]
    .flatMap(([file, all]) => {
      const needed = all.filter(({ statements }) => statements.some(executes))
      if (needed.length === 0) return []
      const isPart = independent.test(file) && needed.every(({ test }) => test !== '')
      const ms = (isPart ? needed : all).reduce((sum, one) => sum + one.ms, 0)
      return [{ file, ms, ...(isPart ? { names: needed.map(({ test }) => test) } : {}) }]
    })
    .sort((a, b) => cost(a) - cost(b))
    .slice(0, Number(values.files))
}

async function resultOf(copy, vitest, tests) {
  for (const test of tests) {
    const { failures } = await runTests(copy, vitest, test)
    if (failures.length === 0) continue
    const kill = failures.find((failure) => failure.test !== '' && !isTimeout(failure))
    if (kill) return { outcome: 'killed', by: kill }
    const [again] = (await runTests(copy, vitest, test)).failures
    if (again) return { outcome: isTimeout(again) ? 'timed out' : 'killed', by: again }
  }
  return { outcome: 'survived', tests: tests.map(({ file }) => file) }
}

function isTimeout({ error }) {
  return /timed out|Matcher did not succeed in time/.test(error)
}

/** Runs a test file, or the named tests of it. A failure without a test is one of a hook or of an import. */
async function runTests(copy, vitest, { file, names }) {
  const path = join(copy, file)
  const project = vitest.projects.find((one) => one.matchesTestGlob(path))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([
    project.createSpecification(path, names && { testNames: names }),
  ])
  // The result holds earlier runs as well.
  const testModule = testModules.find(({ moduleId }) => moduleId === path)
  const tests = [...testModule.children.allTests()].map((test) => ({
    test: test.fullName,
    ...test.result(),
    ...test.diagnostic(),
  }))
  const failed = tests.filter(({ state }) => state === 'failed')
  const ofHooks = [testModule, ...testModule.children.allSuites()].flatMap((suite) => suite.errors())
  const failures = [
    ...failed.map(({ test, errors }) => ({ file, test, error: firstLine(errors[0]) })),
    ...[...ofHooks, ...unhandledErrors].map((error) => ({ file, test: '', error: firstLine(error) })),
  ]
  return { failures, durations: tests.map(({ test, duration }) => [test, Math.round(duration ?? 0)]) }
}

/** The first line of an error, and whether it waited in vain. */
function firstLine({ message, cause }) {
  return [message, cause?.message ?? '']
    .map((text) => text.trim().split('\n')[0].slice(0, 300))
    .join(' ')
    .trim()
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}
