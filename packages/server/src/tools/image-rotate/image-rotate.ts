import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { editAndKeep, mediaName, pageNumber, pictureAnswer } from '../pictures.ts'

/** A picture turned. */
export const imageRotate = tool({
  name: 'image.rotate',
  toolset: 'image',
  description: 'Turns a picture, or a page of a document, by degrees clockwise, and keeps it. Answers its id.',
  answers: pictureAnswer,
  input: z.object({ image: mediaName, page: pageNumber, degrees: z.number().min(-360).max(360) }),
  run: ({ image, page, degrees }, context, signal) =>
    editAndKeep(context, { image, page, edit: { does: 'rotate', degrees }, filename: 'rotated' }, signal),
})
