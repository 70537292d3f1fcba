import { link, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from './fault.ts'
import { newRandomId } from './ids.ts'
import { newKeyText, parseKeys } from './secret-keys.ts'

/** The key file of a data folder: one key per line, the current one first. */
export const keyFileOf = (dataFolder: string): string => join(dataFolder, 'secret.key')

/**
 * The keys of a data folder. Creates the file when it is missing; concurrent first starts end up with the same file. Throws
 * Fault `invalid` when the file contains no keys or other users can read it.
 */
export async function readKeyFile(dataFolder: string): Promise<readonly [Buffer, ...Buffer[]]> {
  const path = keyFileOf(dataFolder)
  if ((await readText(path)) === undefined) await writeNew(path, newKeyText(), (made) => link(made, path))
  return keysIn(path, (await readText(path)) ?? '')
}

/** Adds a new current key to the key file and returns its path. Throws as `readKeyFile`, and also when the file is missing. */
export async function rotateKeyFile(dataFolder: string): Promise<string> {
  const path = keyFileOf(dataFolder)
  const text = await readText(path)
  if (text === undefined)
    throw bad(path, 'does not exist; a server creates it at its first start, unless SKILLRUN_SECRET_KEY is set')
  keysIn(path, text)
  await writeNew(path, `${newKeyText()}\n${text.trim()}`, (made) => rename(made, path))
  return path
}

function keysIn(path: string, text: string): readonly [Buffer, ...Buffer[]] {
  const keys = parseKeys(text)
  if (!keys) throw bad(path, 'should contain 32 bytes in base64 per line, the current key first')
  return keys
}

/** The text of the file; undefined when it does not exist. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const file = await open(path)
    try {
      const { mode } = await file.stat()
      if ((mode & 0o077) !== 0) throw bad(path, `can be read by other users; run "chmod 600 ${path}"`)
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a complete file next to `path`; `place` then moves or links it there. */
async function writeNew(path: string, text: string, place: (made: string) => Promise<void>): Promise<void> {
  const made = `${path}.${newRandomId()}`
  const file = await open(made, 'wx', 0o600)
  try {
    await file.writeFile(`${text}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await place(made)
  } catch (error) {
    // Another process was faster: its key is used.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(made, { force: true })
  }
}

const bad = (path: string, what: string): Fault => new Fault('invalid', 'bad_key_file', `The key file ${path} ${what}.`)
