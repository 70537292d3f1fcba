import { readFileSync } from 'node:fs'
import { systemClock } from '../../packages/core/src/clock.ts'
import { findBubblewrap } from '../../packages/server/src/adapters/sandbox/bubblewrap.ts'
import {
  createQuickjsSandbox,
  quickjsSandboxDefaults,
} from '../../packages/server/src/adapters/sandbox/quickjs/quickjs-sandbox.ts'

// A process that runs a program in a sandbox, prints the ids of its descendants, and waits to be killed.
const looked =
  process.argv[2] === 'bubblewrap'
    ? await findBubblewrap({ environment: process.env, hidden: [] })
    : { missing: 'not asked for' }
const sandbox = createQuickjsSandbox({
  ...quickjsSandboxDefaults,
  clock: systemClock,
  bubblewrap: 'found' in looked ? looked.found : undefined,
})

const startedBy = (pid: number): number[] => {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return own.flatMap((child) => [child, ...startedBy(child)])
}

const limits = {
  wallMs: 600_000,
  cpuMs: 2_000,
  memoryMb: 48,
  outputBytesMax: 1_000,
  hostCallsMax: 10,
  consoleBytesMax: 1_000,
}
const source = `export default async function run(tools) {
  await tools.trial.tell()
  for (;;) {}
}`
const tell = async () => {
  process.send?.(startedBy(process.pid))
  return null
}
await sandbox
  .run({ source, input: null, host: { 'trial.tell': tell }, limits, nowMs: 0, signal: new AbortController().signal })
  .catch(() => undefined)
await new Promise(() => {})
