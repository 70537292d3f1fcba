import { Fault } from '@skillrun/core/fault.ts'
import type { JobTerms } from '@skillrun/core/job.ts'
import type { Json } from '@skillrun/core/json.ts'
import { drawTerms } from '@skillrun/reader/media/draw-page.ts'
import { z } from 'zod'
import type { ToolContext, ToolMedia } from '../agent/tool.ts'
import { type Edit, type EditedPicture, editPictureJob } from '../media/edit/edit-picture.ts'

/** Which picture, or document, a tool works on. */
export const mediaName = z
  .string()
  .max(300)
  .optional()
  .describe(
    'The name of an input, or the id of something made (img_a1b2c3); may be left out when there is only one input',
  )

export const pageNumber = z.int().min(1).default(1).describe('Of a document with pages; the first page is 1')

const share = z.number().min(0).max(1)

/** A box in fractions of the picture, as evidence has it. */
export const boxInput = z
  .tuple([share, share, share, share])
  .describe(
    '[x, y, width, height] as fractions of the picture, y downwards; places that document.read gives are thousandths: divide them by 1,000',
  )

/** What an edited picture is told by. */
export const pictureAnswer = '{ id: string; filename: string; width: number; height: number }'

/** The media of a run. Fault `no_media` where it has none, as in a program. */
export function mediaOf({ media }: Pick<ToolContext, 'media'>): ToolMedia {
  if (media) return media
  throw new Fault('unsupported', 'no_media', 'This run has no files to work on')
}

/** The input that is meant: the one that is named, else the only one there is. */
export function chosenName({ names }: ToolMedia, name: string | undefined): string {
  const [only, ...others] = names
  if (name !== undefined) return name
  if (only !== undefined && others.length === 0) return only
  throw new Fault(
    'invalid',
    'unknown_input',
    names.length === 0 ? 'There are no files in this run' : `Say which input: ${names.join(', ')}`,
  )
}

/** What looking at one picture may take. */
export const pictureTerms = (signal: AbortSignal): JobTerms => ({ ...drawTerms, signal })

/** Edits a picture and keeps what comes of it. */
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
      context.workshop.run(editPictureJob, { path, page: asked.page - 1, edit: asked.edit }, pictureTerms(signal)),
    signal,
  )
  return keepPicture(media, edited, asked.filename)
}

async function keepPicture(media: ToolMedia, picture: EditedPicture, name: string): Promise<Json> {
  const { bytes, contentType, width, height } = picture
  const filename = `${name}.${contentType === 'image/png' ? 'png' : 'jpg'}`
  const id = await media.keep({ kind: 'img', filename, contentType, bytes })
  return { id, filename, width, height }
}
