import { damaged } from '../faults.ts'

const block = 512

/**
 * The regular files of a tar (POSIX.1-2017, pax, "ustar Interchange Format"), with long names of pax and GNU. Other
 * entries are skipped. Throws a Fault when it is truncated or a checksum is wrong.
 */
export function tarEntries(tar: Buffer): readonly { readonly name: string; readonly content: Buffer }[] {
  const entries: { name: string; content: Buffer }[] = []
  let longName: string | undefined
  for (let at = 0; at + block <= tar.length; ) {
    const header = tar.subarray(at, at + block)
    // Zero blocks end the archive.
    if (header.every((byte) => byte === 0)) return entries
    if (octal(header, 148, 8) !== checksum(header)) throw damaged('The archive is damaged: a checksum does not match.')
    const size = octal(header, 124, 12)
    const from = at + block
    if (!Number.isSafeInteger(size) || from + size > tar.length)
      throw damaged('The archive is damaged: it ends in the middle of a file.')
    const content = tar.subarray(from, from + size)
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'L') longName = text(content, 0, content.length)
    else if (type === 'x') longName = paxPath(content) ?? longName
    else {
      if (type === '0' || type === '\0') entries.push({ name: longName ?? shortName(header), content })
      longName = undefined
    }
    at = from + Math.ceil(size / block) * block
  }
  return entries
}

const text = (bytes: Buffer, at: number, length: number): string =>
  bytes.toString('utf8', at, at + length).replace(/\0[\s\S]*$/, '')

const octal = (header: Buffer, at: number, length: number): number =>
  Number.parseInt(text(header, at, length).trim() || '0', 8)

function checksum(header: Buffer): number {
  let sum = 0
  // The checksum field itself counts as spaces.
  header.forEach((byte, index) => {
    sum += index >= 148 && index < 156 ? 32 : byte
  })
  return sum
}

function shortName(header: Buffer): string {
  const [name, prefix] = [text(header, 0, 100), text(header, 345, 155)]
  return prefix === '' ? name : `${prefix}/${name}`
}

/** `LENGTH path=VALUE` among the records of a pax header. */
const paxPath = (records: Buffer): string | undefined => /^\d+ path=(.*)$/m.exec(records.toString('utf8'))?.[1]
