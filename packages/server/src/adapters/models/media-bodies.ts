import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/**
 * Media on their way to a provider. The AI SDK gets a short placeholder instead of base64 text, which is substituted when
 * the request is sent: megabytes are encoded once, in slices, and never searched, joined or serialised as JSON in each turn.
 */
export interface SentMedia {
  /** The placeholder of these bytes until `release`. It contains only letters, digits and dots. */
  nameOf(bytes: Uint8Array): string
  release(): void
}

/** Random, so that text in a request cannot contain a valid placeholder. */
const secret = randomBytes(16).toString('hex')
const namePattern = new RegExp(`media\\.${secret}\\.\\d+`, 'g')
const byName = new Map<string, Uint8Array>()
let named = 0

/** Creates the placeholders of one call. */
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

/** Replaces each placeholder in a body by base64; returns a body without placeholders unchanged. */
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

/** Base64 by bytes: each turn sends the same media again. */
const encoded = new WeakMap<Uint8Array, Promise<Blob>>()

function encodedOnce(bytes: Uint8Array): Promise<Blob> {
  const known = encoded.get(bytes)
  if (known) return known
  const made = encode(bytes)
  encoded.set(bytes, made)
  return made
}

/** A multiple of three, so that encoded slices join without padding; encoding one takes about a millisecond. */
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
