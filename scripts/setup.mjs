// Runs before every npm script, on any Node from version 18: installs missing packages and makes the other scripts run
// on Node 24. Prints nothing and takes a few milliseconds when there is nothing to do.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ensureClient, ensureClientTypes } from './client.mjs'
import { ensureConsole } from './console.mjs'
import { ensureServer } from './server.mjs'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const modules = join(root, 'node_modules')
const linkedNode = join(modules, '.bin', 'node')
const packagedNode = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node')
const nodeMajorMin = 24
const lockPollMs = 200

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** True when node_modules matches package-lock.json: both npm's list of installed packages and the disk. */
function isInstalled() {
  const installed = readJson(join(modules, '.package-lock.json'))?.packages
  const wanted = readJson(join(root, 'package-lock.json'))?.packages
  if (wanted === undefined) throw new Error(`package-lock.json is missing in ${root}`)
  if (installed === undefined) return false
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue
    const found = installed[path]
    // Packages for other platforms are optional and skipped.
    if (found === undefined ? !entry.optional && !entry.peer : !isSame(found, entry)) return false
  }
  // A node_modules copied from another platform lacks what this one needs.
  const node = `node_modules/node-${process.platform}-${process.arch}`
  if (node in wanted && !(node in installed)) return false
  // The list alone would not show a deleted folder. Checking all folders takes a few milliseconds.
  return Object.keys(installed).every((path) => path in wanted && existsSync(join(root, path)))
}

const isSame = (found, entry) => found.version === entry.version && found.integrity === entry.integrity

/** npm empties the folder that it installs into; through a link, that would be another checkout's. */
function assertOwnModules() {
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() !== true || !existsSync(modules)) return
  throw new Error(
    `node_modules is a link to ${realpathSync(modules)}, which does not hold what package-lock.json asks for; ` +
      'remove the link, and start again to install here',
  )
}

function install() {
  assertOwnModules()
  // Standard output belongs to the command, so set-up messages go to standard error.
  console.error('Installing packages (npm ci); this happens once.')
  const npm = process.env.npm_execpath
  const [program, first] = npm?.endsWith('js') ? [process.execPath, [npm]] : ['npm', []]
  // No package may run install scripts; what they would do happens below and at the first start.
  const included = ['--include=dev', '--include=optional']
  // The machine's Node may be older than packages require; the project's own Node runs them.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const args = [...first, 'ci', '--ignore-scripts', ...included, ...quiet]
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['inherit', 2, 2] })
  if (status !== 0) throw new Error(`npm ci failed${error === undefined ? '' : ` (${error.message})`}; see above`)
}

/** Runs `work` while no other process on this machine installs into the same folder. */
async function alone(work) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `skillrun-setup-${name}.pid`)
  let said = false
  while (!take(lock)) {
    const holder = Number(readFileOrEmpty(lock))
    if (!isAlive(holder)) {
      rmSync(lock, { force: true })
      continue
    }
    if (!said) console.error(`Waiting for process ${holder}, which is installing packages or building.`)
    said = true
    await pause(lockPollMs)
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function readFileOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const runs = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** npm scripts find `node` in node_modules/.bin first, so it must run here and be new enough. */
function provideNode(fresh) {
  if (existsSync(linkedNode) && !fresh) return
  if (existsSync(packagedNode)) {
    chmodSync(packagedNode, 0o755)
    if (runs(packagedNode)) {
      if (!existsSync(linkedNode)) link()
      return
    }
  }
  // A Node that does not run here (another libc) would hide the machine's own.
  rmSync(linkedNode, { force: true })
  if (Number(process.versions.node.split('.')[0]) >= nodeMajorMin) return
  throw new Error(
    `Skillrun needs Node ${nodeMajorMin} or later, this is ${process.version}, and there is no packaged one for ` +
      `${process.platform} on ${process.arch}: install Node ${nodeMajorMin} (https://nodejs.org)`,
  )
}

function link() {
  mkdirSync(join(modules, '.bin'), { recursive: true })
  rmSync(linkedNode, { force: true })
  try {
    symlinkSync(join('..', `node-${process.platform}-${process.arch}`, 'bin', 'node'), linkedNode)
  } catch (error) {
    // Another process has just created it.
    if (error.code !== 'EEXIST') throw error
  }
}

/**
 * The server also works without the console, and says so at `/`, and from source; the client's build is for others, its types are for editors
 * and checks. With `--client`, as for checks, which read the others' source: the client alone.
 */
function build() {
  const others = process.argv.includes('--client') ? [] : [ensureConsole, ensureServer]
  for (const ensure of [ensureClientTypes, ensureClient, ...others]) {
    try {
      ensure()
    } catch (error) {
      console.error(error.message)
    }
  }
}

try {
  let fresh = false
  if (!isInstalled()) {
    await alone(() => {
      if (isInstalled()) return
      install()
      fresh = true
    })
  }
  provideNode(fresh)
  await alone(build)
} catch (error) {
  console.error(`${error.message}.`)
  process.exitCode = 1
}
