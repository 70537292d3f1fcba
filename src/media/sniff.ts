import { fileTypeFromBuffer } from 'file-type'

/** The media type of some bytes by their content alone; `application/octet-stream` where nothing is known of them. */
export async function sniffMediaType(bytes: Uint8Array): Promise<string> {
  const known = await fileTypeFromBuffer(bytes)
  if (known !== undefined) return known.mime
  return bytes.includes(0) ? 'application/octet-stream' : 'text/plain'
}
