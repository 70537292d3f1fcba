import { execFile } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { access, constants, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installation } from '../../core/installation.ts'

/** A bubblewrap that works on this machine. */
export interface Bubblewrap {
  readonly path: string
  /** It can forbid nested user namespaces, and with them much of the kernel's attack surface. Before 0.8 it cannot. */
  readonly endsNesting?: boolean
  /** It can mount a new `/proc`. In most containers it cannot, and the sandbox has none. */
  readonly hasProc?: boolean
  /** It can limit the size of a tmpfs. Before 0.7 it cannot. */
  readonly boundsMemory?: boolean
  /** Paths of the system that are visible in the sandbox, read-only. */
  readonly system: readonly string[]
  /** Our own folders and files inside `system`, by their names there: hidden by empty mounts. */
  readonly masked: Masked
}

/** Looks for bubblewrap; see `findBubblewrap`. */
export type FindBubblewrap = (
  as?: typeof unprivilegedUser,
) => Promise<{ readonly found: Bubblewrap } | { readonly missing: string }>

interface Masked {
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

/** A user other than root, because process limits do not apply to root. It owns nothing. Empty when the server is not root. */
export const unprivilegedUser: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_533, gid: 65_533 } : {}

const probeMs = 5_000
/** [boundsMemory, endsNesting, hasProc], best first. */
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
/** The system's programs, libraries and interpreter modules. Not all of `/usr`: this server may be installed there. */
const systemFolders = [
  ...['/usr/bin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/share/zoneinfo'],
  ...['/bin', '/lib', '/lib32', '/lib64', '/etc/alternatives', '/etc/ld.so.cache'],
  // Fonts, and what LibreOffice needs beside its program.
  ...['/etc/fonts', '/usr/share/fonts', '/usr/share/fontconfig'],
  ...['/etc/libreoffice', '/usr/share/libreoffice', '/usr/share/liblangtag'],
]
/** Parts of /usr/local/lib: shared libraries and Python modules. */
const localFolder = '/usr/local/lib'
const localPattern = /^python3|\.so(\.|$)|-linux-(gnu|musl)/
const projectFolder = fileURLToPath(installation.rootFolder)

/**
 * Finds bubblewrap and checks that it can create a sandbox on this machine. `missing` is one sentence with the reason and
 * the remedy. `hidden` are folders and files that must stay invisible even inside the system's folders, above all the data
 * folder. Our own code, home folder and working directory are always hidden. Never throws.
 */
export async function findBubblewrap({
  environment,
  hidden,
  as = {},
}: {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly hidden: readonly string[]
  readonly as?: typeof unprivilegedUser
}): Promise<{ readonly found: Bubblewrap } | { readonly missing: string }> {
  if (process.platform !== 'linux') return { missing: 'bubblewrap needs Linux' }
  const local = await readdir(localFolder).catch(() => [])
  const system = [
    ...systemFolders,
    ...local.filter((name) => localPattern.test(name)).map((name) => join(localFolder, name)),
  ]
  const own = [projectFolder, homedir(), process.cwd(), join(process.cwd(), '.env')]
  const masked = masksOf(system, [...hidden, ...own])
  const places = new Set(system.flatMap(realOf))
  if (hidden.flatMap(realOf).some((path) => places.has(path)))
    return { missing: 'the data folder is a system folder: set SKILLRUN_DATA to another folder' }
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
    return { missing: `bubblewrap is installed, but cannot create a sandbox here: ${remedy}` }
  }
  return {
    missing: "bubblewrap is not installed: run `apt-get install bubblewrap`, or use your system's package manager",
  }
}

/** The names under which `hidden` appears inside `system`. A folder can have several: `/lib` is often a link to `/usr/lib`. */
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
  // The content of a hidden folder is hidden with it, and can no longer be a mount point.
  const isLeft = (at: string): boolean => !folders.some((folder) => at.startsWith(`${folder}/`))
  return {
    folders: folders.filter(isLeft),
    files: [...new Set(names.filter((name) => !name.isFolder).map((name) => name.at))].filter(isLeft),
  }
}

/** The path with links resolved; empty where nothing exists. */
function realOf(path: string): readonly string[] {
  try {
    return [realpathSync(resolve(path))]
  } catch {
    return []
  }
}

/** Whether a path is visible in the sandbox without being listed. */
export const isOfSystem = ({ system }: Bubblewrap, path: string): boolean =>
  system.some((place) => path.startsWith(`${place}/`))

async function works(bubblewrap: Bubblewrap, as: typeof unprivilegedUser): Promise<boolean> {
  const [program = '', ...args] = wrapped(bubblewrap, ['/bin/true'], { readable: [], temporaryBytes: 4096 })
  return promisify(execFile)(program, args, { timeout: probeMs, env: {}, ...as }).then(
    () => true,
    () => false,
  )
}

/**
 * The command line of a sandboxed program: no network, no other processes, no environment, no privileges, and read-only
 * access to the system's programs and `readable` only. Files that it writes are in memory and end with it.
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
    /** Size limit of `/tmp` in bytes, where `boundsMemory`. */
    readonly temporaryBytes?: number
    /** Keeps the environment that bubblewrap is started with, which must contain nothing of ours. */
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
    // /dev is read-only because a tmpfs there would have no size limit.
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
