import { sniff } from '@skillrun/reader/media/sniff.ts'
import type { EditedPicture } from './edit-picture.ts'
import { encoded, openImage } from './open-picture.ts'

export default async function convertPicture({ bytes }: { bytes: Uint8Array }): Promise<EditedPicture> {
  const { mediaType } = await sniff(bytes)
  return encoded(await openImage({ bytes, mediaType }))
}
