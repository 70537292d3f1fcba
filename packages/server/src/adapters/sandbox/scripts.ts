import { Fault } from '@skillrun/core/fault.ts'

/** What one run of a script may take. */
export interface ScriptLimits {
  readonly wallMs: number
  /** Seconds of computing, of each of its processes. */
  readonly cpuSeconds: number
  /** Megabytes (2^20 bytes): the data of each process, and the resident memory of all of them together. */
  readonly memoryMb: number
  readonly processesMax: number
  /** Megabytes that it may write in each of the folders that it has for that. */
  readonly diskMb: number
  /** Bytes of its output and of its errors, each. */
  readonly outputBytesMax: number
  readonly filesMax: number
}

export interface ScriptFile {
  /** From its folder, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface ScriptRun {
  /** The bundle that it is part of: a copy of its own in `/skill`. */
  readonly bundle: readonly ScriptFile[]
  /** A path of the bundle: `.py`, `.sh`, `.js` or `.mjs`. */
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
  /** What it left in its folder, `/work`: regular files whose names were checked. */
  readonly files: readonly ScriptFile[]
  /** What it left and was not taken, in words. */
  readonly leftOut: readonly string[]
  readonly ms: number
}

/**
 * Runs scripts of skills: no network, no environment, a read-only machine of which only the system's programs are seen, a
 * folder of memory to write in.
 *
 * `run` answers what came of it, whatever its exit code. It throws Fault `script_wall`, `script_memory` or `script_output` for
 * the limit that it met; `script_killed` when it ended what it ran in; `script_unknown` for a path that is no script; `scripts_unavailable`, with what helps, where this
 * machine cannot make a sandbox: nothing ever runs outside of one; `signal.reason` on abort.
 */
export interface Scripts {
  run(run: ScriptRun): Promise<ScriptResult>
}

/** Scripts where they cannot run: each is refused with the reason. */
export const refusedScripts = (because: string): Scripts => ({
  run: () => Promise.reject(new Fault('unsupported', 'scripts_unavailable', `Scripts cannot run here: ${because}`)),
})
