// Builds a folder beside its previous build and then swaps them. Plain JavaScript, as it runs before anything is
// installed.
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const packagedNode = join(root, 'node_modules', '.bin', 'node')
const nodeToUse = () => (existsSync(packagedNode) ? packagedNode : process.execPath)
const putTriesMax = 5

/** True when a built file exists and is not older than its sources. */
export function isNewer(built, sources) {
  if (!existsSync(built)) return false
  const builtMs = statSync(built).mtimeMs
  return sources().every((path) => statSync(path).mtimeMs <= builtMs)
}

/**
 * Runs a tool whose arguments name the output folder, and moves its output to `folder`/dist: no reader sees a partial
 * build, and a failed build keeps the previous one. `isBuilt` says whether a build is in place.
 */
export function build({ what, folder, argumentsFor, isBuilt }) {
  const fresh = join(folder, `dist-${process.pid}`)
  try {
    runTool(what, argumentsFor(fresh))
    put(fresh, join(folder, 'dist'), isBuilt)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Runs a tool on the project's Node; throws when it fails. */
export function runTool(what, args) {
  // A test's NODE_ENV would give a development build, with the paths of this machine in it.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, stdout, stderr, error } = spawnSync(nodeToUse(), args, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The ${what} cannot be built: ${error?.message ?? `${stdout}${stderr}`}`)
}

/** Concurrent builds are identical: when the place is taken, the other build stays. */
function put(fresh, place, isBuilt) {
  for (let tries = 1; ; tries++) {
    rmSync(place, { recursive: true, force: true })
    try {
      return renameSync(fresh, place)
    } catch (error) {
      if (isBuilt()) return
      if (tries >= putTriesMax) throw error
    }
  }
}
