import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

type Environment = Readonly<Record<string, string | undefined>>

/** The folder of this program. */
export const programFolder = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * The folder that the paths of a caller start from. `npm run` moves to the package's own folder first and leaves the
 * caller's in INIT_CWD.
 */
function callerFolder(environment: Environment): string {
  const throughNpm = environment['npm_lifecycle_event'] === 'skillrun' && environment['INIT_CWD']
  return throughNpm || process.cwd()
}

/** A path as the caller wrote it, made absolute. */
export const callerPath = (path: string, environment: Environment): string => resolve(callerFolder(environment), path)

/** The data folders that a server of this machine may use, the likeliest first. */
export function dataFolders(environment: Environment): readonly string[] {
  const named = environment['SKILLRUN_DATA']
  if (named) return [resolve(named)]
  return [
    ...new Set([process.cwd(), callerFolder(environment), programFolder].map((folder) => resolve(folder, '.skillrun'))),
  ]
}
