import { readFile, stat } from 'node:fs/promises'
import { Fault } from '@skillrun/core/fault.ts'

/** Decoding this much on the main thread takes about ten milliseconds. */
const bytesMax = 8 * 1024 * 1024

/** The text of a UTF-8 file; undefined if it is not valid UTF-8. Fault `too_large` (`input_too_large`). */
export async function readTextFile(path: string): Promise<string | undefined> {
  const { size } = await stat(path)
  if (size > bytesMax)
    throw new Fault(
      'too_large',
      'input_too_large',
      `The file has ${size} bytes; files up to ${bytesMax} bytes can be read as text`,
    )
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
