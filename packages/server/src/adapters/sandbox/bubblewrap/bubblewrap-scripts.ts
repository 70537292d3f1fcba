import type { ChildProcess } from 'node:child_process'
import { statfsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { causeOfDeath, collect, startGroup, supervise } from '../../../core/child-process.ts'
import { residentBytes, withChildren } from '../../../core/resident-memory.ts'
import { type Bubblewrap, stranger, wrapped } from '../bubblewrap.ts'
import type { ScriptLimits, ScriptResult, ScriptRun, Scripts } from '../scripts.ts'
import { readProduced } from './produced-files.ts'
import { systemCallFilter } from './system-calls.ts'
import { tarOf } from './tar.ts'

export interface ScriptSettings {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly bubblewrap: Bubblewrap
}

const bytesPerMegabyte = 1024 * 1024
const memoryCheckMs = 50
/** Places within. */
const skillFolder = '/skill'
const workFolder = '/work'
const nodePlace = '/node'
/** Folders of memory in which a script may write. */
const writable = [workFolder, '/tmp', '/dev/shm', skillFolder]
/** Names in them together: the kernel keeps about a kilobyte for each, whatever it holds. */
const namesMax = 100_000

/**
 * Unpacks the bundle, says that it could, runs the script, ends whatever it left running, and gives out its folder: neither stream
 * is the script's.
 */
const runner = `tar -xf - -C ${skillFolder} --no-same-owner <&4 2>/dev/null && exec 4<&- && cd ${workFolder} && printf + >&3 || exit 1
"$@" 3>&-; code=$?
kill -9 -1 2>/dev/null
tar --format=ustar --sort=name -cf - . >&3 2>/dev/null
exit $code`

const filter = systemCallFilter()

/** Scripts in bubblewrap, within limits of prlimit and a filter of system calls. */
export function createBubblewrapScripts(settings: ScriptSettings): Scripts {
  return {
    run: async (run) => {
      run.signal.throwIfAborted()
      const bundle = tarOf(run.bundle)
      if (bundle === undefined)
        throw new Fault('invalid', 'script_unknown', 'A path of the skill is too long for a folder of scripts')
      return runWithin(settings, bundle, run)
    },
  }
}

const unknownScript = (path: string): Fault =>
  new Fault(
    'invalid',
    'script_unknown',
    `${JSON.stringify(path)} is no script of the skill; a script is a file ending in .py, .sh, .js or .mjs`,
  )

function interpreterOf(run: ScriptRun): readonly string[] {
  const { script, bundle } = run
  const isThere = bundle.some(({ path }) => path === script)
  const ending = /\.(py|sh|m?js)$/.exec(script)?.[1]
  if (!isThere || ending === undefined) throw unknownScript(script)
  if (ending === 'py') return ['/usr/bin/python3', '-B']
  return ending === 'sh' ? ['/bin/sh'] : [nodePlace, `--max-old-space-size=${run.limits.memoryMb}`]
}

function commandOf({ bubblewrap }: ScriptSettings, bundleBytes: number, run: ScriptRun): readonly string[] {
  const { limits } = run
  const interpreter = interpreterOf(run)
  const isNode = interpreter.includes(nodePlace)
  const bounds = [
    `--cpu=${limits.cpuSeconds}`,
    // Node sets more aside than it uses; it keeps a bound of its own.
    ...(isNode ? [] : [`--data=${limits.memoryMb * bytesPerMegabyte}`]),
    `--nproc=${limits.processesMax}`,
    `--fsize=${limits.diskMb * bytesPerMegabyte}`,
    '--nofile=256',
    '--core=0',
  ]
  const script = [...interpreter, `${skillFolder}/${run.script}`, ...run.arguments]
  const command = ['/bin/sh', '-c', runner, 'sh', '/usr/bin/prlimit', ...bounds, '--', ...script]
  const variables = { PATH: '/usr/bin:/bin', HOME: workFolder, TMPDIR: '/tmp', LANG: 'C.UTF-8', TZ: 'UTC' }
  return wrapped(bubblewrap, command, {
    readable: [],
    mounts: [
      ...(isNode ? ['--ro-bind', process.execPath, nodePlace] : []),
      ...['--size', String(bundleBytes + bytesPerMegabyte), '--tmpfs', skillFolder],
      ...['--size', String(limits.diskMb * bytesPerMegabyte), '--tmpfs', workFolder],
      ...['--size', String(limits.diskMb * bytesPerMegabyte), '--tmpfs', '/tmp'],
      ...['--size', String(limits.diskMb * bytesPerMegabyte), '--tmpfs', '/dev/shm'],
      ...(filter === undefined ? [] : ['--seccomp', '5']),
      ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ],
  })
}

async function runWithin(settings: ScriptSettings, bundle: Buffer, run: ScriptRun): Promise<ScriptResult> {
  const { limits, signal } = run
  const startedMs = settings.clock.monotonicMs()
  const child = startGroup(commandOf(settings, bundle.length, run), {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    ...stranger,
  })
  const bounds = {
    wallMs: limits.wallMs,
    overWall: () => new Fault('invalid', 'script_wall', `The script takes longer than ${limits.wallMs / 1000} seconds`),
    look: () => excessOf(child.pid, limits),
    lookMs: memoryCheckMs,
    signal,
  }
  const ended = await supervise<Ended>(child, bounds, ({ done, stop }) => {
    const onOver = (): void => stop(outputOver(limits))
    // A tar has a block for each name and rounds each file up.
    const tarBytesMax = limits.diskMb * bytesPerMegabyte * 2
    const [stdout, stderr, tar] = [limits.outputBytesMax, limits.outputBytesMax, tarBytesMax].map((bytesMax, index) =>
      collect(child.stdio[index + 1], bytesMax, onOver),
    ) as [() => Buffer, () => Buffer, () => Buffer]
    child.once('close', (code, given) => {
      // The script's own processes cannot reach the one around them.
      if (given !== null && causeOfDeath(code, given) === 'outside') stop(notStarted())
      else done({ exitCode: code ?? 137, stdout: stdout(), stderr: stderr(), tar: tar() })
    })
    child.once('error', () => stop(notStarted()))
    feed(child, 0, run.stdin)
    feed(child, 4, bundle)
    feed(child, 5, filter ?? '')
    return undefined
  })
  if (ended.tar.length === 0) throw notStarted()
  const folder = ended.tar.subarray(1)
  // Whatever else the script did, its folder comes out, an empty one too.
  if (folder.length === 0)
    throw new Fault('invalid', 'script_killed', 'The script ended the process that it ran in, and its folder with it')
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

/** The limit that a running script has passed. */
function excessOf(pid: number | undefined, limits: ScriptLimits): Fault | undefined {
  const pids = pid === undefined ? [] : withChildren(pid)
  const resident = pids.reduce((sum, one) => sum + (residentBytes(one) ?? 0), 0)
  if (resident > limits.memoryMb * bytesPerMegabyte)
    return new Fault('invalid', 'script_memory', `The script takes more than ${limits.memoryMb} MB of memory`)
  if (namesWithin(pids) > namesMax)
    return new Fault('invalid', 'script_output', `The script makes more than ${namesMax} files and folders`)
  return undefined
}

const outputOver = ({ outputBytesMax }: ScriptLimits): Fault =>
  new Fault(
    'invalid',
    'script_output',
    `The script gives out more than ${outputBytesMax} bytes, or more files than it may`,
  )

const notStarted = (): Fault =>
  new Fault(
    'unavailable',
    'sandbox_unavailable',
    'No sandbox could be started for the script; nothing runs outside of one',
  )

/** Writes to one of the child's streams, whether or not it reads. */
function feed(child: ChildProcess, stream: 0 | 4 | 5, bytes: Buffer | string): void {
  const writable = (child.stdio as readonly unknown[])[stream] as Writable | null
  writable?.on('error', () => undefined)
  writable?.end(bytes)
}

/** Names in the folders that the last of these processes, which is within, may write in; 0 where it cannot be seen. */
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
