import type { ChildProcess } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Writable } from 'node:stream'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { causeOfDeath, collect, startGroup, supervise } from '../../../core/child-process.ts'
import { residentBytes, withChildren } from '../../../core/resident-memory.ts'
import { type Bubblewrap, unprivilegedUser, wrapped } from '../bubblewrap.ts'
import { type FoundInterpreter, type ScriptInterpreter, shell } from '../interpreters.ts'
import { type ScriptLimits, type ScriptResult, type ScriptRun, type Scripts, scriptFolders } from '../scripts.ts'
import { readProduced } from './produced-files.ts'
import { systemCallFilter } from './system-calls.ts'
import { tarOf } from './tar.ts'

export interface ScriptSettings {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly bubblewrap: Bubblewrap
  readonly python: FoundInterpreter
}

const bytesPerMegabyte = 1024 * 1024
const memoryCheckMs = 50
/** Paths inside the sandbox. */
const skillFolder = '/skill'
const workFolder = '/work'
const inputsFolder = `${workFolder}/${scriptFolders.inputs}`
const outputsFolder = `${workFolder}/${scriptFolders.outputs}`
/** The stream by which bubblewrap gets the list of users, and the first by which it gets an input. */
const usersStream = 6
const inputStreamMin = 7
/** Programs such as LibreOffice look up the user that they run as, and keep settings and caches in its home. */
const homeFolder = '/tmp'
const users = `nobody:x:65534:65534::${homeFolder}:/bin/sh\n`
const pageBytes = 4096
const nodePlace = '/node'
/** Folders in memory that a script can write to. */
const writable = [workFolder, '/tmp', '/dev/shm', skillFolder]
/** Files and folders in them together: the kernel needs about a kilobyte for each, whatever its content. */
const namesMax = 100_000

/**
 * Unpacks the bundle, reports success on stream 3, runs the script, kills what it left running, and writes its folder to
 * stream 3 as tar, without the inputs, which are a file system of their own. The script has access to neither stream 3 nor
 * stream 4.
 */
const runner = `tar -xf - -C ${skillFolder} --no-same-owner <&4 2>/dev/null && exec 4<&- && cd ${workFolder} && printf + >&3 || exit 1
"$@" 3>&-; code=$?
kill -9 -1 2>/dev/null
tar --format=ustar --sort=name --one-file-system -cf - . >&3 2>/dev/null
exit $code`

const filter = systemCallFilter()

/** Runs scripts in bubblewrap, with limits by prlimit and a filter of system calls. */
export function createBubblewrapScripts(settings: ScriptSettings): Scripts {
  return {
    run: async (run) => {
      run.signal.throwIfAborted()
      const bundle = tarOf(run.bundle)
      if (bundle === undefined)
        throw new Fault('invalid', 'script_unknown', 'A path of the skill is too long for a tar archive')
      return runWithin(settings, bundle, run)
    },
  }
}

const unknownScript = (path: string): Fault =>
  new Fault(
    'invalid',
    'script_unknown',
    `${JSON.stringify(path)} is not a script of the skill; a script is a file ending in .py, .sh, .bash, .js, .mjs or .cjs`,
  )

/** Throws Faults `script_unknown` and `interpreter_missing`. */
function interpreterOf({ python }: ScriptSettings, run: ScriptRun): ScriptInterpreter & { options: readonly string[] } {
  const { script, bundle } = run
  const isThere = bundle.some(({ path }) => path === script)
  const ending = /\.(py|sh|bash|[mc]?js)$/.exec(script)?.[1]
  if (!isThere || ending === undefined) throw unknownScript(script)
  if (ending === 'py') {
    if ('found' in python) return { ...python.found, options: ['-B'] }
    throw new Fault('unsupported', 'interpreter_missing', `This server has no Python for scripts: ${python.missing}`)
  }
  if (ending.endsWith('sh')) return { path: shell, folders: [], options: [] }
  return { path: nodePlace, folders: [], options: [`--max-old-space-size=${run.limits.memoryMb}`] }
}

function commandOf(settings: ScriptSettings, bundleBytes: number, run: ScriptRun): readonly string[] {
  const { limits, inputs } = run
  const { path: interpreter, options, folders } = interpreterOf(settings, run)
  const isNode = interpreter === nodePlace
  const bounds = [
    `--cpu=${limits.cpuSeconds}`,
    // Node reserves more address space than it uses; its heap limit bounds it instead.
    ...(isNode ? [] : [`--data=${limits.memoryMb * bytesPerMegabyte}`]),
    `--nproc=${limits.processesMax}`,
    `--fsize=${limits.diskMb * bytesPerMegabyte}`,
    '--nofile=256',
    '--core=0',
  ]
  const script = [interpreter, ...options, `${skillFolder}/${run.script}`, ...run.arguments]
  const command = ['/bin/sh', '-c', runner, 'sh', '/usr/bin/prlimit', ...bounds, '--', ...script]
  const inputBytes = inputs.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / pageBytes) * pageBytes, 0)
  const variables = {
    PATH: folders.length === 0 ? '/usr/bin:/bin' : `${dirname(interpreter)}:/usr/bin:/bin`,
    HOME: homeFolder,
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    // Modules of a bundle import each other from its root.
    PYTHONPATH: skillFolder,
    SKILLRUN_INPUTS: inputsFolder,
    SKILLRUN_OUTPUTS: outputsFolder,
  }
  return wrapped(settings.bubblewrap, command, {
    readable: [],
    mounts: [
      ...(isNode ? ['--ro-bind', process.execPath, nodePlace] : []),
      ...['--size', String(bundleBytes + bytesPerMegabyte), '--tmpfs', skillFolder],
      ...['--size', String(limits.diskMb * bytesPerMegabyte), '--tmpfs', workFolder],
      ...['--dir', outputsFolder],
      ...['--perms', '0444', '--file', String(usersStream), '/etc/passwd'],
      ...['--size', String(inputBytes + bytesPerMegabyte), '--tmpfs', inputsFolder],
      ...inputs.flatMap(({ path, alias }, index) => [
        ...['--perms', '0444', '--file', String(inputStreamMin + index), `${inputsFolder}/${path}`],
        ...(alias === undefined ? [] : ['--symlink', basename(path), `${inputsFolder}/${alias}`]),
      ]),
      ...['--remount-ro', inputsFolder],
      ...['--size', String(limits.diskMb * bytesPerMegabyte), '--tmpfs', '/tmp'],
      ...['--size', String(limits.diskMb * bytesPerMegabyte), '--tmpfs', '/dev/shm'],
      // After the folders in memory: an environment may lie below one of them.
      ...folders.flatMap((folder) => ['--ro-bind', folder, folder]),
      ...(filter === undefined ? [] : ['--seccomp', '5']),
      ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ],
  })
}

