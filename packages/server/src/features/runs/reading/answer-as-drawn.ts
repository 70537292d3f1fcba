import {
  compareWithDrawing,
  type Difference,
  type Quotation,
  uncheckedWarnings,
} from '@skillrun/reader/evidence/compare-drawn.ts'
import { drawnJob, drawnTerms } from '@skillrun/reader/media/pdf/drawn.ts'
import { type AnswerRequest, answerJob, type EmbeddedAnswer } from '../../../agent/embedded/answer.ts'
import { limits } from '../../../core/limits.ts'
import { withNamedBytes } from '../../inputs/inputs.ts'
import type { ReadParts } from '../parts.ts'
import type { Run } from '../run-state.ts'
import type { ParsedInput } from './read-inputs.ts'

/** The answer of the embedded engine, without words whose text layer says something else than the page shows. */
export async function answerAsDrawn(
  parts: ReadParts,
  run: Run,
  { request, parsedInputs }: { readonly request: AnswerRequest; readonly parsedInputs: readonly ParsedInput[] },
): Promise<EmbeddedAnswer> {
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal }
  const doubted = new Map(
    parsedInputs.flatMap(({ input, document }) => (document.doubted ? [[input, document.doubted]] : [])),
  )
  const { answered, unchecked } = await compareWithDrawing({
    isDoubted: (input, page) => doubted.get(input)?.includes(page) ?? false,
    answerWithout: (differences) =>
      parts.processPool.run(answerJob, differences.length === 0 ? request : { ...request, differences }, terms),
    findDifferences: (quotations) => findDifferences(parts, run, quotations),
  })
  if (unchecked === 0) return answered
  return { ...answered, warnings: [...(answered.warnings ?? []), ...uncheckedWarnings(unchecked)] }
}

async function findDifferences(parts: ReadParts, run: Run, quotations: readonly Quotation[]): Promise<Difference[]> {
  const found: Difference[] = []
  for (const input of new Set(quotations.map((one) => one.input))) {
    const places = quotations.filter((one) => one.input === input)
    const drawn = await withNamedBytes(parts, run, input, ({ path }) =>
      parts.processPool.run(drawnJob, { path, places }, { ...drawnTerms, signal: run.signal }),
    )
    found.push(...places.flatMap((one, at) => (drawn[at] == null ? [] : [{ ...one, drawn: drawn[at] }])))
  }
  return found
}
