import type { ScriptFile } from '../scripts.ts'

const blockBytes = 512
const nameCharactersMax = 255
const depthMax = 16

/** The files of a script's folder, read from tar. */
export interface Produced {
  readonly files: readonly ScriptFile[]
  readonly leftOut: readonly string[]
}

/**
 * Reads the files of an untrusted tar stream (POSIX.1-1988 ustar, as GNU tar writes it). Entries that are not regular files,
 * or have unsafe names, are skipped and reported in `leftOut`. Never throws.
 */
export function readProduced(tar: Buffer, { filesMax, bytesMax }: { filesMax: number; bytesMax: number }): Produced {
  const files: ScriptFile[] = []
  const leftOut: string[] = []
  const taken = new Set<string>()
  let bytes = 0
  for (let at = 0; at + blockBytes <= tar.length; ) {
    const header = tar.subarray(at, at + blockBytes)
    if (header.every((byte) => byte === 0)) break
    const size = octal(header, 124, 12)
    const end = at + blockBytes + (size ?? 0)
    if (size === undefined || end > tar.length) {
      leftOut.push('the rest of its folder could not be read')
      break
    }
    const type = String.fromCharCode(header[156] ?? 0)
    const path = pathOf(header)
    const isFolder = type === '5'
    if (!isFolder && (type === '0' || type === '\0')) {
      const refusal = path === undefined ? 'a file whose name is not UTF-8' : refusalOf(path, taken)
      if (refusal !== undefined) leftOut.push(refusal)
      else if (files.length >= filesMax) leftOut.push(`files beyond ${filesMax}`)
      else if (bytes + size > bytesMax) leftOut.push(`files beyond ${bytesMax} bytes`)
      else if (path !== undefined) {
        bytes += size
        taken.add(keyOf(path))
        files.push({ path, bytes: Buffer.from(tar.subarray(at + blockBytes, end)) })
      }
    } else if (!isFolder) leftOut.push('an entry that is not a regular file')
    at = at + blockBytes + Math.ceil(size / blockBytes) * blockBytes
  }
  return { files, leftOut: [...new Set(leftOut)].slice(0, 20) }
}

function octal(header: Buffer, from: number, length: number): number | undefined {
  const text = header
    .toString('latin1', from, from + length)
    .replaceAll('\0', ' ')
    .trim()
  return /^[0-7]{1,11}$/.test(text) ? Number.parseInt(text, 8) : undefined
}

/** Prefix and name joined, without a leading `./`; undefined when they are not UTF-8. */
function pathOf(header: Buffer): string | undefined {
  const field = (from: number, length: number): string => {
    const bytes = header.subarray(from, from + length)
    const end = bytes.indexOf(0)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(end < 0 ? bytes : bytes.subarray(0, end))
  }
  try {
    const prefix = field(345, 155)
    const name = field(0, 100)
    return (prefix === '' ? name : `${prefix}/${name}`).replace(/^\.\//, '')
  } catch {
    return undefined
  }
}

/** Equal for names that collide on a case-insensitive or normalising file system. */
const keyOf = (path: string): string => path.normalize('NFC').toLowerCase()

function refusalOf(path: string, taken: ReadonlySet<string>): string | undefined {
  const steps = path.split('/')
  const isPlain = steps.every((step) => step !== '' && step !== '.' && step !== '..' && step.trim() === step)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
  if (!isPlain || /[\u0000-\u001f\u007f\\:]/.test(path)) return 'a file whose name is not a plain relative path'
  if (path.length > nameCharactersMax || steps.length > depthMax) return 'a file whose name is too long'
  return taken.has(keyOf(path)) ? 'a file whose name is already taken by another' : undefined
}
