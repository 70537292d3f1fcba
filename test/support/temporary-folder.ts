import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type afterAll, onTestFinished } from 'vitest'

/**
 * A temporary folder that is removed after the test, or with `afterAll` after those of the file. A concurrent test gives its own
 * `onTestFinished`: the general one may take another test's end for its own.
 */
export async function temporaryFolder(name: string, after: typeof afterAll | typeof onTestFinished = onTestFinished) {
  const folder = await mkdtemp(join(tmpdir(), `skillrun-${name}-`))
  // Killed processes may still write for a moment.
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
