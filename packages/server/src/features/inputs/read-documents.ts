import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { type PackedDocument, readDocumentJob } from '@skillrun/reader/media/packed-document.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { limits } from '../../core/limits.ts'
import type { ExecutionInput } from './input.ts'
import { findParsedDocument, keepParsedDocument, variantOf } from './parsed-documents.ts'
import { type ResolveParts, withBytes } from './resolve-input.ts'
import { readSlots } from './slots.ts'

export interface DocumentParts extends ResolveParts {
  readonly processPool: ProcessPool
}

/** Parsed documents of some inputs, and the slots that are plain values. */
export interface ReadDocuments {
  readonly parsedInputs: readonly { readonly input: string; readonly document: PackedDocument }[]
  readonly values: Readonly<Record<string, Json>>
}

/**
 * Reads the `inputs` of a body of POST /v1/agent/execute outside any execution, using stored parsed documents of the workspace. Throws
 * ValidationFailures, and Faults of the inputs.
 */
export async function readDocuments(
  parts: DocumentParts,
  of: { workspaceId: string; inputs: JsonObject; pageIndices: readonly number[] | null; signal: AbortSignal },
): Promise<ReadDocuments> {
  const { inputs, values } = readSlots(of.inputs, { beside: false })
  const parsedInputs = await Promise.all(
    inputs
      .filter(({ source }) => source.kind !== 'text' || source.text.trim() !== '')
      .map(async (input) => ({ input: input.name, document: await readOne(parts, input, of) })),
  )
  return { parsedInputs, values }
}

function readOne(
  parts: DocumentParts,
  input: ExecutionInput,
  of: { workspaceId: string; pageIndices: readonly number[] | null; signal: AbortSignal },
): Promise<PackedDocument> {
  const { db, clock, processPool } = parts
  const { workspaceId, pageIndices, signal } = of
  return withBytes(parts, { workspaceId, input, signal }, async ({ path, sha256, declared }) => {
    const variant = variantOf({ id: '', request: { pageIndices, caching: true } }, { declared })
    const kept = await findParsedDocument(db, { workspaceId, sha256, variant })
    if (kept) return kept
    const terms = { wallMs: limits.readWallMs, memoryMb: limits.readMemoryMb, signal }
    const document = await processPool.run(
      readDocumentJob,
      { path, ...(declared && { declared }), ...(pageIndices && { pageIndices }) },
      terms,
    )
    await keepParsedDocument(db, { workspaceId, sha256, variant, document, now: clock.now(), fence: undefined })
    return document
  })
}
