import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { fillFormJob, formFieldsMax, formTerms } from '../../media/form/form.ts'
import { chosenName, mediaName, mediaOf } from '../images.ts'

const text = z.string().max(20_000)
const value = z.union([text, z.boolean(), z.array(text).max(100), z.number().transform(String)])

/** A PDF form filled in, as a new artifact. */
export const documentFill = tool({
  name: 'document.fill',
  toolset: 'document',
  description:
    'Fill fields of a PDF form and save the result as a new PDF artifact; the input stays unchanged. Give values by full field name as returned by `document.fields`: a string for text, true or false for a check box, one of the options for a choice, a list of options for a multiple choice. Fields you do not name keep their value. Returns the id; `undrawn` names fields whose text contains characters that the fonts of the form cannot show.',
  answers: '{ id: string; filename: string; filled: number; undrawn: string[] }',
  input: z.object({
    file: mediaName,
    values: z
      .record(z.string().min(1).max(1_000), value)
      .refine((values) => Object.keys(values).length <= formFieldsMax, `must name at most ${formFieldsMax} fields`)
      .describe('Values by full field name'),
    flatten: z
      .boolean()
      .default(false)
      .describe('Turn all fields into page content, so that they can no longer be edited'),
  }),
  async run({ file, values, flatten }, context, signal) {
    const media = mediaOf(context)
    const { bytes, undrawn } = await media.withBytes(
      chosenName(media, file),
      (path) => context.processPool.run(fillFormJob, { path, values, flatten }, formTerms(signal)),
      signal,
    )
    const filename = 'filled.pdf'
    const id = await media.keep({ kind: 'doc', filename, contentType: 'application/pdf', bytes })
    return { id, filename, filled: Object.keys(values).length, undrawn: [...undrawn] }
  },
})
