// Builds a folder beside its old build and puts the new one in its place. Plain JavaScript: it runs before anything is set up.
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const packagedNode = join(root, 'node_modules', '.bin', 'node')
const putTriesMax = 5

/** Whether a built file is there and no older than what it is made of. */
export function isNewer(built, sources) {
  if (!existsSync(built)) return false
  const builtMs = statSync(built).mtimeMs
  return sources().every((path) => statSync(path).mtimeMs <= builtMs)
}

/**
 * Runs a tool, whose arguments name the folder to build into, and moves what it built to `folder`/dist: nobody reads half a build,
 * and one that fails leaves the last one. `isBuilt` says whether a build is in its place.
 */
export function build({ what, folder, argumentsFor, isBuilt }) {
  const node = existsSync(packagedNode) ? packagedNode : process.execPath
  const fresh = join(folder, `dist-${process.pid}`)
  try {
    const { status, stdout, stderr, error } = spawnSync(node, argumentsFor(fresh), { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`The ${what} cannot be built: ${error?.message ?? `${stdout}${stderr}`}`)
    put(fresh, join(folder, 'dist'), isBuilt)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Several may build at once: whoever comes second finds the place taken, by the same. */
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
