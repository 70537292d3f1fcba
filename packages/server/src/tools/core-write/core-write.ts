import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { mediaOf } from '../images.ts'

const charactersMax = 400_000

/** Content types by file extension; anything else is plain text. */
const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  md: 'text/markdown',
  svg: 'image/svg+xml',
  xml: 'application/xml',
}

/** A text file that the run keeps as an artifact. */
export const coreWrite = tool({
  name: 'core.write',
  toolset: 'core',
  description:
    'Save text as a file: notes, CSV, JSON, Markdown or HTML. Returns its id. Read it back with `core.read`; to include the file in your answer, write {"id": "txt_…"}. Files are never overwritten: saving different text under the same filename creates another file.',
  answers: '{ id: string; filename: string; characters: number }',
  input: z.object({
    filename: z
      .string()
      .regex(/^[^/\\\p{Cc}]{1,100}$/u)
      .describe('File name with extension and without folders, such as totals.csv'),
    text: z.string().min(1).max(charactersMax).describe('The complete content of the file'),
  }),
  async run({ filename, text }, context) {
    const ending = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
    const contentType = types[ending] ?? 'text/plain'
    const id = await mediaOf(context).keep({ kind: 'txt', filename, contentType, bytes: Buffer.from(text) })
    return { id, filename, characters: text.length }
  },
})
