import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'

/** What one run of a program may take. */
export interface SandboxLimits {
  /** Milliseconds in all, waiting for the host included, from the moment a child takes the program. */
  readonly wallMs: number
  /** Milliseconds of computing within the program. */
  readonly cpuMs: number
  /** Megabytes (2^20 bytes) of the program's own memory. */
  readonly memoryMb: number
  /** Bytes of JSON that it may return, or give to one call of the host. */
  readonly outputBytesMax: number
  readonly hostCallsMax: number
  readonly consoleBytesMax: number
}

/** What a program may call, by name: `document.read` is `tools.document.read(…)` within. */
export type SandboxHost = Readonly<Record<string, (...input: readonly Json[]) => Promise<Json>>>

export interface SandboxRun {
  /** TypeScript with erasable syntax, or JavaScript: `export default async function run(tools, inputs) { … }`. */
  readonly source: string
  /** What it is given as `inputs`. */
  readonly input: Json
  readonly host: SandboxHost
  readonly limits: SandboxLimits
  /** What the program takes for the present, in milliseconds since 1970: it stands still, and chance is the same each time. */
  readonly nowMs: number
  readonly signal: AbortSignal
}

/** What was seen of a run: a line for each call of the console, calls of the host, milliseconds from its start to its end. */
export type SandboxTrace = Readonly<{ console: readonly string[]; hostCalls: number; ms: number }>

/**
 * Runs programs of strangers, each in a world of its own that ends with it and holds the language, `tools` and `inputs`, and
 * nothing of this machine.
 *
 * `run` answers what the program returned. It throws ProgramFailed for everything that is the program's own doing; Fault
 * `sandbox_unavailable` where no sandbox can be had: nothing ever runs outside of one; `signal.reason` on abort. A Fault
 * that a host function throws is an error within the program; anything else that it throws ends the run and is thrown on. A
 * run that has ended has no call of the host under way, unless it ended by `signal` or its wall limit.
 */
export interface Sandbox {
  run(run: SandboxRun): Promise<SandboxTrace & { readonly value: Json }>
  close(): Promise<void>
}

/**
 * A program that failed. Codes: `program_syntax`, `program_error` (it threw), `program_nothing` (it returned undefined),
 * `program_result` (what it returned is no JSON), `program_stuck` (it waits for what never comes), and by the limit that it met:
 * `program_wall`, `program_cpu`, `program_memory`, `program_output`, `program_host_calls`, `program_console`. `line` is a line of the author's source, the first is 1.
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
