const headBytes = 4
/** Larger frames are rejected by both sides. */
export const frameBytesMax = 64 * 1024 * 1024

/** A message as a frame: the length in four bytes, big-endian, then JSON. */
export function frameOf(message: unknown): Buffer {
  const text = JSON.stringify(message)
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(headBytes + length)
  frame.writeUInt32BE(length, 0)
  frame.write(text, headBytes)
  return frame
}

/** Parses frames from the chunks of a stream. Calls `onBad` once, and stops, when a frame is too long or is not JSON. */
export function readFrames(
  bytesMax: number,
  { onMessage, onBad }: { onMessage: (message: unknown) => void; onBad: () => void },
): (piece: Buffer) => void {
  let pieces: Buffer[] = []
  let held = 0
  let needed = headBytes
  let isBad = false
  const take = (): Buffer => {
    const all = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
    pieces = []
    return all
  }
  const bad = (): void => {
    isBad = true
    pieces = []
    onBad()
  }
  return (piece) => {
    if (isBad) return
    pieces.push(piece)
    held += piece.length
    while (!isBad && held >= needed) {
      const all = take()
      const length = all.readUInt32BE(0)
      if (length > bytesMax) {
        bad()
        return
      }
      needed = headBytes + length
      const isComplete = held >= needed
      const rest = isComplete ? all.subarray(needed) : all
      pieces = rest.length > 0 ? [rest] : []
      if (!isComplete) return
      held -= needed
      needed = headBytes
      let message: unknown
      try {
        message = JSON.parse(all.toString('utf8', headBytes, headBytes + length))
      } catch {
        bad()
        return
      }
      onMessage(message)
    }
  }
}
