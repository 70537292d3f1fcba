import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { chosenName, mediaName, mediaOf } from '../pictures.ts'
import { readTextFile } from '../text-files.ts'

const charactersMax = 20_000

/** A text as it stands in its file. */
export const coreRead = tool({
  name: 'core.read',
  toolset: 'core',
  description:
    'Gives a text file as it is, letter by letter, from a character on: one that core.write kept, or an input of text (CSV, JSON, HTML …). Pages of documents are read with document.read.',
  answers: '{ characters: number; from: number; text: string; more: boolean }',
  input: z.object({ file: mediaName, from: z.int().min(0).default(0).describe('The first character to give') }),
  async run({ file, from }, context, signal) {
    const media = mediaOf(context)
    const text = await media.withBytes(chosenName(media, file), readTextFile, signal)
    if (text === undefined)
      throw new Fault('unsupported', 'no_text', 'The file is no text; look at it with another tool')
    const end = Math.min(text.length, from + charactersMax)
    return { characters: text.length, from, text: text.slice(from, end), more: end < text.length }
  },
})
