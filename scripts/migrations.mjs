// Checks packages/server/migrations/checksums.txt, the list of migrations in the order in which they landed, in the
// format of sha256sum. Without arguments it exits with 1 when a listed file has changed or is missing, a file is not
// listed, numbers do not ascend, or the list does not start with every earlier version of itself in git: then a
// migration was inserted before a landed one, and databases created in between would be refused. --write appends new
// files. --in <folder> checks another checkout.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { write: { type: 'boolean' }, in: { type: 'string' } } })
const root = values.in ?? resolve(fileURLToPath(import.meta.url), '..', '..')
const folder = join(root, 'packages', 'server', 'migrations')
const listName = 'packages/server/migrations/checksums.txt'
/** The location of the list before the packages existed. */
const formerListName = 'migrations/checksums.txt'
const listFile = join(root, listName)

const files = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .sort()
const listed = existsSync(listFile) ? entriesIn(readFileSync(listFile, 'utf8')) : []

if (values.write) {
  const known = new Set(listed.map(({ file }) => file))
  const added = files.filter((file) => !known.has(file)).map((file) => ({ sha256: sha256Of(file), file }))
  writeFileSync(listFile, [...listed, ...added].map(({ sha256, file }) => `${sha256}  ${file}\n`).join(''))
  listed.push(...added)
}

/** Earlier migrations came before processes could be replaced one by one. */
const firstRolling = 60
/** Statements after which processes of the version before may fail, and the comment that admits it. */
const narrowing =
  /\b(?:drop\s+(?:table|column|default)|rename\s+(?:to|column)|set\s+not\s+null|alter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type)\b/i
const admission = /^-- Stops the version before: ./m

const problems = [...filesProblems(), ...orderProblems(), ...rollingProblems(), ...historyProblems()]
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0

function filesProblems() {
  const names = new Set(listed.map(({ file }) => file))
  return [
    ...files
      .filter((file) => !names.has(file))
      .map((file) => `migrations/${file} is not in ${listName}; run npm run migrations`),
    ...listed.flatMap(({ file, sha256 }) => {
      if (!files.includes(file)) return [`migrations/${file} has landed and is gone; restore it`]
      if (sha256Of(file) === sha256) return []
      return [`migrations/${file} is not the file that landed; restore it and write a new migration instead`]
    }),
  ]
}

function orderProblems() {
  return listed.flatMap(({ file }, index) => {
    const before = listed[index - 1]?.file
    if (before === undefined || numberOf(file) > numberOf(before)) return []
    return [`migrations/${file} comes after ${before} in ${listName}; give it a number above ${numberOf(before)}`]
  })
}

/** Migrations that running processes of the version before would not survive, and do not say so. */
function rollingProblems() {
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const statement = narrowing.exec(text.replaceAll(/--.*/g, ''))?.[0]
    if (numberOf(file) < firstRolling || statement === undefined || admission.test(text)) return []
    return [
      `migrations/${file} has "${statement}", which processes of the version before may not survive: add columns and tables only, ` +
        'or say what breaks in a line "-- Stops the version before: …" and in the changelog',
    ]
  })
}

/** Problems that only the history shows: a line inserted above landed lines. */
function historyProblems() {
  const commits = git('log', '--format=%H', '--', listName, formerListName)
  if (commits === undefined) return []
  for (const commit of commits.split('\n').filter(Boolean)) {
    const earlier = entriesIn(git('show', `${commit}:${listName}`) ?? git('show', `${commit}:${formerListName}`) ?? '')
    const at = earlier.findIndex(({ file, sha256 }, index) => {
      const now = listed[index]
      return now?.file !== file || now.sha256 !== sha256
    })
    if (at === -1) continue
    const landed = earlier.at(-1)?.file ?? ''
    return [
      `${listName} had ${earlier[at]?.file} on line ${at + 1} in commit ${commit.slice(0, 12)}, and has ${listed[at]?.file ?? 'nothing'} there now: ` +
        `leave what has landed as it was, and give new migrations numbers above ${numberOf(landed)}`,
    ]
  }
  return []
}

/** The output of a git command; undefined without git or a repository. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

function entriesIn(text) {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [sha256 = '', file = ''] = line.split('  ')
      return { sha256, file }
    })
}

function sha256Of(file) {
  // As the server computes it: a checkout with other line endings has the same checksum.
  const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
  return createHash('sha256').update(text).digest('hex')
}

function numberOf(file) {
  return Number(file.slice(0, 4))
}
