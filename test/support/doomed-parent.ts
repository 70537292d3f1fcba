import { tmpdir } from 'node:os'
import {
  childProcessPoolDefaults,
  createChildProcessPool,
} from '../../packages/server/src/adapters/process-pool/child/child-process-pool.ts'
import { trialJob } from '../../packages/server/src/adapters/process-pool/testing/trial.ts'
import { findBubblewrap } from '../../packages/server/src/adapters/sandbox/bubblewrap.ts'

/** A process for a test to kill: starts an endless loop in a child, in bubblewrap if asked to, and sends the id that the child has for itself. */
const looked = await findBubblewrap({ environment: process.env, hidden: [] })
const isIn = process.argv.includes('bubblewrap') && 'found' in looked
const settings = { inputFolder: tmpdir(), bubblewrap: isIn ? looked.found : undefined }
const processPool = createChildProcessPool({ ...childProcessPoolDefaults, childrenMax: 1, ...settings })
const terms = { wallMs: 60_000, memoryMb: 1_000, signal: new AbortController().signal }
const { pid } = (await processPool.run(trialJob, { act: 'calls' }, terms)) as { pid: number }
process.send?.(pid)
await processPool.run(trialJob, { act: 'loop' }, terms)
