// Starts the server of this tree as `npm start` does, with this environment, and ends it once it is ready.
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

const main = join(resolve(import.meta.dirname, '..', '..'), 'packages', 'server', 'src', 'main.mjs')
const server = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] })
let said = ''
let isReady = false
server.stdout.on('data', (part) => {
  process.stdout.write(part)
  said += part
  if (isReady || !/Skillrun (router )? *http:\S+|worker is at work/.test(said)) return
  isReady = true
  server.kill('SIGTERM')
})
server.on('close', (code) => {
  process.exitCode = isReady ? (code ?? 1) : 1
})
