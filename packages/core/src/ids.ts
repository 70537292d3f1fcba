import { createHash, randomBytes, randomUUID } from 'node:crypto'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * A new id: a UUID of version 7 (RFC 9562 section 5.7), lower-case, so that rows made later sort later and
 * an index on it stays dense.
 */
export function newId(now: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A random id with nothing in it that tells its time (UUID version 4): for request ids. */
export const newRandomId = (): string => randomUUID()

/** True for a UUID in lower case. Any version is accepted: clients bring their own. */
export const isId = (text: string): boolean => uuidPattern.test(text)

/** What is written down of a name that a client chose for a request of its own, to know it again by: no more than its hash. */
export const hashedName = (name: string): string => `sha256:${createHash('sha256').update(name).digest('hex')}`
