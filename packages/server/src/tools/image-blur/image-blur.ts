import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { boxInput, editAndKeep, mediaName, pageNumber, pictureAnswer } from '../pictures.ts'

/** A picture with regions that nobody can read any more. */
export const imageBlur = tool({
  name: 'image.blur',
  toolset: 'image',
  description:
    'Makes regions of a picture, or of a page of a document, unreadable (names, faces, number plates), and keeps it. Boxes of words come from document.read. Answers its id.',
  answers: pictureAnswer,
  input: z.object({ image: mediaName, page: pageNumber, boxes: z.array(boxInput).min(1).max(100) }),
  run: ({ image, page, boxes }, context, signal) =>
    editAndKeep(context, { image, page, edit: { does: 'blur', boxes }, filename: 'blurred' }, signal),
})
