import { link, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from './fault.ts'
import { newRandomId } from './ids.ts'
import { newKeyText, parseKeys } from './secret-keys.ts'

/** The key file of a data folder: a key a line, the one in force first. */
export const keyFileOf = (dataFolder: string): string => join(dataFolder, 'secret.key')

/**
 * The keys in the key file of a data folder, which is made where it is not there: by one of several processes that start at
 * once. Fault `invalid` where it holds no keys, or others may read it.
 */
export async function readKeyFile(dataFolder: string): Promise<readonly [Buffer, ...Buffer[]]> {
  const path = keyFileOf(dataFolder)
  if ((await readText(path)) === undefined) await writeNew(path, newKeyText(), (made) => link(made, path))
  return keysIn(path, (await readText(path)) ?? '')
}

/** Puts a new key in front of those of the key file, and gives the path of the file. Fault as `readKeyFile`; also where there is none. */
export async function rotateKeyFile(dataFolder: string): Promise<string> {
  const path = keyFileOf(dataFolder)
  const text = await readText(path)
  if (text === undefined)
    throw bad(path, 'is not there; a server makes it at its first start, unless SKILLRUN_SECRET_KEY is set')
  keysIn(path, text)
  await writeNew(path, `${newKeyText()}\n${text.trim()}`, (made) => rename(made, path))
  return path
}

function keysIn(path: string, text: string): readonly [Buffer, ...Buffer[]] {
  const keys = parseKeys(text)
  if (!keys) throw bad(path, 'should hold 32 bytes in base64 on each line, the key in force first')
  return keys
}

/** Undefined where there is no such file. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const file = await open(path)
    try {
      const { mode } = await file.stat()
      if ((mode & 0o077) !== 0) throw bad(path, `may be read by others; run "chmod 600 ${path}"`)
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a whole file beside `path` and has `place` give it that name. */
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
    // Another process was first: its key is the one.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(made, { force: true })
  }
}

const bad = (path: string, what: string): Fault => new Fault('invalid', 'bad_key_file', `The key file ${path} ${what}.`)
