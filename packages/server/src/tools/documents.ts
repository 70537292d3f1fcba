import { Fault } from '@skillrun/core/fault.ts'
import type { JobTerms } from '@skillrun/core/job.ts'
import { z } from 'zod'
import type { ToolContext, ToolDocument } from '../agent/tool.ts'
import { limits } from '../core/limits.ts'

/** Pages that one call may ask for. */
const pagesMax = 20

/** Which document a tool works on. */
export const inputName = z
  .string()
  .optional()
  .describe('The name of the input; may be left out when there is only one document')

/** Pages as models count them. */
export const pageList = z.array(z.int().min(1)).min(1).max(pagesMax).describe('Page numbers, the first page is 1')

/** The document of that name. Throws a Fault that lists those there are. */
export function loadInput({ documents }: Pick<ToolContext, 'documents'>, name: string | undefined): ToolDocument {
  const [only, ...others] = documents
  if (!only) throw new Fault('invalid', 'unknown_input', 'There are no documents in this run')
  if (name === undefined && others.length === 0) return only
  const found = documents.find((one) => one.input === name)
  if (found) return found
  const there = documents.map((one) => one.input).join(', ')
  throw new Fault(
    'invalid',
    'unknown_input',
    name === undefined
      ? `Say which input: ${there}`
      : `There is no document ${JSON.stringify(name)}; there are ${there}`,
  )
}

/** What looking into a reading may take. */
export const readerTerms = (signal: AbortSignal): JobTerms => ({
  wallMs: limits.extractWallMs,
  memoryMb: limits.extractMemoryMb,
  signal,
})
