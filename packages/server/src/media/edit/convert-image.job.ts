import { sniff } from '@skillrun/reader/media/sniff.ts'
import type { EditedImage } from './edit-image.ts'
import { encoded, openImage } from './open-image.ts'

export default async function convertImage({ bytes }: { bytes: Uint8Array }): Promise<EditedImage> {
  const { mediaType } = await sniff(bytes)
  return encoded(await openImage({ bytes, mediaType }))
}
