import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'

const charactersMax = 20_000

/** A result that was taken out of the conversation, again. */
export const coreRecall = tool({
  name: 'core.recall',
  toolset: 'core',
  description:
    'Gives an earlier result again that was taken out to make room, by the handle that its note names: its JSON text from a character on.',
  input: z.object({
    handle: z.string().min(1),
    from: z.int().min(0).default(0).describe('The first character to give'),
  }),
  async run({ handle, from }, { recall }) {
    const result = recall(handle)
    if (result === undefined)
      throw new Fault('missing', 'unknown_handle', `There is no result ${JSON.stringify(handle)}`)
    const text = JSON.stringify(result)
    const end = Math.min(text.length, from + charactersMax)
    return { characters: text.length, from, text: text.slice(from, end), more: end < text.length }
  },
})
