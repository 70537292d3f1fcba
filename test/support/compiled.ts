import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'

/** Has the child processes of servers on a new data folder load what was compiled once for the whole run. */
export async function shareCompiled(dataFolder: string): Promise<void> {
  await mkdir(join(dataFolder, 'compiled'), { mode: 0o700 })
  await symlink(inject('compiledForChildren'), join(dataFolder, 'compiled', 'children'))
}
