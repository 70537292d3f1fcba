import { asJson } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { pictureFactsJob } from '../../media/edit/edit-picture.ts'
import { chosenName, mediaName, mediaOf, pageNumber, pictureTerms } from '../pictures.ts'

/** Technical facts of an image. */
export const imageDescribe = tool({
  name: 'image.describe',
  toolset: 'image',
  description:
    'Return technical facts of an image: format, width and height in pixels, whether it has an alpha channel, whether it is greyscale, dominant colour, brightness from 0 to 1, and entropy in bits. It does not say what the image shows.',
  answers:
    '{ format: string; width: number; height: number; hasAlpha: boolean; isGrey: boolean; dominantColour: string; brightness: number; entropy: number }',
  input: z.object({ image: mediaName, page: pageNumber }),
  async run({ image, page }, context, signal) {
    const media = mediaOf(context)
    const facts = await media.withBytes(
      chosenName(media, image),
      (path) => context.processPool.run(pictureFactsJob, { path, page: page - 1 }, pictureTerms(signal)),
      signal,
    )
    return asJson(facts)
  },
})
