import { Fault } from '../../kit/fault.ts'
import { limits } from '../../kit/limits.ts'
import { type Reading, readingJob } from '../../media/reading.ts'
import { looksTimed } from '../../media/timed/looks-timed.ts'
import type { Workshop } from '../../seams/workshop/workshop.ts'
import { type BringParts, withBytes } from './bring.ts'
import type { ExecutionInput } from './execution.ts'
import { readTimed, type TimedParts } from './read-timed.ts'
import { findReading, keepReading, readTool, variantOf } from './readings.ts'
import { beginStep, findStep, type RecordParts, type Run, record } from './transcript.ts'

export interface ReadParts extends BringParts, RecordParts, Pick<TimedParts, 'transcoder' | 'hearing'> {
  readonly workshop: Workshop
}

export interface NamedReading {
  readonly input: string
  readonly reading: Reading
}

/**
 * Every input as positioned words, side by side; the first failure stops the others. An input that the transcript holds
 * is neither brought nor read again. Throws Faults that name the input.
 */
export async function readInputs(parts: ReadParts, run: Run): Promise<NamedReading[]> {
  const stopped = new AbortController()
  const signal = AbortSignal.any([run.signal, stopped.signal])
  const inputs = run.execution.request.inputs.filter(
    (input) => input.source.kind !== 'text' || input.source.text.trim() !== '',
  )
  const failures: unknown[] = []
  const readings = await Promise.all(
    inputs.map(async (input) => {
      try {
        return [{ input: input.name, reading: await readInput(parts, { run, input, signal }) }]
      } catch (error) {
        // A failure of the run as a whole is not the input's.
        const isOfInput = error instanceof Fault && error.code !== 'max_steps' && !run.signal.aborted
        failures.push(
          isOfInput
            ? new Fault(error.kind, error.code, `inputs.${input.name}: ${error.message}`, { cause: error })
            : error,
        )
        // What was begun when the steps ran out is finished and kept.
        if (!(error instanceof Fault && error.code === 'max_steps')) stopped.abort(error)
        return []
      }
    }),
  )
  if (failures.length > 0) throw failures[0]
  return readings.flat()
}

async function readInput(
  parts: ReadParts,
  { run, input, signal }: { run: Run; input: ExecutionInput; signal: AbortSignal },
): Promise<Reading> {
  const { db, clock, workshop } = parts
  const { workspaceId } = run.fence
  const { pageIndices } = run.execution.request
  const variant = variantOf(run.execution, parts.hearing?.name)
  const recorded = findStep(run, readTool, { key: 'input', value: input.name })
  if (recorded) {
    const { sha256 } = recorded.detail as { sha256: string }
    const kept = await findReading(db, { workspaceId, sha256: Buffer.from(sha256, 'hex'), variant })
    if (kept) return kept
  } else beginStep(run)
  const startedAt = clock.now()
  return withBytes(
    parts,
    { workspaceId, executionId: run.fence.id, input, signal },
    async ({ path, sha256, bytes }) => {
      const kept = await findReading(db, { workspaceId, sha256, variant })
      const terms = { wallMs: limits.readWallMs, memoryMb: limits.readMemoryMb, signal }
      const read = async (): Promise<Reading> =>
        (await looksTimed(path))
          ? readTimed(parts, run, { input: input.name, path, signal })
          : workshop.run(readingJob, { path, ...(pageIndices ? { pageIndices } : {}) }, terms)
      const reading = kept ?? (await read())
      if (!kept) await keepReading(db, { workspaceId, sha256, variant, reading, now: clock.now() })
      if (recorded) return reading
      const { packed: _packed, ...result } = reading
      const pages = pageIndices ? `pages ${pageIndices.join(',')}` : 'all pages'
      await record(parts, run, {
        kind: 'tool',
        name: readTool,
        detail: { input: input.name, bytes, sha256: sha256.toString('hex'), pages },
        result: { ...result, cached: kept !== undefined },
        startedAt,
      })
      return reading
    },
  )
}
