// Makes the client's types (packages/client/src/openapi.ts) and builds the client (packages/client/dist), each when it is missing or older than its source.
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, isNewer, runTool } from './built.mjs'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const folder = join(root, 'packages', 'client')
const description = join(root, 'openapi.json')
const types = join(folder, 'src', 'openapi.ts')
const generator = join(root, 'scripts', 'client-types.ts')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** Makes the types of the API when they are missing or older than openapi.json. */
export function ensureClientTypes() {
  if (!existsSync(description) || isNewer(types, () => [description, generator])) return
  runTool('types of the client', [generator, description, types])
}

/** Builds packages/client/dist when it is missing or out of date. Throws when the build fails; does nothing without the compiler. */
export function ensureClient() {
  ensureClientTypes()
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
