// The fast gate before each commit: prints one line per step, and the output of each step that fails.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const bin = join(root, 'node_modules', '.bin')
const node = existsSync(join(bin, 'node')) ? join(bin, 'node') : process.execPath

const unitTests = {
  name: 'unit tests',
  program: node,
  args: [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--configLoader=native',
    '--project=unit',
    '--maxWorkers=2',
  ],
}
/** Types again of what changed since the last check. Several checkers would each check what files share, and the tests need the other cores. */
const typesOf = (name, ...args) => [
  '--noEmit',
  '--checkers',
  '1',
  '--incremental',
  '--tsBuildInfoFile',
  join(root, 'node_modules', '.cache', 'skillrun', `${name}.tsbuildinfo`),
  ...args,
]
const others = [
  { name: 'format and lint', program: join(bin, 'biome'), args: ['check', '.'] },
  { name: 'types', program: join(bin, 'tsc'), args: typesOf('all') },
  { name: 'types of the console', program: join(bin, 'tsc'), args: typesOf('console', '-p', 'packages/console') },
  { name: 'dead code', program: join(bin, 'knip'), args: [] },
  { name: 'migrations', program: node, args: [join(root, 'scripts', 'migrations.mjs')] },
  { name: 'OpenAPI unchanged', program: node, args: [join(root, 'scripts', 'openapi.ts'), '--check'] },
]

const columns = Math.max(...[unitTests, ...others].map((step) => step.name.length))

// The tests wait for deadlines and connections now and then: the other steps run beside them.
await Promise.all([check(unitTests), checkInTurn()])

async function checkInTurn() {
  for (const step of others) await check(step)
}

async function check(step) {
  const startMs = performance.now()
  const { code, output } = await run(step)
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'failed'}  ${step.name.padEnd(columns)}  ${seconds.padStart(5)} s`)
  if (code === 0) return
  console.log(output.trimEnd())
  process.exitCode = 1
}

function run({ program, args }) {
  return new Promise((resolve) => {
    // The tools' `node` must be the project's, however this script was started.
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const collect = (bytes) => {
      output += bytes
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
