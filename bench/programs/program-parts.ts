import { tmpdir } from 'node:os'
import { systemClock } from '../../packages/core/src/clock.ts'
import {
  childProcessPoolDefaults,
  createChildProcessPool,
} from '../../packages/server/src/adapters/process-pool/child/child-process-pool.ts'
import { findBubblewrap } from '../../packages/server/src/adapters/sandbox/bubblewrap.ts'
import {
  createQuickjsSandbox,
  quickjsSandboxDefaults,
} from '../../packages/server/src/adapters/sandbox/quickjs/quickjs-sandbox.ts'

/** What writing and running programs takes, isolated as in a server. */
export async function openProgramParts() {
  const found = await findBubblewrap({ environment: process.env, hidden: [] })
  const isolated = { bubblewrap: 'found' in found ? found.found : undefined }
  const sandbox = createQuickjsSandbox({ ...quickjsSandboxDefaults, clock: systemClock, ...isolated })
  const pool = { ...childProcessPoolDefaults, childrenMax: 2, inputFolder: tmpdir(), ...isolated }
  const processPool = createChildProcessPool(pool)
  const close = async (): Promise<void> => {
    await processPool.close()
    await sandbox.close()
  }
  return { sandbox, processPool, clock: systemClock, [Symbol.asyncDispose]: close }
}
