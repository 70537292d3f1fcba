import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { Fault } from './fault.ts'

/** Encryption of secrets: the first key encrypts, all keys decrypt. */
export interface SecretKeys {
  /** Encrypts with AES-256-GCM. `place` identifies where the secret is stored; it can only be decrypted for the same place. */
  seal(secret: Uint8Array, place: string): Buffer
  /** Decrypts. Throws Fault `unavailable` (`unknown_secret_key`) for another key or another place. */
  open(sealed: Uint8Array, place: string): Buffer
  /** Whether a secret is encrypted with the first key. */
  isCurrent(sealed: Uint8Array): boolean
}

const algorithm = 'aes-256-gcm'
const keyBytes = 32
/** The layout of an encrypted secret: format, key id, nonce (NIST SP 800-38D, 8.2.2), ciphertext, tag. */
const format = 1
const idBytes = 8
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + idBytes + nonceBytes

const idOf = (key: Buffer): Buffer =>
  createHash('sha256').update('skillrun key ').update(key).digest().subarray(0, idBytes)

export function secretKeysOf(keys: readonly [Buffer, ...Buffer[]]): SecretKeys {
  const [current] = keys
  return {
    seal(secret, place) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, current, nonce).setAAD(Buffer.from(place))
      const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([Buffer.from([format]), idOf(current), nonce, ciphertext, cipher.getAuthTag()])
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed)
      const id = bytes.subarray(1, 1 + idBytes)
      const isWhole = bytes[0] === format && bytes.length >= headBytes + tagBytes
      const key = isWhole ? keys.find((one) => idOf(one).equals(id)) : undefined
      if (!key) throw unknownKey()
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(1 + idBytes, headBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(headBytes, -tagBytes)), decipher.final()])
      } catch {
        throw unknownKey()
      }
    },
    isCurrent: (sealed) => idOf(current).equals(sealed.subarray(1, 1 + idBytes)),
  }
}

/** A new key in the text form of the environment variable and the key file. */
export const newKeyText = (): string => randomBytes(keyBytes).toString('base64')

/** Parses keys separated by commas or white space; undefined unless each is 32 bytes in base64. */
export function parseKeys(text: string): readonly [Buffer, ...Buffer[]] | undefined {
  const keys = text.split(/[\s,]+/).filter((one) => one !== '')
  const [first, ...rest] = keys.map((one) => Buffer.from(one, 'base64'))
  const isEach = keys.every((one) => /^[A-Za-z0-9+/]{43}=$/.test(one))
  return first && isEach ? [first, ...rest] : undefined
}

const unknownKey = (): Fault =>
  new Fault(
    'unavailable',
    'unknown_secret_key',
    'The secrets in this database are encrypted with a key that this process does not have: set SKILLRUN_SECRET_KEY, or the file secret.key in the data folder, to the key of the first process that used this database.',
  )
