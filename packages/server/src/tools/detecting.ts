import { z } from 'zod'
import type { ToolContext } from '../agent/tool.ts'
import { type Detected, type DetectRequest, detectJob, detectTerms, requireDetectors } from '../media/detect/detect.ts'
import { chosenName, mediaName, mediaOf, pageNumber } from './images.ts'

/** Input of both detectors. */
export const detectInput = z.object({
  image: mediaName,
  page: pageNumber,
  score_min: z
    .number()
    .min(0.2)
    .max(1)
    .default(0.5)
    .describe('Minimum detector score; detections below it are left out'),
})

/** Detects faces or objects on an image of the run. Fault `unknown_input`, and the Fault of missing detectors. */
export async function detectOn(
  context: ToolContext,
  asked: z.infer<typeof detectInput> & { readonly what: DetectRequest['what'] },
  signal: AbortSignal,
): Promise<readonly Detected[]> {
  const module = requireDetectors()
  const media = mediaOf(context)
  const { image, page, score_min: scoreMin, what } = asked
  return media.withBytes(
    chosenName(media, image),
    (path) => context.processPool.run(detectJob, { path, page: page - 1, what, module, scoreMin }, detectTerms(signal)),
    signal,
  )
}
