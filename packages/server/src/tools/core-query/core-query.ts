import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { readerTerms } from '../documents.ts'
import { chosenName, mediaName, mediaOf } from '../pictures.ts'
import { readTextFile } from '../text-files.ts'
import { queryJob } from './query.ts'

/** Values out of a large piece of JSON. */
export const coreQuery = tool({
  name: 'core.query',
  toolset: 'core',
  description:
    'Takes values out of JSON without reading all of it: an input or file of JSON, or an earlier result by its handle. The path has names and places: orders[*].lines[0].amount; [*] is each item or member, ["odd name"] any name, [-1] the last. Answers how many there are, and the first of them.',
  answers: '{ count: number; values: unknown[]; more: boolean }',
  input: z.object({
    file: mediaName,
    handle: z.string().min(1).optional().describe('Of an earlier result (result:…), in place of a file'),
    path: z.string().max(500).describe('Empty for the whole'),
    where: z
      .object({ path: z.string().max(500), equals: z.union([z.string(), z.number(), z.boolean(), z.null()]) })
      .optional()
      .describe('Keeps the values of which this inner path equals this'),
    limit: z.int().min(1).max(500).default(50),
  }),
  async run({ file, handle, path, where, limit }, context, signal) {
    const text = handle === undefined ? await textOf(file, context, signal) : JSON.stringify(context.recall(handle))
    if (text === undefined)
      throw new Fault(
        'missing',
        'unknown_handle',
        `There is no result ${JSON.stringify(handle)}, or the file is no text`,
      )
    return context.workshop.run(queryJob, { text, path, ...(where ? { where } : {}), limit }, readerTerms(signal))
  },
})

function textOf(file: string | undefined, context: Parameters<typeof mediaOf>[0], signal: AbortSignal) {
  const media = mediaOf(context)
  return media.withBytes(chosenName(media, file), readTextFile, signal)
}
