import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { chosenName, mediaName, mediaOf } from '../images.ts'
import { readTextFile } from '../text-files.ts'

const charactersMax = 20_000

/** The text of a file, unchanged. */
export const coreRead = tool({
  name: 'core.read',
  toolset: 'core',
  description:
    'Read a text file unchanged: an input such as CSV, JSON or HTML, or a file saved with `core.write`. Returns up to 20,000 characters starting at `from`; if `more` is true, call again with `from` set to the end of what you have. For PDF, image and office documents use `document.read`.',
  answers: '{ characters: number; from: number; text: string; more: boolean }',
  input: z.object({
    file: mediaName,
    from: z.int().min(0).default(0).describe('Offset of the first character to return'),
  }),
  async run({ file, from }, context, signal) {
    const media = mediaOf(context)
    const text = await media.withBytes(chosenName(media, file), readTextFile, signal)
    if (text === undefined)
      throw new Fault('unsupported', 'no_text', 'The file is not UTF-8 text; use a tool for its media type instead')
    const end = Math.min(text.length, from + charactersMax)
    return { characters: text.length, from, text: text.slice(from, end), more: end < text.length }
  },
})
