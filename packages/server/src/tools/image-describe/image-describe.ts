import { asJson } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { imageFactsJob } from '../../media/edit/edit-image.ts'
import { chosenName, imageTerms, mediaName, mediaOf, pageNumber } from '../images.ts'

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
      (path) => context.processPool.run(imageFactsJob, { path, page: page - 1 }, imageTerms(signal)),
      signal,
    )
    return asJson(facts)
  },
})
