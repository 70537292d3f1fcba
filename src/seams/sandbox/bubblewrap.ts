import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** A bubblewrap that was seen to work on this machine. */
export interface Bubblewrap {
  readonly path: string
  /** It can keep what is within from making sandboxes, and so from much of the kernel; older ones cannot. */
  readonly endsNesting?: boolean
}

/** Another user than root, whom no limit on processes holds for: nobody that owns anything. Nothing where we are not root. */
export const stranger: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_533, gid: 65_533 } : {}

const probeMs = 5_000
/** Where a program finds its libraries: read-only, and where they are links, what they lead to. */
const systemFolders = ['/usr', '/lib', '/lib64', '/bin', '/sbin', '/etc/alternatives', '/etc/ld.so.cache']

/**
 * Looks for bubblewrap and tries whether it can make a sandbox here, for this user or another. `missing` is one sentence that says why not and what
 * helps; nothing is thrown.
 */
export async function findBubblewrap(
  environment: Readonly<Record<string, string | undefined>>,
  as: typeof stranger = {},
): Promise<{ readonly found: Bubblewrap } | { readonly missing: string }> {
  if (process.platform !== 'linux') return { missing: 'bubblewrap is there for Linux alone' }
  for (const folder of (environment['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, 'bwrap')
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (!isThere) continue
    for (const found of [{ path, endsNesting: true }, { path }]) if (await works(found, as)) return { found }
    return { missing: 'bubblewrap is there, but cannot make a sandbox here: allow user namespaces on this machine' }
  }
  return { missing: "bubblewrap is not installed: apt-get install bubblewrap, or your system's way" }
}

async function works(bubblewrap: Bubblewrap, as: typeof stranger): Promise<boolean> {
  const [program = '', ...args] = wrapped(bubblewrap, ['/bin/true'], { readable: [] })
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
  { path, endsNesting }: Bubblewrap,
  command: readonly string[],
  { readable, mounts = [] }: { readonly readable: readonly string[]; readonly mounts?: readonly string[] },
): readonly string[] {
  return [
    path,
    '--unshare-all',
    '--unshare-user',
    ...(endsNesting ? ['--disable-userns'] : []),
    ...['--uid', '65534', '--gid', '65534'],
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    ...['--cap-drop', 'ALL'],
    ...systemFolders.flatMap((folder) => ['--ro-bind-try', folder, folder]),
    // What is made under /dev would be memory without a bound.
    ...['--proc', '/proc', '--dev', '/dev', '--remount-ro', '/dev', '--tmpfs', '/tmp'],
    ...readable.flatMap((one) => ['--ro-bind', one, one]),
    ...mounts,
    ...['--remount-ro', '/', '--chdir', '/', '--'],
    ...command,
  ]
}
