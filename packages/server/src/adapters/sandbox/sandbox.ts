import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'

/** Limits of one run of a program. */
export interface SandboxLimits {
  /** Wall time in milliseconds, including host calls, from the moment a child takes the program. */
  readonly wallMs: number
  /** CPU time of the program in milliseconds. */
  readonly cpuMs: number
  /** Megabytes (2^20 bytes) of the program's own memory. */
  readonly memoryMb: number
  /** Bytes of JSON that it may return, or pass to one host call. */
  readonly outputBytesMax: number
  readonly hostCallsMax: number
  readonly consoleBytesMax: number
}

/** The functions that a program can call. `document.read` is `tools.document.read(…)` in the program. */
export type SandboxHost = Readonly<Record<string, (...input: readonly Json[]) => Promise<Json>>>

export interface SandboxRun {
  /** TypeScript with erasable syntax, or JavaScript: `export default async function run(tools, inputs) { … }`. */
  readonly source: string
  /** The value of the parameter `inputs`. */
  readonly input: Json
  readonly host: SandboxHost
  readonly limits: SandboxLimits
  /** The program's clock, in milliseconds since 1970. It does not advance, and `Math.random` starts from a fixed seed. */
  readonly nowMs: number
  readonly signal: AbortSignal
}

/** What was recorded of a run: one line per console call, the number of host calls, and its wall time in milliseconds. */
export type SandboxTrace = Readonly<{ console: readonly string[]; hostCalls: number; ms: number }>

/**
 * Runs untrusted programs. Each has its own realm, which is discarded afterwards and contains only the language, `tools` and `inputs`.
 *
 * `run` returns the program's value. It throws ProgramFailed for failures of the program; Fault `sandbox_unavailable` where no sandbox can
 * start, because programs never run outside one; `signal.reason` on abort. A Fault thrown by a host function becomes an error in the
 * program; any other error ends the run and is rethrown. When `run` settles, no host call is in progress, unless it ended by `signal` or
 * the wall limit.
 */
export interface Sandbox {
  run(run: SandboxRun): Promise<SandboxTrace & { readonly value: Json }>
  close(): Promise<void>
}

/**
 * A program that failed. Codes: `program_syntax`, `program_error` (it threw), `program_nothing` (it returned undefined),
 * `program_result` (the value is not JSON), `program_stuck` (it awaits a promise that nothing will settle), and one per limit:
 * `program_wall`, `program_cpu`, `program_memory`, `program_output`, `program_host_calls`, `program_console`. `line` is the
 * line in the program's source, from 1.
 */
export class ProgramFailed extends Fault {
  readonly trace: SandboxTrace
  readonly line: number | null
  constructor(code: `program_${string}`, message: string, seen: { trace: SandboxTrace; line?: number | null }) {
    super('invalid', code, message)
    this.trace = seen.trace
    this.line = seen.line ?? null
  }
}
