// Loaded before a server: its main module cannot be loaded, which shows when its database has started.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'

const pidFile = join(process.env.SKILLRUN_DATA, 'postgres', 'data', 'postmaster.pid')
const waitsMax = 1_000

function isDatabaseReady() {
  try {
    return readFileSync(pidFile, 'utf8').includes('ready')
  } catch {
    return false
  }
}

registerHooks({
  resolve(specifier, context, next) {
    const isServer = /^\.\/server(?:-.{8})?\.[jt]s$/.test(specifier)
    if (!isServer || !/\/(?:server-)?serve\.[jt]s$/.test(context.parentURL ?? '')) return next(specifier, context)
    for (let waits = 0; waits < waitsMax && !isDatabaseReady(); waits++)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    throw new Error('this part of the server is missing')
  },
})
