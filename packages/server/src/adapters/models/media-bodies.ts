import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/**
 * Bytes of pictures, sound and files on their way to a provider. The AI SDK is given a short name in place of their base64, and
 * the name is exchanged for it when the body is sent: megabytes are encoded once and in slices, never searched, joined or
 * written out as JSON again with every turn.
 */
export interface SentMedia {
  /** The name of these bytes until `release`. Holds letters, digits and points alone. */
  nameOf(bytes: Uint8Array): string
  release(): void
}

/** Nobody who writes a text into a request can guess the names. */
const secret = randomBytes(16).toString('hex')
const namePattern = new RegExp(`media\\.${secret}\\.\\d+`, 'g')
const byName = new Map<string, Uint8Array>()
let named = 0

/** Names for the media of one call. */
export function sendMedia(): SentMedia {
  const names = new Map<Uint8Array, string>()
  return {
    nameOf(bytes) {
      const known = names.get(bytes)
      if (known !== undefined) return known
      named += 1
      const name = `media.${secret}.${named}`
      names.set(bytes, name)
      byName.set(name, bytes)
      return name
    },
    release() {
      for (const name of names.values()) byName.delete(name)
    },
  }
}

/** A body with each name exchanged for the base64 of its bytes; as it was where it has none. */
export async function bodyWithMedia(body: string): Promise<string | Blob> {
  if (byName.size === 0) return body
  const parts: (string | Blob)[] = []
  let end = 0
  for (const found of body.matchAll(namePattern)) {
    const bytes = byName.get(found[0])
    if (bytes === undefined) continue
    parts.push(body.slice(end, found.index), await encodedOnce(bytes))
    end = found.index + found[0].length
  }
  return end === 0 ? body : new Blob([...parts, body.slice(end)])
}

/** The same bytes go with every turn. */
const encoded = new WeakMap<Uint8Array, Promise<Blob>>()

function encodedOnce(bytes: Uint8Array): Promise<Blob> {
  const known = encoded.get(bytes)
  if (known) return known
  const made = encode(bytes)
  encoded.set(bytes, made)
  return made
}

/** A multiple of three, so that slices join without padding; encoding one takes about a millisecond. */
const sliceBytes = 3 * 256 * 1024

async function encode(bytes: Uint8Array): Promise<Blob> {
  const slices: Buffer[] = []
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    if (from > 0) await setImmediate()
    const slice = Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(sliceBytes, bytes.length - from))
    slices.push(Buffer.from(slice.toString('base64'), 'latin1'))
  }
  return new Blob(slices)
}
