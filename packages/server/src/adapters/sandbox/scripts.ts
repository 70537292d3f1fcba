import { Fault } from '@skillrun/core/fault.ts'

/** Limits of one run of a script. */
export interface ScriptLimits {
  readonly wallMs: number
  /** CPU time of each of its processes in seconds. */
  readonly cpuSeconds: number
  /** Megabytes (2^20 bytes): the data segment of each process, and the resident memory of all together. */
  readonly memoryMb: number
  readonly processesMax: number
  /** Megabytes that it may write to each writable folder. */
  readonly diskMb: number
  /** Bytes of stdout and of stderr, each. */
  readonly outputBytesMax: number
  readonly filesMax: number
}

export interface ScriptFile {
  /** Relative path, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** An input of a script; `alias` is a second name of the same file. */
export interface ScriptInput extends ScriptFile {
  readonly alias?: string | undefined
}

/** Names of the folders for inputs and outputs in the working folder, as the environment of a script has them too. */
export const scriptFolders = { inputs: 'inputs', outputs: 'outputs' } as const

export interface ScriptRun {
  /** The files of the skill; the script gets its own copy in `/skill`. */
  readonly bundle: readonly ScriptFile[]
  /** Files that the script can read and not change, in `/work/inputs`. */
  readonly inputs: readonly ScriptInput[]
  /** A path of the bundle: `.py`, `.sh`, `.bash`, `.js`, `.mjs` or `.cjs`. */
  readonly script: string
  readonly arguments: readonly string[]
  readonly stdin: string
  readonly limits: ScriptLimits
  readonly signal: AbortSignal
}

export interface ScriptResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** Files in `/work` after the run, without the inputs: only regular files with safe names. */
  readonly files: readonly ScriptFile[]
  /** Reasons why other files are missing from `files`. */
  readonly leftOut: readonly string[]
  readonly ms: number
}

/**
 * Runs scripts of skills without network and environment. A script sees the system's programs read-only and writes to
 * folders in memory.
 *
 * `run` returns the result whatever the exit code. It throws Fault `script_wall`, `script_memory` or `script_output` for an
 * exceeded limit; `script_killed` when the script killed its own sandbox; `script_unknown` for a path that is not a script;
 * `interpreter_missing`, with the remedy, where the machine has nothing that runs it;
 * `scripts_unavailable`, with the remedy, where no sandbox can start, because scripts never run outside one;
 * `signal.reason` on abort.
 */
export interface Scripts {
  run(run: ScriptRun): Promise<ScriptResult>
}

/** A `Scripts` that rejects every run with this reason. */
export const refusedScripts = (because: string): Scripts => ({
  run: () => Promise.reject(new Fault('unsupported', 'scripts_unavailable', `Scripts cannot run here: ${because}`)),
})
