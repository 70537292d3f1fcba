import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { editAndKeep, imageAnswer, mediaName, pageNumber } from '../images.ts'

const pixels = z.int().min(1).max(8_000).optional()

/** An image scaled to fit a size. */
export const imageResize = tool({
  name: 'image.resize',
  toolset: 'image',
  description:
    'Scale an image, or a page of a document, to fit within a width and height in pixels, keeping its aspect ratio, and save the result as a new image artifact. Give width, height or both. Returns its id and the resulting width and height.',
  answers: imageAnswer,
  input: z
    .object({ image: mediaName, page: pageNumber, width: pixels, height: pixels })
    .refine(({ width, height }) => width !== undefined || height !== undefined, 'must have width, height or both'),
  run: ({ image, page, width, height }, context, signal) =>
    editAndKeep(context, { image, page, edit: { does: 'resize', width, height }, filename: 'resized' }, signal),
})
