import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { readerTerms } from '../documents.ts'
import { chosenName, mediaName, mediaOf } from '../images.ts'
import { readTextFile } from '../text-files.ts'
import { queryJob } from './query.ts'

/** Values selected from a JSON file or an earlier result. */
export const coreQuery = tool({
  name: 'core.query',
  toolset: 'core',
  description:
    'Select values from JSON by path without reading all of it. The source is a JSON input, a JSON file made in this run, or an earlier tool result by its handle. Path syntax: names separated by dots, [0] for an index, [-1] for the last item, [*] for every item or member, ["odd name"] for any other name. `count` is the number of matches, `values` holds the first `limit` of them, and `more` says whether some were left out. Example: {"file": "orders", "path": "orders[*]", "where": {"path": "status", "equals": "open"}}.',
  answers: '{ count: number; values: unknown[]; more: boolean }',
  input: z.object({
    file: mediaName,
    handle: z
      .string()
      .min(1)
      .optional()
      .describe('Handle of an earlier tool result ("result:…"); use it instead of file'),
    path: z.string().max(500).describe('Path of the values to select; an empty string selects the whole document'),
    where: z
      .object({ path: z.string().max(500), equals: z.union([z.string(), z.number(), z.boolean(), z.null()]) })
      .optional()
      .describe('Keep only values in which the value at this inner path equals `equals`'),
    limit: z.int().min(1).max(500).default(50).describe('Maximum number of values to return'),
  }),
  async run({ file, handle, path, where, limit }, context, signal) {
    const text = handle === undefined ? await textOf(file, context, signal) : JSON.stringify(context.recall(handle))
    if (text === undefined)
      throw new Fault(
        'missing',
        'unknown_handle',
        handle === undefined
          ? 'The file is not UTF-8 text, so it cannot be queried as JSON'
          : `There is no earlier result with the handle ${JSON.stringify(handle)}`,
      )
    return context.processPool.run(queryJob, { text, path, ...(where ? { where } : {}), limit }, readerTerms(signal))
  },
})

function textOf(file: string | undefined, context: Parameters<typeof mediaOf>[0], signal: AbortSignal) {
  const media = mediaOf(context)
  return media.withBytes(chosenName(media, file), readTextFile, signal)
}
