// Builds the server when its build is missing or older than its source: its thousand modules in a few files of JavaScript, which load in
// half the time. The server also runs without it, from source. Takes seconds, or a few milliseconds when up to date.
//   node scripts/server.mjs [FOLDER]
import { copyFileSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, isNewer } from './built.mjs'

const self = fileURLToPath(import.meta.url)
const root = resolve(self, '..', '..')
const folder = join(root, 'packages', 'server')
const list = join(folder, 'dist', 'list.json')
const builder = join(root, 'node_modules', 'rolldown', 'package.json')

/** Builds packages/server/dist when it is missing or out of date. Throws when the build fails; does nothing without the builder. */
export function ensureServer() {
  if (isBuilt() || !existsSync(builder) || !existsSync(folder)) return
  console.error('Building the server (packages/server/dist); this happens when it changes.')
  build({ what: 'server', folder, isBuilt, argumentsFor: (fresh) => [self, fresh] })
}

/** `main.mjs` asks the same before it uses the build. */
function isBuilt() {
  try {
    return isNewer(list, () => [
      self,
      ...JSON.parse(readFileSync(list, 'utf8')).sources.map((path) => join(folder, path)),
    ])
  } catch {
    // A source was deleted.
    return false
  }
}

/** The jobs of tests, which an image lacks. */
const testOnly = join('process-pool', 'testing')
/** These look for files beside their own. */
const external = ['@hyzyla/pdfium', 'pino', 'sharp', 'zxing-wasm']

async function compose(target) {
  const startedAt = new Date()
  const { rolldown } = await import('rolldown')
  const jobs = ['core', 'reader', 'server']
    .map((name) => join(root, 'packages', name, 'src'))
    .flatMap((from) => readdirSync(from, { recursive: true }).map((path) => join(from, path)))
    .filter((path) => path.endsWith('.job.ts') && !path.includes(testOnly))
  const child = join(folder, 'src', 'adapters', 'process-pool', 'child', 'entry.ts')
  const entries = new Map([join(folder, 'src', 'serve.ts'), child, ...jobs].map((path) => [path, nameOf(path)]))
  const sources = new Set([join(root, 'package-lock.json')])
  const made = await rolldown({
    input: Object.fromEntries([...entries].map(([path, name]) => [name, path])),
    platform: 'node',
    external: external.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [
      {
        name: 'addresses',
        transform(code, path) {
          if (!path.startsWith('/') || path.includes('/node_modules/')) return undefined
          sources.add(path)
          return code.includes('import.meta.url') ? { code: withAddresses(code, path, entries) } : undefined
        },
      },
    ],
  })
  await made.write({ dir: target, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  const files = readdirSync(target)
  keepPrevious(target)
  writeFileSync(
    join(target, 'list.json'),
    JSON.stringify({ sources: [...sources].map((path) => relative(folder, path)), files }),
  )
  // What was edited meanwhile may not be in it.
  utimesSync(join(target, 'list.json'), startedAt, startedAt)
}

/** A server that runs may load parts of the build before this one. */
function keepPrevious(target) {
  const { files } = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : { files: [] }
  for (const name of files)
    if (!existsSync(join(target, name))) copyFileSync(join(folder, 'dist', name), join(target, name))
}

/** `server-serve` of packages/server/src/serve.ts. All built files are in one folder. */
const nameOf = (path) =>
  relative(join(root, 'packages'), path)
    .replace(/\.ts$/, '')
    .replace(/[/\\]src[/\\]/, '-')
    .replaceAll(/[/\\.]/g, '-')

/** The address of another entry is that of its built file; every other address is relative to the source, as it was. */
function withAddresses(code, path, entries) {
  const own = relative(join(folder, 'dist'), path)
  return code.replaceAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)|import\.meta\.url/g, (_found, other) => {
    const name = other && entries.get(resolve(dirname(path), other))
    if (name) return `new URL('./${name}.js', import.meta.url)`
    const url = `new URL(${JSON.stringify(own)}, import.meta.url).href`
    return other ? `new URL('${other}', ${url})` : url
  })
}

if (process.argv[1] === self) await (process.argv[2] === undefined ? ensureServer() : compose(process.argv[2]))
