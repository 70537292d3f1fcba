import { open } from 'node:fs/promises'

/** A transport stream (ISO/IEC 13818-1, 2.4.3.2) is recognised by the sync bytes of its first two packets. */
const packetBytes = 188
const headBytes = packetBytes + 1

interface Container {
  /** ffmpeg demuxers; none of them ever opens another file. */
  readonly demuxers: string
  readonly isIt: (head: Buffer) => boolean
}

const at = (head: Buffer, offset: number, text: string): boolean =>
  head.subarray(offset, offset + text.length).equals(Buffer.from(text, 'latin1'))

/** Containers by their magic numbers. Formats that refer to other files are excluded: playlists, cue sheets, scripts, patterns of names. */
const containers: readonly Container[] = [
  { demuxers: 'mov', isIt: (head) => at(head, 4, 'ftyp') },
  { demuxers: 'matroska', isIt: (head) => at(head, 0, '\x1a\x45\xdf\xa3') },
  { demuxers: 'wav', isIt: (head) => at(head, 0, 'RIFF') && at(head, 8, 'WAVE') },
  { demuxers: 'avi', isIt: (head) => at(head, 0, 'RIFF') && at(head, 8, 'AVI ') },
  { demuxers: 'ogg', isIt: (head) => at(head, 0, 'OggS') },
  { demuxers: 'flac', isIt: (head) => at(head, 0, 'fLaC') },
  { demuxers: 'flv', isIt: (head) => at(head, 0, 'FLV\x01') },
  // An ID3 tag, followed by one of these.
  { demuxers: 'mp3,aac,flac', isIt: (head) => at(head, 0, 'ID3') },
  { demuxers: 'mp3,aac', isIt: (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0 },
  { demuxers: 'mpeg', isIt: (head) => at(head, 0, '\x00\x00\x01\xba') },
  { demuxers: 'mpegts', isIt: (head) => head[0] === 0x47 && head[packetBytes] === 0x47 },
  { demuxers: 'asf', isIt: (head) => at(head, 0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11') },
  { demuxers: 'amr', isIt: (head) => at(head, 0, '#!AMR') },
  { demuxers: 'caf', isIt: (head) => at(head, 0, 'caff') },
  { demuxers: 'aiff', isIt: (head) => at(head, 0, 'FORM') },
  { demuxers: 'gif', isIt: (head) => at(head, 0, 'GIF8') },
]

/** The demuxers that may read a file, by its first bytes; undefined when it is not a known video or audio container. */
export async function demuxersFor(path: string): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const head = buffer.subarray(0, bytesRead)
    return containers.find(({ isIt }) => isIt(head))?.demuxers
  } finally {
    await file.close()
  }
}
