import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { fillFormJob, formFieldsMax, formTerms } from '../../media/form/form.ts'
import { chosenName, mediaName, mediaOf } from '../pictures.ts'

const text = z.string().max(20_000)
const value = z.union([text, z.boolean(), z.array(text).max(100), z.number().transform(String)])

/** A PDF form with values in its fields. */
export const documentFill = tool({
  name: 'document.fill',
  toolset: 'document',
  description:
    'Fills fields of a PDF form by their full names and keeps the filled form: texts as text, check boxes as true or false, choices as one of their options (several as a list). Fields that are not named stay as they are. Answers the id; `undrawn` are fields with letters that only a reader with other fonts shows.',
  answers: '{ id: string; filename: string; filled: number; undrawn: string[] }',
  input: z.object({
    file: mediaName,
    values: z
      .record(z.string().min(1).max(1_000), value)
      .refine((values) => Object.keys(values).length <= formFieldsMax, `At most ${formFieldsMax} fields`)
      .describe('Field → what stands in it'),
    flatten: z.boolean().default(false).describe('Makes all fields part of the page: they cannot be changed any more'),
  }),
  async run({ file, values, flatten }, context, signal) {
    const media = mediaOf(context)
    const { bytes, undrawn } = await media.withBytes(
      chosenName(media, file),
      (path) => context.workshop.run(fillFormJob, { path, values, flatten }, formTerms(signal)),
      signal,
    )
    const filename = 'filled.pdf'
    const id = await media.keep({ kind: 'doc', filename, contentType: 'application/pdf', bytes })
    return { id, filename, filled: Object.keys(values).length, undrawn: [...undrawn] }
  },
})