async function runWithin(settings: ScriptSettings, bundle: Buffer, run: ScriptRun): Promise<ScriptResult> {
  const { limits, signal } = run
  const startedMs = settings.clock.monotonicMs()
  const child = startGroup(commandOf(settings, bundle.length, run), {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', ...run.inputs.map(() => 'pipe' as const)],
    ...unprivilegedUser,
  })
  const bounds = {
    wallMs: limits.wallMs,
    overWall: () => new Fault('invalid', 'script_wall', `The script ran longer than ${limits.wallMs / 1000} seconds`),
    check: () => excessOf(child.pid, limits),
    checkMs: memoryCheckMs,
    signal,
  }
  const ended = await supervise<Ended>(child, bounds, ({ done, stop }) => {
    const onOver = (): void => stop(outputOver(limits))
    // The tar has a header for each file and pads each file to whole blocks.
    const tarBytesMax = limits.diskMb * bytesPerMegabyte * 2
    const [stdout, stderr, tar] = [limits.outputBytesMax, limits.outputBytesMax, tarBytesMax].map((bytesMax, index) =>
      collect(child.stdio[index + 1], bytesMax, onOver),
    ) as [() => Buffer, () => Buffer, () => Buffer]
    child.once('close', (code, given) => {
      // The script's own processes cannot kill the sandbox around them.
      if (given !== null && causeOfDeath(code, given) === 'outside') stop(notStarted())
      else done({ exitCode: code ?? 137, stdout: stdout(), stderr: stderr(), tar: tar() })
    })
    child.once('error', () => stop(notStarted()))
    feed(child, 0, run.stdin)
    feed(child, 4, bundle)
    feed(child, 5, filter ?? '')
    feed(child, usersStream, users)
    for (const [index, { bytes }] of run.inputs.entries()) feed(child, inputStreamMin + index, bytes)
    return undefined
  })
  if (ended.tar.length === 0) throw notStarted()
  const folder = ended.tar.subarray(1)
  // The runner always sends the folder, even an empty one, unless the script killed it.
  if (folder.length === 0)
    throw new Fault('invalid', 'script_killed', 'The script killed its own sandbox, so its files are lost')
  const { files, leftOut } = readProduced(folder, {
    filesMax: limits.filesMax,
    bytesMax: limits.diskMb * bytesPerMegabyte,
  })
  const text = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '')
  const ms = settings.clock.monotonicMs() - startedMs
  return { exitCode: ended.exitCode, stdout: text(ended.stdout), stderr: text(ended.stderr), files, leftOut, ms }
}

interface Ended {
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly tar: Buffer
}

/** The limit that a running script has exceeded. */
function excessOf(pid: number | undefined, limits: ScriptLimits): Fault | undefined {
  const pids = pid === undefined ? [] : withChildren(pid)
  const resident = pids.reduce((sum, one) => sum + (residentBytes(one) ?? 0), 0)
  if (resident > limits.memoryMb * bytesPerMegabyte)
    return new Fault('invalid', 'script_memory', `The script used more than ${limits.memoryMb} MB of memory`)
  if (namesWithin(pids) > namesMax)
    return new Fault('invalid', 'script_output', `The script created more than ${namesMax} files and folders`)
  return undefined
}

const outputOver = ({ outputBytesMax }: ScriptLimits): Fault =>
  new Fault(
    'invalid',
    'script_output',
    `The script wrote more than ${outputBytesMax} bytes of output, or more files than allowed`,
  )

const notStarted = (): Fault =>
  new Fault(
    'unavailable',
    'sandbox_unavailable',
    'No sandbox could be started for the script. Scripts never run outside a sandbox.',
  )

/** Writes to a stream of the child and ignores errors: the child need not read it. */
function feed(child: ChildProcess, stream: number, bytes: Uint8Array | string): void {
  const writable = (child.stdio as readonly unknown[])[stream] as Writable | null
  writable?.on('error', () => undefined)
  writable?.end(bytes)
}

/** Files and folders in `writable`, seen through the last of these processes, which is inside the sandbox; 0 if it cannot be read. */
function namesWithin(pids: readonly number[]): number {
  const within = pids.at(-1)
  if (within === undefined || pids.length < 3) return 0
  try {
    return writable.reduce((sum, folder) => {
      const { files, ffree } = statfsSync(`/proc/${within}/root${folder}`)
      return sum + files - ffree
    }, 0)
  } catch {
    return 0
  }
}
