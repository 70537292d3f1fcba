import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { type ToolContext, tool } from '../../agent/tool.ts'
import { convertPictureJob, type EditedPicture } from '../../media/edit/edit-picture.ts'
import { mediaOf, pictureTerms } from '../pictures.ts'

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
    const { bytes: kept, contentType } = await asArtifact(context, bytes, signal)
    const filename = contentType === 'image/png' ? 'made.png' : 'made.jpg'
    const id = await media.keep({ kind: 'img', filename, contentType, bytes: kept })
    return { id, filename }
  },
})

/** Signatures of the kinds that artifacts of pictures may have: clients take no others. */
const kinds = [
  { starts: '89504e470d0a1a0a', contentType: 'image/png' },
  { starts: 'ffd8ff', contentType: 'image/jpeg' },
] as const

/** A picture as an artifact may be: as it came, or written anew where it is of another kind, such as WebP. */
async function asArtifact(
  { workshop }: Pick<ToolContext, 'workshop'>,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Pick<EditedPicture, 'bytes' | 'contentType'>> {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  const kind = kinds.find(({ starts }) => head.startsWith(starts))
  if (kind) return { bytes, contentType: kind.contentType }
  return workshop.run(convertPictureJob, { bytes }, pictureTerms(signal)).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.retryable) throw error
    throw new Fault('upstream', 'provider_failed', 'The provider answered with something that is no picture')
  })
}
