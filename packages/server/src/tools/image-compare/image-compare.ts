import { asJson } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { compareImagesJob } from '../../media/edit/edit-image.ts'
import { imageTerms, mediaOf, pageNumber } from '../images.ts'

const name = z.string().max(300).describe('Name of an input, or id of an artifact made in this run')

/** Pixel differences of two images. */
export const imageCompare = tool({
  name: 'image.compare',
  toolset: 'image',
  description:
    'Compare two images, or two pages of documents, pixel by pixel. Returns the mean pixel difference and the share of visibly changed pixels, each from 0 (identical) to 1, and the box around all differences, or null if there are none. It says where images differ, not what the difference means.',
  answers: '{ sameSize: boolean; difference: number; changedShare: number; changedBox: number[] | null }',
  input: z.object({ first: name, second: name, first_page: pageNumber, second_page: pageNumber }),
  async run({ first, second, first_page, second_page }, context, signal) {
    const media = mediaOf(context)
    const pages = [first_page - 1, second_page - 1] as const
    const compared = await media.withBytes(
      first,
      (one) =>
        media.withBytes(
          second,
          (other) => context.processPool.run(compareImagesJob, { paths: [one, other], pages }, imageTerms(signal)),
          signal,
        ),
      signal,
    )
    return asJson(compared)
  },
})
