import { open } from 'node:fs/promises'

const headBytes = 16

/** True when a file starts like audio or video. A cheap first check; the transcoder decides. */
export async function looksTimed(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(headBytes)
    const { bytesRead } = await file.read(head, 0, headBytes, 0)
    return isTimedHead(head.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/** Checks for the signatures of common containers that ffmpeg reads. */
export function isTimedHead(head: Buffer): boolean {
  const at = (offset: number, text: string): boolean =>
    head.subarray(offset, offset + text.length).equals(Buffer.from(text, 'latin1'))
  const brand = head.subarray(8, 12).toString('latin1')
  // Images in the same container family have their own brands.
  if (at(4, 'ftyp')) return !/^(avif|avis|heic|heix|hevc|heim|heis|mif1|msf1|crx )$/.test(brand)
  if (at(0, 'RIFF')) return at(8, 'WAVE') || at(8, 'AVI ')
  if (at(0, '\x1a\x45\xdf\xa3') || at(0, 'OggS') || at(0, 'fLaC') || at(0, 'FLV\x01')) return true
  if (at(0, 'ID3') && (head[3] ?? 255) < 5) return true
  if (at(0, '\x00\x00\x01\xba') || at(0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11')) return true
  if (at(0, '#!AMR') || at(0, 'caff') || at(0, 'FORM')) return true
  // A frame of MPEG audio, layer II or III, or of AAC in ADTS. Layer I is excluded, as UTF-16 texts start like it.
  const second = head[1] ?? 0
  if (head[0] !== 0xff || (second & 0xe0) !== 0xe0) return false
  const isAdts = (second & 0xf6) === 0xf0
  const isMpeg =
    (second & 0x18) !== 0x08 &&
    ((second & 0x06) === 0x02 || (second & 0x06) === 0x04) &&
    ((head[2] ?? 0xff) & 0xf0) !== 0xf0
  return isAdts || isMpeg
}
