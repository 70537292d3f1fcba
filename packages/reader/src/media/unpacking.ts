import type { Fault } from '@skillrun/core/fault.ts'
import { tooLarge } from './faults.ts'

/** The maximum ratio of unpacked to packed size: text compresses to a tenth or a fiftieth, bombs to a thousandth. */
const ratioMax = 200
/** Always allowed, whatever the ratio: a drawing of one repeated line is an honest small file. */
const freeBytes = 16 * 1024 * 1024

/** The maximum unpacked size of a document of `packedBytes`: limited by its size and by `bytesMax`. */
export function unpackedBytesMaxOf(packedBytes: number, bytesMax: number): number {
  return Math.min(bytesMax, Math.max(freeBytes, packedBytes * ratioMax))
}

/** The Fault for a document that exceeds `unpackedBytesMaxOf`; `what` as in `The archive`. */
export function unpacksToTooMuch(what: string, packedBytes: number, bytesMax: number): Fault {
  return tooLarge(
    `${what} has ${packedBytes} bytes and unpacks to more than ${unpackedBytesMaxOf(packedBytes, bytesMax)}, the limit for a file of its size.`,
  )
}
