import { createHash } from 'node:crypto'
import { Fault } from '@skillrun/core/fault.ts'
import { readDocumentJob } from '@skillrun/reader/media/packed-document.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { documentTextJob } from '../../agent/document-text.ts'
import type { WebPage } from '../../agent/tool.ts'
import { limits } from '../../core/limits.ts'
import { type ResolveParts, withBytes } from './resolve-input.ts'

/** Which hosts a run may read: all public ones, or those on a list. */
export type WebRule = { readonly hosts: readonly string[] | null }

const charactersMax = 400_000

/**
 * Reads a web page as text, in the process pool, through the egress. Fault `web_off` for a host that is not on the list; Faults of the
 * egress and of reading.
 */
export async function readWeb(
  parts: ResolveParts & { readonly processPool: ProcessPool },
  { url, rule, workspaceId }: { url: string; rule: WebRule; workspaceId: string },
  signal: AbortSignal,
): Promise<WebPage> {
  const host = URL.parse(url)?.hostname
  const isListed = (name: string): boolean =>
    rule.hosts === null || rule.hosts.some((one) => name === one || name.endsWith(`.${one}`))
  if (rule.hosts && !isListed(host ?? ''))
    throw new Fault(
      'forbidden',
      'web_off',
      `The operator allows runs to read only ${rule.hosts.join(', ')}; ${host ?? 'this'} is not in the list`,
    )
  const input = { name: 'page', modality: 'file' as const, source: { kind: 'url' as const, url } }
  // A listed host may redirect: the target must be on the list too.
  return withBytes(parts, { workspaceId, input, isHostAllowed: isListed, signal }, async ({ path, declared }) => {
    const terms = { wallMs: limits.readWallMs, memoryMb: limits.readMemoryMb, signal }
    const { packed, mediaType } = await parts.processPool.run(
      readDocumentJob,
      { path, ...(declared && { declared }) },
      terms,
    )
    const name = createHash('sha256').update(url).digest('hex').slice(0, 8)
    const [written] = await parts.processPool.run(
      documentTextJob,
      { documents: [{ input: name, packed }], charactersMax },
      { ...terms, wallMs: limits.extractWallMs },
    )
    return { url, contentType: mediaType, text: written?.text ?? '' }
  })
}
