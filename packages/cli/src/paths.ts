import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installation } from './installation.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The folder of this program. */
export const programFolder = fileURLToPath(installation.rootFolder)

/**
 * The folder that relative paths refer to. `npm run` changes to the package's folder and leaves the caller's in INIT_CWD.
 */
function callerFolder(environment: Environment): string {
  const throughNpm = environment['npm_lifecycle_event'] === 'skillrun' && environment['INIT_CWD']
  return throughNpm || process.cwd()
}

/** Makes a caller's path absolute. */
export const callerPath = (path: string, environment: Environment): string => resolve(callerFolder(environment), path)

/** Data folders that a server on this machine may use, the most likely first. */
export function dataFolders(environment: Environment): readonly string[] {
  const named = environment['SKILLRUN_DATA']
  if (named) return [resolve(named)]
  return [
    ...new Set([process.cwd(), callerFolder(environment), programFolder].map((folder) => resolve(folder, '.skillrun'))),
  ]
}
