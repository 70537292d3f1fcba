import type { DeclaredText } from '@skillrun/reader/media/declared-text.ts'
import type { PackedDocument } from '@skillrun/reader/media/packed-document.ts'
import { limits } from '../../../core/limits.ts'
import { shortTextJob } from '../../../tools/document-read/short-text.ts'
import { type Execution, isToolCall, type Step } from '../../executions/executions.ts'
import { declaredByDataUrl, findParsedDocument, readTool, smallTextOf, variantOf } from '../../inputs/inputs.ts'
import type { ReadParts } from '../parts.ts'
import type { Run } from '../run-state.ts'

/** The steps of an execution that read its inputs, by input. */
export const readSteps = (steps: readonly Step[]): ReadonlyMap<string, Step> =>
  new Map(
    steps
      .filter((step) => step.name === readTool && !isToolCall(step))
      .map((step) => [(step.detail as { readonly input: string }).input, step]),
  )

/** The hash of the bytes that a step read. */
export const readHashOf = ({ detail }: Step): string => (detail as { readonly sha256: string }).sha256

/** The parsed document of an input of an earlier execution; undefined if it is no longer stored. */
export async function earlierDocument(
  parts: Pick<ReadParts, 'db' | 'media' | 'processPool'>,
  run: Run,
  of: { readonly steps: readonly Step[]; readonly input: string; readonly base?: Execution },
): Promise<PackedDocument | undefined> {
  const step = readSteps(of.steps).get(of.input)
  if (!step) return undefined
  const input = of.base?.request.inputs.find(({ name }) => name === of.input)
  const small = input && smallTextOf(input)
  if (small) {
    const declared = input.source.kind === 'data' ? declaredByDataUrl(input.source.url) : undefined
    const terms = { wallMs: limits.readWallMs, memoryMb: limits.readMemoryMb, signal: run.signal }
    return (await parts.processPool.run(shortTextJob, { bytes: small, ...(declared && { declared }) }, terms)).document
  }
  const { declared } = step.detail as { readonly declared?: DeclaredText }
  const { workspaceId, id } = run.fence
  const request = { ...run.execution.request, caching: true }
  const variant = variantOf({ id, request }, { heardBy: parts.media.transcriber?.name, declared })
  return findParsedDocument(parts.db, { workspaceId, sha256: Buffer.from(readHashOf(step), 'hex'), variant })
}
