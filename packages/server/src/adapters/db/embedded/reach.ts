import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Account } from './account.ts'

const searchBit = 0o1

/** The topmost folder on the path to `folder`, inclusive, that `account` may not enter; undefined when there is none. */
export async function firstClosedFolder(folder: string, account: Account): Promise<string | undefined> {
  const way = [folder]
  for (let at = folder; dirname(at) !== at; at = dirname(at)) way.unshift(dirname(at))
  for (const step of way) {
    const { uid, gid, mode } = await stat(step)
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
    if (((mode >> shift) & searchBit) === 0) return step
  }
  return undefined
}
