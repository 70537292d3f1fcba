import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { boxInput, editAndKeep, imageAnswer, mediaName, pageNumber } from '../images.ts'

/** A region of an image. */
export const imageCrop = tool({
  name: 'image.crop',
  toolset: 'image',
  description:
    'Crop a region out of an image, or out of a page of a document, and save it as a new image artifact. Returns its id, width and height; to include the artifact in your answer, write {"id": "img_…"}.',
  answers: imageAnswer,
  input: z.object({ image: mediaName, page: pageNumber, box: boxInput }),
  run: ({ image, page, box }, context, signal) =>
    editAndKeep(context, { image, page, edit: { does: 'crop', box }, filename: 'crop' }, signal),
})
