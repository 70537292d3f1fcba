import type { Clock } from '@skillrun/core/clock.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import type { Sandbox, SandboxLimits } from '../../adapters/sandbox/sandbox.ts'
import type { DocumentLine } from '../../agent/programs/candidates.ts'
import { linesJob } from '../../agent/programs/lines.ts'
import type { ToolContext } from '../../agent/tool.ts'
import { limits } from '../../core/limits.ts'
import { documentLines } from '../../tools/document-lines/document-lines.ts'
import { modelAsk } from '../../tools/model-ask/model-ask.ts'
import { tools } from '../../tools/tools.ts'
import { hostOf, inputsOf, type ProgramDocument, type ProgramReport } from './host.ts'

export interface SourceParts {
  readonly sandbox: Sandbox
  readonly processPool: ProcessPool
  readonly clock: Clock
  /** Answers the program's questions to a language model; absent: unavailable. */
  readonly ask?: ToolContext['ask']
}

/** The inputs of a program. */
export interface ProgramInput {
  readonly documents: readonly ProgramDocument[]
  readonly values: Readonly<Record<string, Json>>
}

/** The result of running a program's source. */
export interface SourceResult extends ProgramReport {
  readonly value: Json
  /** The lines of its documents; null if the program read none. */
  readonly lines: readonly DocumentLine[] | null
  readonly console: readonly string[]
  readonly hostCalls: number
  readonly ms: number
}

/** Time limit of one execution: a useful program answers in milliseconds. */
const programLimits: SandboxLimits = {
  wallMs: 60_000,
  cpuMs: 5_000,
  memoryMb: 128,
  outputBytesMax: 8 * 1024 * 1024,
  hostCallsMax: 1_000,
  consoleBytesMax: 64 * 1024,
}

/** The current time for programs: a constant, so that the same inputs give the same answer. */
const nowMs = Date.UTC(2026, 0, 1)

/**
 * Runs the source of a program on documents, in a fresh QuickJS realm. Throws ProgramFailed for errors of the program itself, and Faults of
 * the sandbox and the process pool.
 */
export async function runSource(
  { sandbox, processPool, clock, ask }: SourceParts,
  { source, documents, values }: ProgramInput & { readonly source: string },
  signal: AbortSignal,
): Promise<SourceResult> {
  const report: ProgramReport = { cites: new Map(), declined: null, guessed: [] }
  const input = { documents: documents.map(({ input, packed }) => ({ input, packed })) }
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal }
  let lines: readonly DocumentLine[] | null = null
  let laidOut: Promise<readonly DocumentLine[]> | undefined
  // Computed once, on first use: citations and the guard use them too.
  const linesNow = async (): Promise<readonly DocumentLine[]> => {
    laidOut ??= documents.length === 0 ? Promise.resolve([]) : processPool.run(linesJob, input, terms)
    lines = await laidOut
    return lines
  }
  const context = {
    documents,
    skills: [],
    processPool,
    clock,
    recall: () => undefined,
    ask,
  }
  const ready = { ...documentLines, run: async ({ input }: { input?: string }) => linesOf(await linesNow(), input) }
  const host = hostOf([...tools, ready, modelAsk], context, { report, signal })
  const run = await sandbox.run({
    source,
    input: inputsOf(documents, values),
    host,
    limits: programLimits,
    nowMs,
    signal,
  })
  return { ...run, lines, ...report }
}

const linesOf = (lines: readonly DocumentLine[], input: string | undefined): Json =>
  input === undefined ? lines : lines.filter((line) => line.input === input)
