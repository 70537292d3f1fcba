import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { Fault } from '../../kit/fault.ts'
import { mediaOf } from '../pictures.ts'

/** A picture from words. */
export const imageGenerate = tool({
  name: 'image.generate',
  toolset: 'image-gen',
  description:
    'Has a picture made from a description in words, and keeps it. Answers its id; refer to it in your answer as {"id": "img_…"}. It costs money and takes up to a minute: say in one prompt all that should be seen.',
  answers: '{ id: string; filename: string }',
  input: z.object({
    prompt: z.string().min(1).max(4_000),
    size: z
      .string()
      .regex(/^[1-9]\d{1,3}x[1-9]\d{1,3}$/)
      .optional()
      .describe('WIDTHxHEIGHT in pixels, one that the provider makes: 1024x1024'),
  }),
  async run({ prompt, size }, context, signal) {
    const { illustrate } = context
    if (!illustrate)
      throw new Fault(
        'unsupported',
        'nobody_draws',
        'No provider that makes pictures is configured on this server (image_generation)',
      )
    const media = mediaOf(context)
    const bytes = await illustrate({ prompt, size: size as `${number}x${number}` | undefined }, signal)
    const kind = kindOf(bytes)
    if (!kind) throw new Fault('upstream', 'provider_failed', 'The provider answered with something that is no picture')
    const filename = `made.${kind.ending}`
    const id = await media.keep({ kind: 'img', filename, contentType: kind.contentType, bytes })
    return { id, filename }
  },
})

/** The kinds of pictures that providers make, by their first bytes. */
const kinds = [
  { starts: '89504e470d0a1a0a', ending: 'png', contentType: 'image/png' },
  { starts: 'ffd8ff', ending: 'jpg', contentType: 'image/jpeg' },
  { starts: '52494646', ending: 'webp', contentType: 'image/webp' },
] as const

const kindOf = (bytes: Uint8Array) => {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  return kinds.find(({ starts }) => head.startsWith(starts))
}
