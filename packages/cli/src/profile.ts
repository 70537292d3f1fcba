import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject } from '@skillrun/core/json.ts'

/** The server and key saved by `skillrun login`. */
export interface Profile {
  readonly url?: string
  readonly key?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** The path of the profile, by the XDG Base Directory Specification: `$XDG_CONFIG_HOME` or `~/.config`. */
function profilePath(environment: Environment): string {
  const base = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config')
  return join(base, 'skillrun', 'config.json')
}

/** The saved server and key; empty without a profile. Throws Fault `invalid` when the file is malformed. */
export async function readProfile(environment: Environment): Promise<Profile> {
  const path = profilePath(environment)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR')
      return {}
    throw new Fault('invalid', 'bad_profile', `The profile ${path} cannot be read: ${(error as Error).message}`)
  }
  const value = parsed(text)
  if (!isJsonObject(value))
    throw new Fault(
      'invalid',
      'bad_profile',
      `The profile ${path} is not a JSON object; run "skillrun login" to write a new one`,
    )
  return {
    ...(typeof value['url'] === 'string' ? { url: value['url'] } : {}),
    ...(typeof value['key'] === 'string' ? { key: value['key'] } : {}),
  }
}

/** Saves a server and a key in a file that only its owner can read. Returns its path. */
export async function writeProfile(profile: Profile, environment: Environment): Promise<string> {
  const path = profilePath(environment)
  const half = `${path}.${process.pid}.half`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(half, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600 })
  await chmod(half, 0o600)
  await rename(half, path)
  return path
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
