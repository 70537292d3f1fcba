import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'

/**
 * Runs benchmarks one after the other, each in a process of its own; each prints its table.
 *
 *     npm run bench                          the project's table: executions here beside the durable floor
 *     npm run bench -- --only table-peers    the same with the peers of bench/peers, which it installs
 *     npm run bench -- --only start,accuracy
 *     npm run bench -- --only all            all but table-peers; it takes long
 */
const benchmarks: Readonly<Record<string, readonly string[]>> = {
  start: ['bench/start.ts', '--runs', '5', '--json', 'bench/results/start.json'],
  accuracy: [
    'bench/accuracy.ts',
    ...['--split', 'kept-out', '--count', '30', '--variant', 'pdf', '--quiet'],
    ...['--json', 'bench/results/accuracy-kept-out.json'],
  ],
  'accuracy-scans': [
    'bench/accuracy.ts',
    ...['--split', 'kept-out', '--count', '6', '--variant', 'scan,noisy', '--quiet'],
    ...['--json', 'bench/results/accuracy-kept-out-scans.json'],
  ],
  'accuracy-fourth': [
    'bench/accuracy.ts',
    ...['--split', 'kept-out-4', '--count', '30', '--variant', 'pdf', '--quiet'],
    ...['--json', 'bench/results/accuracy-kept-out-4.json'],
  ],
  'accuracy-fourth-scans': [
    'bench/accuracy.ts',
    ...['--split', 'kept-out-4', '--count', '6', '--variant', 'scan', '--quiet'],
    ...['--json', 'bench/results/accuracy-kept-out-4-scans.json'],
  ],
  'accuracy-known': [
    'bench/accuracy.ts',
    ...['--split', 'known', '--first', '9000', '--count', '2', '--variant', 'pdf', '--quiet'],
    ...['--json', 'bench/results/accuracy-known.json'],
  ],
  'accuracy-known-scans': [
    'bench/accuracy.ts',
    ...['--split', 'known', '--first', '9000', '--count', '1', '--variant', 'scan', '--quiet'],
    ...['--json', 'bench/results/accuracy-known-scans.json'],
  ],
  'model-calls': ['bench/model-calls.ts'],
  'prefix-cache': ['bench/prefix-cache.ts'],
  'picture-run': ['bench/picture-run.ts'],
  'media-again': ['bench/media-again.ts'],
  sandbox: ['bench/sandbox.ts', '--json', 'bench/results/sandbox.json'],
  'program-drift': ['bench/program-drift.ts', '--json', 'bench/results/program-drift.json'],
  'program-drift-quiet': ['bench/program-drift.ts', '--quiet', '--json', 'bench/results/program-drift-quiet.json'],
  'program-speed': ['bench/program-speed.ts', '--json', 'bench/results/program-speed.json'],
  chat: ['bench/chat.ts'],
  takeover: ['bench/takeover.ts'],
  table: ['bench/table.ts', '--json', 'bench/results/table.json'],
  'table-peers': ['bench/table.ts', '--peers', '--seconds', '3', '--json', 'bench/results/table-peers.json'],
  steps: ['bench/steps.ts', '--json', 'bench/results/steps.json'],
  drift: ['bench/drift.ts', '--json', 'bench/results/drift.json'],
  reads: ['bench/reads.ts', '--json', 'bench/results/reads.json'],
  flood: ['bench/flood.ts'],
  scale: ['bench/scale.ts'],
  console: ['bench/console.ts', '--json', 'bench/results/console.json'],
  'skills-enabled': ['bench/skills-enabled.ts', '--json', 'bench/results/skills-enabled.json'],
  'skills-list': ['bench/skills-list.ts', '--json', 'bench/results/skills-list.json'],
  hostile: ['bench/hostile.ts', '--json', 'bench/results/hostile.json'],
  upload: ['bench/upload.ts', '--gib', '4', '--json', 'bench/results/upload.json'],
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
