import {
  comparisonsMax,
  type Difference,
  type Quotation,
  quotationsToCompare,
} from '@skillrun/reader/evidence/compare-drawn.ts'
import { drawnJob, drawnTerms } from '@skillrun/reader/media/pdf/drawn.ts'
import { type AnswerRequest, answerJob, type EmbeddedAnswer } from '../../../agent/embedded/answer.ts'
import { limits } from '../../../core/limits.ts'
import { withNamedBytes } from '../../inputs/inputs.ts'
import type { ReadParts } from '../parts.ts'
import type { Run } from '../run-state.ts'
import type { NamedReading } from './read-inputs.ts'

/** The answer of the embedded engine without values that a page shows otherwise than its text layer says. */
export async function answerAsDrawn(
  parts: ReadParts,
  run: Run,
  { request, readings }: { readonly request: AnswerRequest; readonly readings: readonly NamedReading[] },
): Promise<EmbeddedAnswer> {
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal }
  const answerWithout = (differences: readonly Difference[]): Promise<EmbeddedAnswer> =>
    parts.processPool.run(answerJob, differences.length === 0 ? request : { ...request, differences }, terms)
  const doubted = new Map(readings.flatMap(({ input, reading }) => (reading.doubted ? [[input, reading.doubted]] : [])))
  let answered = await answerWithout([])
  const differences: Difference[] = []
  const looked: Quotation[] = []
  for (let round = 0; doubted.size > 0 && round < comparisonsMax; round += 1) {
    const isDoubted = (input: string, page: number): boolean => doubted.get(input)?.includes(page) ?? false
    const wanted = quotationsToCompare(answered.evidence, isDoubted, looked)
    looked.push(...wanted)
    const found = await differing(parts, run, wanted)
    if (found.length === 0) break
    differences.push(...found)
    answered = await answerWithout(differences)
  }
  return answered
}

async function differing(parts: ReadParts, run: Run, wanted: readonly Quotation[]): Promise<Difference[]> {
  const found: Difference[] = []
  for (const input of new Set(wanted.map((one) => one.input))) {
    const places = wanted.filter((one) => one.input === input)
    const drawn = await withNamedBytes(parts, run, input, ({ path }) =>
      parts.processPool.run(drawnJob, { path, places }, { ...drawnTerms, signal: run.signal }),
    )
    found.push(...places.flatMap((one, at) => (drawn[at] == null ? [] : [{ ...one, drawn: drawn[at] }])))
  }
  return found
}
