import { cpSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { linkTree } from './trees.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** A copy of this version, to be changed and run beside it. */
export interface OtherVersion extends AsyncDisposable {
  readonly folder: string
}

export async function copyVersion(): Promise<OtherVersion> {
  // On the disk of this version, for links to its dependencies: child processes may read only the folder of their version.
  const ignored = join(root, '.skillrun')
  await mkdir(ignored, { recursive: true })
  const folder = await mkdtemp(join(ignored, 'version-'))
  await cp(join(root, 'package.json'), join(folder, 'package.json'))
  cpSync(join(root, 'packages'), join(folder, 'packages'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  })
  await linkTree(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}
