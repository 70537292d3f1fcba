import { tmpdir } from 'node:os'
import {
  childProcessPoolDefaults,
  createChildProcessPool,
} from '../../packages/server/src/adapters/process-pool/child/child-process-pool.ts'
import { trialJob } from '../../packages/server/src/adapters/process-pool/testing/trial.ts'

/** A process for a test to kill: starts an endless loop in a child, and prints the child's id. */
const settings = { inputFolder: tmpdir(), bubblewrap: undefined }
const processPool = createChildProcessPool({ ...childProcessPoolDefaults, childrenMax: 1, ...settings })
const terms = { wallMs: 60_000, memoryMb: 1_000, signal: new AbortController().signal }
const { pid } = (await processPool.run(trialJob, { act: 'calls' }, terms)) as { pid: number }
process.send?.(pid)
await processPool.run(trialJob, { act: 'loop' }, terms)
