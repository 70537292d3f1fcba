import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Has the child processes of servers on a new data folder load what was compiled once for the whole test run. Does nothing outside
 * of one: benchmarks open clusters too.
 */
export async function shareCompiled(dataFolder: string): Promise<void> {
  const compiled = process.env['COMPILED_FOR_CHILDREN']
  if (!compiled) return
  await mkdir(join(dataFolder, 'compiled'), { mode: 0o700 })
  await symlink(compiled, join(dataFolder, 'compiled', 'children'))
}
