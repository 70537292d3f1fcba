import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { optionsOf } from './options.ts'
import { busyShare, busyShareMax } from './table/quiet.ts'

/**
 * Runs benchmarks one after the other, each in a separate process; each prints its table. Refuses to begin, and says that the figures
 * must not be published, when other work uses the machine: `--busy` measures all the same.
 *
 *     npm run bench                          the figures of an execution beside the durable floor, steps, start, reads and the queue:
 *                                            less than ten minutes
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
  'reader-floor': ['bench/reader-floor.ts'],
  flood: ['bench/flood.ts'],
  batch: ['bench/batch.ts', '10000', '900'],
  scale: ['bench/scale.ts'],
  console: ['bench/console.ts'],
  'skills-enabled': ['bench/skills-enabled.ts'],
  'skills-list': ['bench/skills-list.ts'],
  hostile: ['bench/hostile.ts'],
  upload: ['bench/upload.ts', '--gib', '4'],
}

/** What runs without `--only`. */
const usual = ['table', 'steps', 'start', 'reads', 'flood']

const values = optionsOf({ only: '', busy: false })
const all = Object.keys(benchmarks).filter((name) => name !== 'table-peers')
const chosen = values.only === 'all' ? all : values.only ? values.only.split(',') : usual
const unknown = chosen.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are all, ${Object.keys(benchmarks).join(', ')}\n`)
  process.exit(2)
}
const beganMs = performance.now()
let wasBusy = await lookAround()
if (wasBusy && !values.busy) {
  process.stderr.write(
    'Nothing was measured: stop the other work, or pass --busy for figures that only compare within one run.\n',
  )
  process.exit(1)
}
for (const name of chosen) {
  process.stdout.write(`\n== ${name}\n`)
  const child = spawn(process.execPath, [...(benchmarks[name] ?? [])], { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) process.exitCode = 1
  wasBusy = (await lookAround()) || wasBusy
}
const minutes = ((performance.now() - beganMs) / 60_000).toFixed(1)
process.stdout.write(
  `\n${minutes} minutes; ${wasBusy ? 'the machine was BUSY: publish none of these figures without those words' : 'the machine was quiet before and after each benchmark'}\n`,
)
if (wasBusy && !values.busy) process.exitCode = 1

/** Whether other work uses the machine now. */
async function lookAround(): Promise<boolean> {
  const share = await busyShare()
  if (share <= busyShareMax) return false
  process.stderr.write(`\nOther work uses ${Math.round(share * 100)} % of the CPU of this machine.\n`)
  return true
}
