// Builds the client (packages/client/dist) when it is missing or older than its source.
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, isNewer } from './built.mjs'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const folder = join(root, 'packages', 'client')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** Builds packages/client/dist when it is missing or out of date. Throws when the build fails; does nothing without the compiler. */
export function ensureClient() {
  if (isBuilt() || !existsSync(compiler) || !existsSync(folder)) return
  build({ what: 'client', folder, isBuilt, argumentsFor: (fresh) => [compiler, '-p', folder, '--outDir', fresh] })
}

const isBuilt = () =>
  isNewer(join(folder, 'dist', 'skillrun.js'), () =>
    readdirSync(join(folder, 'src'))
      .filter((name) => /\.(ts|json)$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => join(folder, 'src', name)),
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureClient()
