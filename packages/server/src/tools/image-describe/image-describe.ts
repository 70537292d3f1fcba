import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { pictureFactsJob } from '../../media/edit/edit-picture.ts'
import { chosenName, mediaName, mediaOf, pageNumber, pictureTerms } from '../pictures.ts'

/** What a picture says of itself. */
export const imageDescribe = tool({
  name: 'image.describe',
  toolset: 'image',
  description:
    'Tells the facts of a picture: format, width and height in pixels, transparency, whether it is grey, its commonest colour, brightness 0 to 1, entropy in bits. It does not say what is on it.',
  answers:
    '{ format: string; width: number; height: number; hasAlpha: boolean; isGrey: boolean; dominantColour: string; brightness: number; entropy: number }',
  input: z.object({ image: mediaName, page: pageNumber }),
  async run({ image, page }, context, signal) {
    const media = mediaOf(context)
    const facts = await media.withBytes(
      chosenName(media, image),
      (path) => context.workshop.run(pictureFactsJob, { path, page: page - 1 }, pictureTerms(signal)),
      signal,
    )
    return facts as unknown as Json
  },
})
