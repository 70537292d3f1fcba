import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { comparePicturesJob } from '../../media/edit/edit-picture.ts'
import { mediaOf, pageNumber, pictureTerms } from '../pictures.ts'

const name = z.string().max(300).describe('The name of an input, or the id of something made')

/** How far two pictures are apart. */
export const imageCompare = tool({
  name: 'image.compare',
  toolset: 'image',
  description:
    'Compares two pictures, or pages of documents: the mean difference of their pixels and the visibly changed share, 0 to 1 each, and the box where they differ.',
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
          (other) => context.workshop.run(comparePicturesJob, { paths: [one, other], pages }, pictureTerms(signal)),
          signal,
        ),
      signal,
    )
    return compared as unknown as Json
  },
})
