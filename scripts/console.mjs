// Builds the console where it has not been built, or is older than its source: a second or two, and else a few milliseconds.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const folder = join(root, 'console')
const dist = join(folder, 'dist')
const built = join(dist, 'index.html')
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
const putTriesMax = 5
const packagedNode = join(root, 'node_modules', '.bin', 'node')

/** Sees to it that console/dist is there and new. Throws where the build fails; a machine without the builder is left as it is. */
export function ensureConsole() {
  if (isBuilt() || !existsSync(vite) || !existsSync(folder)) return
  console.error('Building the console (console/dist); this happens when it changes.')
  const node = existsSync(packagedNode) ? packagedNode : process.execPath
  // Built beside and moved at the end: nobody reads half a build, and one that fails leaves the last one.
  const fresh = join(folder, `dist-${process.pid}`)
  try {
    const args = [vite, 'build', '--logLevel', 'warn', '--outDir', fresh, folder]
    const { status, stdout, stderr, error } = spawnSync(node, args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`The console cannot be built: ${error?.message ?? `${stdout}${stderr}`}`)
    put(fresh)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Moves a build to its place. Several may build at once: whoever comes second finds the place taken, by the same. */
function put(fresh) {
  for (let tries = 1; ; tries++) {
    rmSync(dist, { recursive: true, force: true })
    try {
      return renameSync(fresh, dist)
    } catch (error) {
      if (isBuilt()) return
      if (tries >= putTriesMax) throw error
    }
  }
}

function isBuilt() {
  if (!existsSync(built)) return false
  const builtMs = statSync(built).mtimeMs
  const sources = readdirSync(join(folder, 'src'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  return [...sources, join(folder, 'index.html'), join(folder, 'docs.html'), join(folder, 'vite.config.mjs')].every(
    (path) => statSync(path).mtimeMs <= builtMs,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureConsole()
