import { Fault } from '@skillrun/core/fault.ts'
import { archiveEntryJob } from '@skillrun/reader/media/archive/archive.ts'
import { declaredByName } from '@skillrun/reader/media/declared-text.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { limits } from '../../core/limits.ts'
import type { ResolvedInput, UrlFetch } from './fetched.ts'
import type { ExecutionInput } from './input.ts'
import { type ResolveParts, useBytes, withBytes } from './resolve-input.ts'

/** What resolving inputs needs of their execution. */
export interface InputOwner {
  readonly execution: {
    readonly request: {
      readonly inputs: readonly ExecutionInput[]
      readonly caching: boolean
      readonly cachingAsked?: boolean
    }
    readonly isRetained: boolean
  }
  /** Its workspace and its id. */
  readonly fence: { readonly workspaceId: string; readonly id: string }
  readonly signal: AbortSignal
}

/** Limits of opening an archive and of extracting a file from it. */
export const archiveTerms = (signal: AbortSignal) =>
  ({ wallMs: limits.extractWallMs, memoryMb: limits.readMemoryMb, signal }) as const

/** The input of that name, or the archive or email that contains that file: `box/letters/one.pdf` is in `box`. */
export const inputNamed = (
  { execution }: { readonly execution: { readonly request: Pick<InputOwner['execution']['request'], 'inputs'> } },
  name: string,
): ExecutionInput | undefined => {
  const { inputs } = execution.request
  return inputs.find((one) => one.name === name) ?? inputs.find((one) => name.startsWith(`${one.name}/`))
}

/** Which cached answers an execution may use for URLs: without caching none of another execution, without retention none at all. */
export const reuseOf = ({ request, isRetained }: InputOwner['execution']): UrlFetch['reuse'] => {
  if (!isRetained) return 'nothing'
  if (!request.caching) return 'execution'
  return request.cachingAsked ? 'recent' : 'checked'
}

/** Calls `use` with the bytes of an input or of a file in an archive. Fault `unknown_input`. */
export async function withNamedBytes<T>(
  parts: ResolveParts & { readonly processPool: ProcessPool },
  run: InputOwner,
  name: string,
  use: (resolved: ResolvedInput) => Promise<T>,
): Promise<T> {
  const input = inputNamed(run, name)
  if (!input) throw new Fault('invalid', 'unknown_input', `There is no input named ${JSON.stringify(name)}`)
  const { signal, fence } = run
  const place = { workspaceId: fence.workspaceId, executionId: fence.id, input, reuse: reuseOf(run.execution), signal }
  return withBytes(parts, place, async (resolved) => {
    if (input.name === name) return use(resolved)
    const inner = { path: resolved.path, name: name.slice(input.name.length + 1) }
    const bytes = await parts.processPool.run(archiveEntryJob, inner, archiveTerms(signal))
    return useBytes(parts, Buffer.from(bytes), use, declaredByName(name))
  })
}
