import { execFile } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { access, constants, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A bubblewrap that was seen to work on this machine. */
export interface Bubblewrap {
  readonly path: string
  /** It can keep what is within from making sandboxes, and so from much of the kernel; older ones cannot. */
  readonly endsNesting?: boolean
  /** It can give what is within a `/proc` of its own; in most containers it cannot, and there is none within. */
  readonly hasProc?: boolean
  /** It can bound what is written to a folder of memory; those before 0.7 cannot. */
  readonly boundsMemory?: boolean
  /** What is seen within of the system, read-only. */
  readonly system: readonly string[]
  /** Our own folders and files that lie in `system`, as they are named there: replaced by nothing. */
  readonly masked: Masked
}

/** Looks for bubblewrap; see `findBubblewrap`. */
export type FindBubblewrap = (
  as?: typeof stranger,
) => Promise<{ readonly found: Bubblewrap } | { readonly missing: string }>

interface Masked {
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

/** Another user than root, whom no limit on processes holds for: nobody that owns anything. Nothing where we are not root. */
export const stranger: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_533, gid: 65_533 } : {}

const probeMs = 5_000
/** What one may be able to do, the best first: bound memory (0.7), end nesting (0.8), mount `/proc` (not in most containers). */
const abilities = [
  [true, true, true],
  [true, false, true],
  [false, false, true],
  [true, true, false],
  [true, false, false],
  [false, false, false],
] as const
const remedy =
  'allow user namespaces to this user (on Ubuntu also by AppArmor; in a container, by the seccomp profile of deploy/ and without an AppArmor profile)'
/** Programs of the system, their libraries, and the modules of its interpreters. Not all of `/usr`: we may be installed there ourselves. */
const systemFolders = [
  ...['/usr/bin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/share/zoneinfo'],
  ...['/bin', '/lib', '/lib32', '/lib64', '/etc/alternatives', '/etc/ld.so.cache'],
]
/** Of what was added by hand: libraries, and modules of Python. */
const localFolder = '/usr/local/lib'
const localPattern = /^python3|\.so(\.|$)|-linux-(gnu|musl)/
const projectFolder = fileURLToPath(new URL('../../../../../', import.meta.url))

/**
 * Looks for bubblewrap and tries whether it can make a sandbox here. `missing` is one sentence that says why not and what
 * helps; nothing is thrown. `hidden` are folders and files that nothing within may see even if they lie among the system's
 * programs: the data folder first of all. Our own code, our home and the folder that we were started in are always hidden.
 */
export async function findBubblewrap({
  environment,
  hidden,
  as = {},
}: {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly hidden: readonly string[]
  readonly as?: typeof stranger
}): Promise<{ readonly found: Bubblewrap } | { readonly missing: string }> {
  if (process.platform !== 'linux') return { missing: 'bubblewrap is there for Linux alone' }
  const local = await readdir(localFolder).catch(() => [])
  const system = [
    ...systemFolders,
    ...local.filter((name) => localPattern.test(name)).map((name) => join(localFolder, name)),
  ]
  const own = [projectFolder, homedir(), process.cwd(), join(process.cwd(), '.env')]
  const masked = masksOf(system, [...hidden, ...own])
  const places = new Set(system.flatMap(realOf))
  if (hidden.flatMap(realOf).some((path) => places.has(path)))
    return { missing: 'the data folder is a folder of system programs: give SKILLRUN_DATA another one' }
  for (const folder of (environment['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, 'bwrap')
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (!isThere) continue
    for (const [boundsMemory, endsNesting, hasProc] of abilities) {
      const found = { path, system, masked, boundsMemory, endsNesting, hasProc }
      if (await works(found, as)) return { found }
    }
    return { missing: `bubblewrap is there, but cannot make a sandbox here: ${remedy}` }
  }
  return { missing: "bubblewrap is not installed: apt-get install bubblewrap, or your system's way" }
}

/** The names under which `hidden` would be seen within `system`. A folder may be seen by several: `/lib` is often `/usr/lib`. */
function masksOf(system: readonly string[], hidden: readonly string[]): Masked {
  const paths = hidden.flatMap(realOf)
  const names = system.flatMap((place) =>
    realOf(place).flatMap((real) =>
      paths
        .filter((path) => path.startsWith(`${real}/`))
        .map((path) => ({ at: place + path.slice(real.length), isFolder: statSync(path).isDirectory() })),
    ),
  )
  const folders = [...new Set(names.filter((name) => name.isFolder).map((name) => name.at))].sort()
  // What lies in a folder that is hidden is gone with it, and could not be mounted on any more.
  const isLeft = (at: string): boolean => !folders.some((folder) => at.startsWith(`${folder}/`))
  return {
    folders: folders.filter(isLeft),
    files: [...new Set(names.filter((name) => !name.isFolder).map((name) => name.at))].filter(isLeft),
  }
}

/** The path without links; none where nothing is there. */
function realOf(path: string): readonly string[] {
  try {
    return [realpathSync(resolve(path))]
  } catch {
    return []
  }
}

/** Whether a program is seen within without being named. */
export const isOfSystem = ({ system }: Bubblewrap, path: string): boolean =>
  system.some((place) => path.startsWith(`${place}/`))

async function works(bubblewrap: Bubblewrap, as: typeof stranger): Promise<boolean> {
  const [program = '', ...args] = wrapped(bubblewrap, ['/bin/true'], { readable: [], temporaryBytes: 4096 })
  return promisify(execFile)(program, args, { timeout: probeMs, env: {}, ...as }).then(
    () => true,
    () => false,
  )
}

/**
 * A command as it runs within: no network, no process but its own, no environment, nobody's rights, and for files the
 * system's programs and `readable` alone, read-only; what is written goes to memory and ends with it.
 */
export function wrapped(
  { path, endsNesting, hasProc, boundsMemory, system, masked }: Bubblewrap,
  command: readonly string[],
  {
    readable,
    mounts = [],
    temporaryBytes,
    keepsEnvironment = false,
  }: {
    readonly readable: readonly string[]
    readonly mounts?: readonly string[]
    /** What its `/tmp` may hold, where that can be bounded. */
    readonly temporaryBytes?: number
    /** It has the environment that bubblewrap was started with, which must hold nothing of ours. */
    readonly keepsEnvironment?: boolean
  },
): readonly string[] {
  return [
    path,
    '--unshare-all',
    '--unshare-user',
    ...(endsNesting ? ['--disable-userns'] : []),
    ...['--uid', '65534', '--gid', '65534'],
    '--die-with-parent',
    '--new-session',
    ...(keepsEnvironment ? [] : ['--clearenv']),
    ...['--cap-drop', 'ALL'],
    ...system.flatMap((folder) => ['--ro-bind-try', folder, folder]),
    // What is made under /dev would be memory without a bound.
    ...(hasProc ? ['--proc', '/proc'] : []),
    ...['--dev', '/dev', '--remount-ro', '/dev'],
    ...(boundsMemory && temporaryBytes !== undefined ? ['--size', String(temporaryBytes)] : []),
    ...['--tmpfs', '/tmp'],
    ...masked.folders.flatMap((folder) => ['--tmpfs', folder]),
    ...masked.files.flatMap((file) => ['--ro-bind', '/dev/null', file]),
    ...readable.flatMap((one) => ['--ro-bind', one, one]),
    ...mounts,
    ...masked.folders.flatMap((folder) => ['--remount-ro', folder]),
    ...['--remount-ro', '/', '--chdir', '/', '--'],
    ...command,
  ]
}
