import type { ScriptFile } from '../scripts.ts'

const blockBytes = 512
const nameBytesMax = 100
const prefixBytesMax = 155

/**
 * A ustar archive of these files (POSIX.1-1988). Undefined when a path is too long for its two fields: 100 bytes, and 155
 * before a `/`.
 */
export function tarOf(files: readonly ScriptFile[]): Buffer | undefined {
  const blocks: Buffer[] = []
  for (const { path, bytes } of files) {
    const split = splitPath(path)
    if (split === undefined) return undefined
    const header = Buffer.alloc(blockBytes)
    header.write(split.name, 0)
    header.write('0000555\0', 100)
    header.write('0000000\0', 108)
    header.write('0000000\0', 116)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('00000000000\0', 136)
    header.write('        ', 148)
    header.write('0', 156)
    header.write('ustar\u000000', 257)
    header.write(split.prefix, 345)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    blocks.push(header, Buffer.from(bytes), Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes))
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])
}

function splitPath(path: string): { name: string; prefix: string } | undefined {
  if (Buffer.byteLength(path) <= nameBytesMax) return { name: path, prefix: '' }
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)]
    if (Buffer.byteLength(prefix) <= prefixBytesMax && Buffer.byteLength(name) <= nameBytesMax) return { name, prefix }
  }
  return undefined
}
