import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { boxInput, editAndKeep, mediaName, pageNumber, pictureAnswer } from '../pictures.ts'

/** A part of a picture. */
export const imageCrop = tool({
  name: 'image.crop',
  toolset: 'image',
  description:
    'Cuts a part out of a picture, or out of a page of a document, and keeps it. Answers its id; refer to it in your answer as {"id": "img_…"}.',
  answers: pictureAnswer,
  input: z.object({ image: mediaName, page: pageNumber, box: boxInput }),
  run: ({ image, page, box }, context, signal) =>
    editAndKeep(context, { image, page, edit: { does: 'crop', box }, filename: 'crop' }, signal),
})
