import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { editAndKeep, mediaName, pageNumber, pictureAnswer } from '../pictures.ts'

const pixels = z.int().min(1).max(8_000).optional()

/** A picture in another size. */
export const imageResize = tool({
  name: 'image.resize',
  toolset: 'image',
  description:
    'Brings a picture, or a page of a document, to a size within width and height in pixels, its proportions kept, and keeps it. Answers its id.',
  answers: pictureAnswer,
  input: z
    .object({ image: mediaName, page: pageNumber, width: pixels, height: pixels })
    .refine(({ width, height }) => width !== undefined || height !== undefined, 'Give width, height or both'),
  run: ({ image, page, width, height }, context, signal) =>
    editAndKeep(context, { image, page, edit: { does: 'resize', width, height }, filename: 'resized' }, signal),
})
