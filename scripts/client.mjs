// Builds the client (client/dist) where it has not been built, or is older than its source.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const folder = join(root, 'client')
const dist = join(folder, 'dist')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const putTriesMax = 5
const packagedNode = join(root, 'node_modules', '.bin', 'node')

/** Sees to it that client/dist is there and new. Throws where the build fails; a machine without the compiler is left as it is. */
export function ensureClient() {
  if (isBuilt() || !existsSync(compiler) || !existsSync(folder)) return
  const node = existsSync(packagedNode) ? packagedNode : process.execPath
  // Built beside and moved at the end: nobody reads half a build.
  const fresh = join(folder, `dist-${process.pid}`)
  try {
    const { status, stdout, stderr, error } = spawnSync(node, [compiler, '-p', folder, '--outDir', fresh], {
      cwd: root,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`The client cannot be built: ${error?.message ?? `${stdout}${stderr}`}`)
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
  const built = join(dist, 'skillrun.js')
  if (!existsSync(built)) return false
  const builtMs = statSync(built).mtimeMs
  return readdirSync(folder)
    .filter((name) => /\.(ts|json)$/.test(name) && !name.endsWith('.test.ts'))
    .every((name) => statSync(join(folder, name)).mtimeMs <= builtMs)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureClient()
