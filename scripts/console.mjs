// Builds the console when it is missing or older than its source. Takes a second or two, or a few milliseconds when up
// to date.
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, isNewer } from './built.mjs'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const folder = join(root, 'packages', 'console')
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')

/** Builds packages/console/dist when it is missing or out of date. Throws when the build fails; does nothing without the builder. */
export function ensureConsole() {
  if (isBuilt() || !existsSync(vite) || !existsSync(folder)) return
  console.error('Building the console (packages/console/dist); this happens when it changes.')
  build({
    what: 'console',
    folder,
    isBuilt,
    argumentsFor: (fresh) => [vite, 'build', '--logLevel', 'warn', '--outDir', fresh, folder],
  })
}

/** Parts of these are in the console. */
const sources = ['console/src', 'client/src', 'core/src', 'reader/src/layout', 'reader/src/values'].map(
  (name) => `packages/${name}`,
)

const isBuilt = () =>
  isNewer(join(folder, 'dist', 'index.html'), () => [
    // The skills that ship are bundled with the console.
    ...[...sources, 'skills'].flatMap((path) =>
      readdirSync(join(root, path), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
    ),
    ...['index.html', 'docs.html', 'vite.config.mjs'].map((name) => join(folder, name)),
  ])

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureConsole()
