import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { type ToolContext, tool } from '../../agent/tool.ts'
import { convertImageJob, type EditedImage } from '../../media/edit/edit-image.ts'
import { imageTerms, mediaOf } from '../images.ts'

/** An image generated from a text prompt. */
export const imageGenerate = tool({
  name: 'image.generate',
  toolset: 'image-gen',
  description:
    'Generate an image from a text prompt and save it as an image artifact. Returns its id; to include the artifact in your answer, write {"id": "img_…"}. Each call costs money and takes up to a minute, so describe everything that should be visible in one prompt. Use it only if the request asks for a new image.',
  answers: '{ id: string; filename: string }',
  input: z.object({
    prompt: z.string().min(1).max(4_000).describe('Complete description of the image'),
    size: z
      .string()
      .regex(/^[1-9]\d{1,3}x[1-9]\d{1,3}$/)
      .optional()
      .describe('WIDTHxHEIGHT in pixels, a size that the provider supports, such as 1024x1024'),
  }),
  async run({ prompt, size }, context, signal) {
    const { illustrate } = context
    if (!illustrate)
      throw new Fault(
        'unsupported',
        'no_image_generator',
        'No image generator is configured on this server; the operator sets one under `image_generation` in the configuration',
      )
    const media = mediaOf(context)
    const bytes = await illustrate({ prompt, size: size as `${number}x${number}` | undefined }, signal)
    const { bytes: kept, contentType } = await asArtifact(context, bytes, signal)
    const filename = contentType === 'image/png' ? 'made.png' : 'made.jpg'
    const id = await media.keep({ kind: 'img', filename, contentType, bytes: kept })
    return { id, filename }
  },
})

/** File signatures of the image formats that clients accept in artifacts. */
const kinds = [
  { starts: '89504e470d0a1a0a', contentType: 'image/png' },
  { starts: 'ffd8ff', contentType: 'image/jpeg' },
] as const

/** A PNG or JPEG unchanged; any other format, such as WebP, converted. Fault `provider_failed` for bytes that are no image. */
async function asArtifact(
  { processPool }: Pick<ToolContext, 'processPool'>,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Pick<EditedImage, 'bytes' | 'contentType'>> {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  const kind = kinds.find(({ starts }) => head.startsWith(starts))
  if (kind) return { bytes, contentType: kind.contentType }
  return processPool.run(convertImageJob, { bytes }, imageTerms(signal)).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.retryable) throw error
    throw new Fault('upstream', 'provider_failed', 'The provider returned a file that is not a readable image')
  })
}
