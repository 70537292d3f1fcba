import { mkdirSync } from 'node:fs'
import module from 'node:module'
import { join, resolve } from 'node:path'

// The door in front of the front door: a start takes about half as long where what was compiled for the last one is kept. In the
// data folder, for what lies there is run; a start that cannot keep it goes on without. Plain JavaScript, since what strips types is
// itself larger than all that it would strip here.
function keepCompiled() {
  const dataFolder = resolve(process.env['SKILLRUN_DATA'] || '.skillrun')
  const folder = join(dataFolder, 'compiled')
  try {
    make(dataFolder, 0o711)
    make(folder, 0o700)
    module.enableCompileCache(folder)
  } catch {
    // Whatever is the matter with the folder is told by whoever needs it.
  }
}

/** Without its parents: told to make them too, `mkdirSync` never comes back from places such as /proc. */
function make(folder, mode) {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}

const usage = `Usage: npm start
Starts the server. It is set up by environment variables alone: see README.md.
The command line, for a server that runs: npm run skillrun -- --help
`
const [argument] = process.argv.slice(2)
if (argument === undefined) {
  keepCompiled()
  await import('./serve.ts')
} else if (argument === '--help' || argument === '-h') {
  process.stdout.write(usage)
} else {
  process.stderr.write(`skillrun: the server takes no arguments, and was given ${JSON.stringify(argument)}.\n${usage}`)
  process.exitCode = 2
}
