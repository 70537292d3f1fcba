import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { boxInput, editAndKeep, mediaName, pageNumber, pictureAnswer } from '../pictures.ts'

/** A picture with frames and labels drawn on it. */
export const imageAnnotate = tool({
  name: 'image.annotate',
  toolset: 'image',
  description:
    'Draws frames with labels on a picture, or on a page of a document, to show where something is, and keeps it. Answers its id.',
  answers: pictureAnswer,
  input: z.object({
    image: mediaName,
    page: pageNumber,
    marks: z
      .array(z.object({ box: boxInput, label: z.string().max(100).optional() }))
      .min(1)
      .max(100),
  }),
  run: ({ image, page, marks }, context, signal) =>
    editAndKeep(context, { image, page, edit: { does: 'annotate', marks }, filename: 'annotated' }, signal),
})
