import { Fault } from '@skillrun/core/fault.ts'
import type { JobTerms } from '@skillrun/core/job.ts'
import type { Json } from '@skillrun/core/json.ts'
import { drawTerms } from '@skillrun/reader/media/draw-page.ts'
import { z } from 'zod'
import type { ToolContext, ToolMedia } from '../agent/tool.ts'
import { type Edit, type EditedImage, editImageJob } from '../media/edit/edit-image.ts'

/** The image, document, audio or video that a tool works on. */
export const mediaName = z
  .string()
  .max(300)
  .optional()
  .describe(
    'Name of an input, or id of an artifact made in this run (such as img_a1b2c3); optional if there is only one input',
  )

export const pageNumber = z.int().min(1).default(1).describe('Page of the document, starting at 1')

const share = z.number().min(0).max(1)

/** A box in fractions of the image, as in evidence. */
export const boxInput = z
  .tuple([share, share, share, share])
  .describe(
    '[x, y, width, height] as fractions of the image (0 to 1), y downwards. Divide boxes given in thousandths of the page by 1000',
  )

/** The answer type of tools that edit an image. */
export const imageAnswer = '{ id: string; filename: string; width: number; height: number }'

/** The files of a run. Fault `no_media` if it has none, as in a program. */
export function mediaOf({ media }: Pick<ToolContext, 'media'>): ToolMedia {
  if (media) return media
  throw new Fault('unsupported', 'no_media', 'This tool needs the files of the run, which are not available here')
}

/** The name given, else that of the only input. Fault `unknown_input`. */
export function chosenName({ names }: ToolMedia, name: string | undefined): string {
  const [only, ...others] = names
  if (name !== undefined) return name
  if (only !== undefined && others.length === 0) return only
  throw new Fault(
    'invalid',
    'unknown_input',
    names.length === 0
      ? 'This run has no input files'
      : `Name one of the inputs, because there are several: ${names.join(', ')}`,
  )
}

/** Limits of a job on one image. */
export const imageTerms = (signal: AbortSignal): JobTerms => ({ ...drawTerms, signal })

/** Edits an image and saves the result as an artifact. */
export async function editAndKeep(
  context: ToolContext,
  asked: { image: string | undefined; page: number; edit: Edit; filename: string },
  signal: AbortSignal,
): Promise<Json> {
  const media = mediaOf(context)
  const name = chosenName(media, asked.image)
  const edited = await media.withBytes(
    name,
    (path) =>
      context.processPool.run(editImageJob, { path, page: asked.page - 1, edit: asked.edit }, imageTerms(signal)),
    signal,
  )
  return keepImage(media, edited, asked.filename)
}

async function keepImage(media: ToolMedia, edited: EditedImage, name: string): Promise<Json> {
  const { bytes, contentType, width, height } = edited
  const filename = `${name}.${contentType === 'image/png' ? 'png' : 'jpg'}`
  const id = await media.keep({ kind: 'img', filename, contentType, bytes })
  return { id, filename, width, height }
}
