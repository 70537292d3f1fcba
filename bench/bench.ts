import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'

/**
 * Runs benchmarks one after the other, each in a separate process; each prints its table.
 *
 *     npm run bench                          the main table: executions of this server and of the durable floor
 *     npm run bench -- --only table-peers    the same with the peers in bench/peers, which it installs
 *     npm run bench -- --only start,accuracy
 *     npm run bench -- --only all            all except table-peers; takes long
 */
const benchmarks: Readonly<Record<string, readonly string[]>> = {
  start: ['bench/start.ts', '--runs', '5'],
  accuracy: ['bench/accuracy.ts', '--split', 'known', '--first', '9000', '--count', '2'],
  'accuracy-scans': [
    'bench/accuracy.ts',
    '--split',
    'known',
    '--first',
    '9000',
    '--count',
    '1',
    '--variant',
    'scan,noisy',
  ],
  'accuracy-kept-out': ['bench/accuracy.ts', '--split', 'kept-out', '--count', '30'],
  'accuracy-kept-out-scans': ['bench/accuracy.ts', '--split', 'kept-out', '--count', '6', '--variant', 'scan,noisy'],
  'model-calls': ['bench/model-calls.ts'],
  'prefix-cache': ['bench/prefix-cache.ts'],
  'picture-run': ['bench/picture-run.ts'],
  'media-again': ['bench/media-again.ts'],
  delta: ['bench/delta.ts'],
  sandbox: ['bench/sandbox.ts'],
  bounds: ['bench/bounds.ts'],
  'program-drift': ['bench/program-drift.ts'],
  'program-drift-quiet': ['bench/program-drift.ts', '--quiet'],
  'program-speed': ['bench/program-speed.ts'],
  takeover: ['bench/takeover.ts'],
  table: ['bench/table.ts'],
  'table-peers': ['bench/table.ts', '--peers', '--seconds', '3'],
  steps: ['bench/steps.ts'],
  drift: ['bench/drift.ts'],
  reads: ['bench/reads.ts'],
  flood: ['bench/flood.ts'],
  batch: ['bench/batch.ts', '10000', '900'],
  scale: ['bench/scale.ts'],
  console: ['bench/console.ts'],
  'skills-enabled': ['bench/skills-enabled.ts'],
  'skills-list': ['bench/skills-list.ts'],
  hostile: ['bench/hostile.ts'],
  upload: ['bench/upload.ts', '--gib', '4'],
}

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const all = Object.keys(benchmarks).filter((name) => name !== 'table-peers')
const chosen = values.only === 'all' ? all : (values.only?.split(',') ?? ['table'])
const unknown = chosen.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are all, ${Object.keys(benchmarks).join(', ')}\n`)
  process.exit(2)
}
for (const name of chosen) {
  process.stdout.write(`\n== ${name}\n`)
  const child = spawn(process.execPath, [...(benchmarks[name] ?? [])], { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) process.exitCode = 1
}
