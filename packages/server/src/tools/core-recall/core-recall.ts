import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'

const charactersMax = 20_000

/** A tool result that was shortened to save context, in full. */
export const coreRecall = tool({
  name: 'core.recall',
  toolset: 'core',
  isQuick: true,
  description:
    'Return an earlier tool result that was removed from the conversation to save context. Pass the handle given in its place. Returns up to 20,000 characters of the result as JSON text, starting at `from`; if `more` is true, call again with a larger `from`.',
  input: z.object({
    handle: z.string().min(1).describe('The handle of the removed result ("result:…")'),
    from: z.int().min(0).default(0).describe('Offset of the first character to return'),
  }),
  async run({ handle, from }, { recall }) {
    const result = recall(handle)
    if (result === undefined)
      throw new Fault(
        'missing',
        'unknown_handle',
        `There is no earlier result with the handle ${JSON.stringify(handle)}`,
      )
    const text = JSON.stringify(result)
    const end = Math.min(text.length, from + charactersMax)
    return { characters: text.length, from, text: text.slice(from, end), more: end < text.length }
  },
})
