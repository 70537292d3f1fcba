// `skillrun verify` of a capsule, offline: the whole process, beside a Node process that does nothing, and the check alone.
// `node bench/verify.ts [--runs 20]` prints medians in milliseconds, for a capsule of 4 kB and one with contents of 8 MB.
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { envelopeText, type PublishedKey, signEnvelope, verifyEnvelope, webKeyOf } from '../packages/core/src/dsse.ts'
import { median } from './measure.ts'
import { optionsOf } from './options.ts'
import { openFolder } from './place.ts'

const { runs } = optionsOf({ runs: 20 })
const type = 'application/vnd.in-toto+json'
const command = fileURLToPath(new URL('../packages/cli/skillrun.mjs', import.meta.url))
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const key: PublishedKey = {
  ...webKeyOf(publicKey.export({ format: 'der', type: 'spki' })),
  ...{ valid_from: '2026-01-01T00:00:00.000Z', valid_until: null, revoked_at: null },
}

await using folder = await openFolder('verify')
const { pathOf } = folder
await folder.write('keys.json', { keys: [key] })
// Loaded by each process; it writes the CPU time of the process to descriptor 3.
await writeFile(
  pathOf('count.cjs'),
  `process.on('exit', () => { const { user, system } = process.cpuUsage(); require('fs').writeSync(3, String((user + system) / 1000)) })`,
)

async function capsuleOf(bytes: number): Promise<string> {
  const contents = 'x'.repeat(bytes)
  const predicate = { signed_at: '2026-06-01T00:00:00.000Z', execution: { id: 'one', status: 'completed' }, contents }
  const statement = { _type: 'https://in-toto.io/Statement/v1', predicateType: 'urn:skillrun:execution:v1', predicate }
  const path = pathOf(`${bytes}.json`)
  await writeFile(
    path,
    envelopeText(signEnvelope(type, Buffer.from(JSON.stringify(statement)), { id: key.kid, privateKey })),
  )
  return path
}

interface Took {
  readonly ms: number
  readonly cpuMs: number
}

function run(...args: string[]): Took {
  const from = performance.now()
  const { status, output } = spawnSync(process.execPath, ['-r', pathOf('count.cjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  if (status !== 0) throw new Error(`ended with ${status}`)
  return { ms: performance.now() - from, cpuMs: Number(output[3]) }
}

async function check(path: string): Promise<Took> {
  const bytes = await readFile(path)
  const [from, before] = [performance.now(), process.cpuUsage()]
  verifyEnvelope(bytes, type, [key])
  const { user, system } = process.cpuUsage(before)
  return { ms: performance.now() - from, cpuMs: (user + system) / 1_000 }
}

const [small, large] = [await capsuleOf(4_000), await capsuleOf(8_000_000)]
await writeFile(pathOf('nothing.mjs'), '')
const kinds: Record<string, () => Took | Promise<Took>> = {
  'node that does nothing': () => run(pathOf('nothing.mjs')),
  'verify, 4 kB': () => run(command, 'verify', small, '--keys', pathOf('keys.json')),
  'verify, 8 MB': () => run(command, 'verify', large, '--keys', pathOf('keys.json')),
  'check alone, 4 kB': () => check(small),
  'check alone, 8 MB': () => check(large),
}
const took: Record<string, Took[]> = {}
// The first round fills caches.
for (let round = 0; round <= runs; round += 1)
  for (const [name, measure] of Object.entries(kinds)) {
    const one = await measure()
    if (round > 0) took[name] = [...(took[name] ?? []), one]
  }
const rounded = (numbers: readonly number[]): number => Math.round(median(numbers) * 10) / 10
const report = Object.entries(took).map(([what, all]) => ({
  what,
  ms: rounded(all.map(({ ms }) => ms)),
  cpuMs: rounded(all.map(({ cpuMs }) => cpuMs)),
}))
process.stdout.write(`${JSON.stringify({ runs, loadAverage: loadavg()[0], report }, null, 2)}\n`)
