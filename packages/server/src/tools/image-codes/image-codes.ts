import { asJson } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { readCodesJob } from '../../media/codes/read-codes.ts'
import { chosenName, imageTerms, mediaName, mediaOf, pageNumber } from '../images.ts'

/** Barcodes and matrix codes on an image. */
export const imageCodes = tool({
  name: 'image.read_codes',
  toolset: 'image',
  description:
    'Read the barcodes and matrix codes on an image or on a page of a document: QR, Data Matrix, Aztec, PDF417, EAN, UPC, Code 128, Code 39 and ITF. Returns the format, text and box of each; an empty list means that none was found.',
  answers: '{ codes: Array<{ format: string; text: string; box: [number, number, number, number] }> }',
  input: z.object({ image: mediaName, page: pageNumber }),
  async run({ image, page }, context, signal) {
    const media = mediaOf(context)
    const codes = await media.withBytes(
      chosenName(media, image),
      (path) => context.processPool.run(readCodesJob, { path, page: page - 1 }, imageTerms(signal)),
      signal,
    )
    return { codes: asJson(codes) }
  },
})
