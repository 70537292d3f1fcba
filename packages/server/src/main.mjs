import { mkdirSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// Enables Node's compile cache before anything else is loaded, which halves the start time. It is in the data folder because
// its content is executed. A start without it works too. Plain JavaScript: loading the TypeScript support would cost more than
// the cache saves here.
function keepCompiled() {
  const dataFolder = resolve(process.env['SKILLRUN_DATA'] || '.skillrun')
  const folder = join(dataFolder, 'compiled')
  try {
    make(dataFolder, 0o711)
    make(folder, 0o700)
    module.enableCompileCache(folder)
  } catch {
    // A broken data folder is reported later, by the code that needs it.
  }
}

/** Without `recursive`, with which `mkdirSync` never returns in places such as /proc. */
function make(folder, mode) {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}

/**
 * Whether the build of scripts/server.mjs is there and no source is newer. Without it the server runs from source, with a thousand
 * modules to load.
 */
function isBuilt() {
  try {
    const list = join(builtFolder, 'list.json')
    const builtMs = statSync(list).mtimeMs
    const { sources } = JSON.parse(readFileSync(list, 'utf8'))
    return sources.every((path) => statSync(join(builtFolder, '..', path)).mtimeMs <= builtMs)
  } catch {
    return false
  }
}

const builtFolder = fileURLToPath(new URL('../dist', import.meta.url))
const usage = `Usage: npm start
Starts the server. It is set up by environment variables alone: see README.md.
The command line, for a server that runs: npm run skillrun -- --help
`
const [argument] = process.argv.slice(2)
if (argument === undefined) {
  keepCompiled()
  if (isBuilt()) await import(pathToFileURL(join(builtFolder, 'server-serve.js')).href)
  else await import('./serve.ts')
} else if (argument === '--help' || argument === '-h') {
  process.stdout.write(usage)
} else {
  process.stderr.write(`skillrun: the server takes no arguments, and was given ${JSON.stringify(argument)}.\n${usage}`)
  process.exitCode = 2
}
