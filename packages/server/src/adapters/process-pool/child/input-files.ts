import { constants, copyFile, link, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The input of a job as its child gets it. */
export interface GivenInput {
  readonly input: unknown
  /** Removes the files. */
  release(): Promise<void>
}

/** Links the files at `places` of the input into the folder of a child, and replaces their paths in the input. */
export async function giveFiles(folder: string, input: unknown, places: readonly string[]): Promise<GivenInput> {
  const given: string[] = []
  const release = async (): Promise<void> => {
    for (const path of given) await rm(path, { force: true })
  }
  const give = async (path: string): Promise<string> => {
    const own = join(folder, String(given.length))
    given.push(own)
    await putFile(path, own)
    return own
  }
  try {
    let named = input
    for (const place of places) named = await replaced(named, place.split('.'), give)
    return { input: named, release }
  } catch (error) {
    await release()
    throw error
  }
}

/** A hard link, which costs the same for large files; a copy where the file system or the owner forbids links. */
async function putFile(path: string, own: string): Promise<void> {
  try {
    await link(path, own)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    await copyFile(path, own, constants.COPYFILE_FICLONE)
  }
}

async function replaced(
  value: unknown,
  [name, ...rest]: readonly string[],
  give: (path: string) => Promise<string>,
): Promise<unknown> {
  if (name === undefined) {
    if (typeof value === 'string') return give(value)
    if (!Array.isArray(value)) return value
    const all: unknown[] = []
    for (const one of value) all.push(await replaced(one, [], give))
    return all
  }
  if (typeof value !== 'object' || value === null || !(name in value)) return value
  return { ...value, [name]: await replaced((value as Record<string, unknown>)[name], rest, give) }
}
