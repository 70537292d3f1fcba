import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { boxInput, editAndKeep, imageAnswer, mediaName, pageNumber } from '../images.ts'

/** An image with unreadable regions. */
export const imageBlur = tool({
  name: 'image.blur',
  toolset: 'image',
  description:
    'Blur regions of an image, or of a page of a document, so that they cannot be read (names, faces, number plates), and save the result as a new image artifact. Get boxes of text from `document.read` and boxes of faces from `image.faces`. Returns its id, width and height. To black out words in a document, use `document.redact`.',
  answers: imageAnswer,
  input: z.object({ image: mediaName, page: pageNumber, boxes: z.array(boxInput).min(1).max(100) }),
  run: ({ image, page, boxes }, context, signal) =>
    editAndKeep(context, { image, page, edit: { does: 'blur', boxes }, filename: 'blurred' }, signal),
})
