import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** An interpreter of scripts. */
export interface ScriptInterpreter {
  readonly path: string
  /** Folders that it needs besides those of the system, shown read-only in the sandbox. */
  readonly folders: readonly string[]
}

/** An interpreter, or one sentence with the reason why there is none and the remedy. */
export type FoundInterpreter = { readonly found: ScriptInterpreter } | { readonly missing: string }

const systemPython = '/usr/bin/python3'
/** Prefixes whose programs and libraries every sandbox shows. */
const systemPrefixes = ['/usr', '/']
/** Of this prefix a sandbox shows the Python libraries, and not the programs. */
const localPrefix = '/usr/local'

/**
 * The Python of scripts: `SKILLRUN_PYTHON`, an interpreter or the folder of a virtual environment, or that of the system.
 * `hidden` are paths that it must not show. Every user must be able to read its folder.
 */
export function findPython({
  setting,
  hidden = [],
}: {
  readonly setting: string | undefined
  readonly hidden?: readonly string[]
}): FoundInterpreter {
  if (!setting)
    return isProgram(systemPython)
      ? { found: { path: systemPython, folders: [] } }
      : { missing: 'python3 is not installed: run `apt-get install python3`, or set SKILLRUN_PYTHON' }
  const named = `SKILLRUN_PYTHON is ${JSON.stringify(setting)}`
  const path = interpreterAt(resolve(setting))
  if (path === undefined)
    return {
      missing: `${named}, which is neither a Python interpreter nor the folder of an environment: set it to one of them, such as /opt/skills-python`,
    }
  const folders = [...new Set([path, realpathSync(path)].flatMap(foldersOf))]
  const covered = folders.flatMap((folder) =>
    hidden.filter((one) => one === folder || one.startsWith(`${folder}/`)).map((one) => ({ folder, one })),
  )[0]
  return covered
    ? {
        missing: `${named}, but its folder ${covered.folder} contains ${covered.one}, which scripts must not see: set it to an environment elsewhere`,
      }
    : { found: { path, folders } }
}

function interpreterAt(place: string): string | undefined {
  const candidates = isFolder(place) ? [join(place, 'bin', 'python3'), join(place, 'bin', 'python')] : [place]
  return candidates.find(isProgram)
}

function foldersOf(interpreter: string): readonly string[] {
  const prefix = dirname(dirname(interpreter))
  if (systemPrefixes.includes(prefix)) return []
  return [prefix === localPrefix ? dirname(interpreter) : prefix]
}

/** The shell of scripts that end in `.sh`. */
export const shell: string = ['/usr/bin/bash', '/bin/bash'].find(isProgram) ?? '/bin/sh'

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
