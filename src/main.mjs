import { mkdirSync } from 'node:fs'
import module from 'node:module'
import { join, resolve } from 'node:path'

// The door in front of the front door: a start takes about half as long where what was compiled for the last one is kept. In the
// data folder, for what lies there is run; a start that cannot keep it goes on without. Plain JavaScript, since what strips types is
// itself larger than all that it would strip here.
try {
  const dataFolder = resolve(process.env['SKILLRUN_DATA'] || '.skillrun')
  const folder = join(dataFolder, 'compiled')
  mkdirSync(dataFolder, { recursive: true, mode: 0o711 })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  module.enableCompileCache(folder)
} catch {
  // Whatever is the matter with the folder is told by whoever needs it.
}
await import('./serve.ts')
