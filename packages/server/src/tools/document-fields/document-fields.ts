import { asJson } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { formTerms, listFieldsJob } from '../../media/form/form.ts'
import { chosenName, mediaName, mediaOf } from '../images.ts'

/** The fields of a PDF form. */
export const documentFields = tool({
  name: 'document.fields',
  toolset: 'document',
  description:
    'List the fields of a PDF form: full name, kind ("text", "check", "choice", "choices"; buttons and signatures cannot be filled), current value, and the options of choices. Call it before `document.fill` to get the exact field names.',
  answers:
    '{ fields: Array<{ name: string; kind: string; value: string | boolean | string[] | null; options?: string[]; charactersMax?: number; isReadOnly: boolean; isRequired: boolean }> }',
  input: z.object({ file: mediaName }),
  async run({ file }, context, signal) {
    const media = mediaOf(context)
    const fields = await media.withBytes(
      chosenName(media, file),
      (path) => context.processPool.run(listFieldsJob, { path }, formTerms(signal)),
      signal,
    )
    return { fields: asJson(fields) }
  },
})
