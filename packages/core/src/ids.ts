import { createHash, randomBytes, randomUUID } from 'node:crypto'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * A new id: a UUID version 7 (RFC 9562 section 5.7) in lower case. Later ids sort later, which keeps indexes dense.
 */
export function newId(now: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A random id that does not reveal its time (UUID version 4), for request ids. */
export const newRandomId = (): string => randomUUID()

/** Whether a text is a lower-case UUID of any version. */
export const isId = (text: string): boolean => uuidPattern.test(text)

/** The stored form of a name that a client chose for a request: its hash, which is enough to recognise the name again. */
export const hashedName = (name: string): string => `sha256:${createHash('sha256').update(name).digest('hex')}`
