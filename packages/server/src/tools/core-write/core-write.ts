import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaOf } from '../pictures.ts'

const charactersMax = 400_000

/** Content types by the end of a name; all else is plain text. */
const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  md: 'text/markdown',
  svg: 'image/svg+xml',
  xml: 'application/xml',
}

/** A work file: a text that the run keeps. */
export const coreWrite = tool({
  name: 'core.write',
  toolset: 'core',
  description:
    'Keeps a text as a file (notes, CSV, JSON, Markdown, HTML). Answers its id; read it again with core.read, and refer to it in your answer as {"id": "txt_…"}. The same name with another text is another file.',
  answers: '{ id: string; filename: string; characters: number }',
  input: z.object({
    filename: z
      .string()
      .regex(/^[^/\\\p{Cc}]{1,100}$/u)
      .describe('With its ending: totals.csv'),
    text: z.string().min(1).max(charactersMax),
  }),
  async run({ filename, text }, context) {
    const ending = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
    const contentType = types[ending] ?? 'text/plain'
    const id = await mediaOf(context).keep({ kind: 'txt', filename, contentType, bytes: Buffer.from(text) })
    return { id, filename, characters: text.length }
  },
})
