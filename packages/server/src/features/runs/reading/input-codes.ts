import { asJson, type JsonSchema } from '@skillrun/core/json.ts'
import { type DecodedCode, type ImageCode, mentionsCodes } from '@skillrun/reader/fields/image-codes.ts'
import { readCodesJob } from '../../../media/codes/read-codes.ts'
import { imageTerms } from '../../../tools/images.ts'
import { resultOf } from '../../executions/executions.ts'
import { withNamedBytes } from '../../inputs/inputs.ts'
import type { ReadParts } from '../parts.ts'
import { reservePrice } from '../reserve-price.ts'
import type { Run } from '../run-state.ts'
import { codesOfPages } from '../steps/recorded.ts'
import { beginStep, findStep, record } from '../transcript.ts'
import type { ParsedInput } from './read-inputs.ts'

const codesTool = 'image.read_codes'
/** Pages searched per document. */
const pagesMax = 20

type CodesOfPage = { readonly page: number; readonly codes: readonly DecodedCode[] }

/**
 * The bar codes on the images and PDF pages of a request that asks for codes; undefined for all other requests, and without images. Records
 * one step per document.
 */
export async function codesOfInputs(
  parts: ReadParts,
  run: Run,
  of: { readonly schema: JsonSchema | null; readonly parsedInputs: readonly ParsedInput[] },
): Promise<readonly ImageCode[] | undefined> {
  const { prompt, pageIndices } = run.execution.request
  const imagePages = of.parsedInputs.filter(
    ({ document: { mediaType } }) => mediaType.startsWith('image/') || mediaType === 'application/pdf',
  )
  if (imagePages.length === 0 || of.schema === null || !mentionsCodes(of.schema, prompt)) return undefined
  const found: ImageCode[] = []
  for (const { input, document } of imagePages) {
    const pages = (pageIndices ?? Array.from({ length: document.pageCount }, (_, page) => page)).slice(0, pagesMax)
    for (const { page, codes } of await codesOf(parts, run, { input, pages }))
      found.push(...codes.map((code) => ({ ...code, input, page })))
  }
  return found
}

async function codesOf(
  parts: ReadParts,
  run: Run,
  { input, pages }: { readonly input: string; readonly pages: readonly number[] },
): Promise<readonly CodesOfPage[]> {
  const recorded = findStep(run, codesTool, { key: 'input', value: input })
  if (recorded) return resultOf(recorded, codesOfPages).pages
  beginStep(run)
  const reservation = await reservePrice(parts, run, { name: codesTool })
  const startedAt = parts.clock.now()
  const found = await withNamedBytes(parts, run, input, async ({ path }) => {
    const all: CodesOfPage[] = []
    for (const page of pages)
      all.push({ page, codes: await parts.processPool.run(readCodesJob, { path, page }, imageTerms(run.signal)) })
    return all
  })
  await record(parts, run, {
    kind: 'tool',
    name: codesTool,
    detail: { input },
    result: asJson({ pages: found }),
    startedAt,
    reservation,
  })
  return found
}
