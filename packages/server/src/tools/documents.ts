import { Fault } from '@skillrun/core/fault.ts'
import type { JobTerms } from '@skillrun/core/job.ts'
import { z } from 'zod'
import type { ToolContext, ToolDocument } from '../agent/tool.ts'
import { limits } from '../core/limits.ts'

/** Pages per call. */
const pagesMax = 20

/** The document that a tool works on. */
export const inputName = z.string().optional().describe('Name of the input document; optional if there is only one')

/** 1-based page numbers. */
export const pageList = z.array(z.int().min(1)).min(1).max(pagesMax).describe('Page numbers, starting at 1')

/** The document of this name. Fault `unknown_input`, which lists the names. */
export function loadInput({ documents }: Pick<ToolContext, 'documents'>, name: string | undefined): ToolDocument {
  const [only, ...others] = documents
  if (!only) throw new Fault('invalid', 'unknown_input', 'This run has no documents')
  if (name === undefined && others.length === 0) return only
  const found = documents.find((one) => one.input === name)
  if (found) return found
  const there = documents.map((one) => one.input).join(', ')
  throw new Fault(
    'invalid',
    'unknown_input',
    name === undefined
      ? `input is required because there are several documents: ${there}`
      : `There is no document named ${JSON.stringify(name)}; the documents are: ${there}`,
  )
}

/** Limits of a job on a parsed document. */
export const readerTerms = (signal: AbortSignal): JobTerms => ({
  wallMs: limits.extractWallMs,
  memoryMb: limits.extractMemoryMb,
  signal,
})
