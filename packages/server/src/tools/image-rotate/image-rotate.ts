import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { editAndKeep, imageAnswer, mediaName, pageNumber } from '../images.ts'

/** An image rotated. */
export const imageRotate = tool({
  name: 'image.rotate',
  toolset: 'image',
  description:
    'Rotate an image, or a page of a document, clockwise by `degrees` (negative: counter-clockwise), and save the result as a new image artifact. Returns its id, width and height.',
  answers: imageAnswer,
  input: z.object({ image: mediaName, page: pageNumber, degrees: z.number().min(-360).max(360) }),
  run: ({ image, page, degrees }, context, signal) =>
    editAndKeep(context, { image, page, edit: { does: 'rotate', degrees }, filename: 'rotated' }, signal),
})
