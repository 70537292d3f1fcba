import type { Fault } from '@skillrun/core/fault.ts'
import { tooLarge } from './faults.ts'

/** What a compressed document may unpack to: text packs to a tenth or a fiftieth, bombs to a thousandth. */
const ratioMax = 200
/** So little harms nobody, whatever the ratio: a drawing of one line over and over is an honest small file. */
const freeBytes = 16 * 1024 * 1024

/** The bytes that a document of `packedBytes` may unpack to in all: bounded by its size and by `bytesMax`. */
export function unpackedBytesMaxOf(packedBytes: number, bytesMax: number): number {
  return Math.min(bytesMax, Math.max(freeBytes, packedBytes * ratioMax))
}

/** The Fault of a document that unpacks to more than `unpackedBytesMaxOf` it; `what` as in `The archive`. */
export function unpacksToTooMuch(what: string, packedBytes: number, bytesMax: number): Fault {
  return tooLarge(
    `${what} has ${packedBytes} bytes and unpacks to more than ${unpackedBytesMaxOf(packedBytes, bytesMax)}, which is as many as are read of a file of its size.`,
  )
}
