import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { boxInput, editAndKeep, imageAnswer, mediaName, pageNumber } from '../images.ts'

/** An image with labelled frames drawn on it. */
export const imageAnnotate = tool({
  name: 'image.annotate',
  toolset: 'image',
  description:
    'Draw labelled frames on an image, or on a page of a document, to show where things are, and save the result as a new image artifact. Returns its id, width and height; to include the artifact in your answer, write {"id": "img_…"}.',
  answers: imageAnswer,
  input: z.object({
    image: mediaName,
    page: pageNumber,
    marks: z
      .array(z.object({ box: boxInput, label: z.string().max(100).optional().describe('Text shown at the frame') }))
      .min(1)
      .max(100),
  }),
  run: ({ image, page, marks }, context, signal) =>
    editAndKeep(context, { image, page, edit: { does: 'annotate', marks }, filename: 'annotated' }, signal),
})
