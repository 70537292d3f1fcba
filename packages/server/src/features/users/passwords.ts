import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Fault } from '@skillrun/core/fault.ts'
import { limits } from '../../core/limits.ts'

/** Hashes a few passwords at a time: each takes a tenth of a second and much memory. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /**
   * Whether a password has this hash. Without a hash (null) it takes as long, and is false: the duration of a sign-in must not reveal who
   * has an account.
   */
  matches(password: string, hash: string | null): Promise<boolean>
  /** Whether a hash uses outdated parameters. */
  isOutdated(hash: string): boolean
}

/** Parameters of scrypt: N = 2^ln. */
interface Cost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** OWASP's recommendation with 32 MiB per hash. */
const recommended: Cost = { ln: 15, r: 8, p: 3 }
const saltBytes = 16
const hashBytes = 32
const pattern = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/

const plain = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** `cost` is another one only in tests, which sign in hundreds of times. */
export function makePasswordHasher(cost = recommended): PasswordHasher {
  const header = `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$`
  const inTurn = makeTurns(limits.passwordHashesAtOnce, limits.passwordHashesWaiting)
  const derive = (password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> =>
    inTurn(
      () =>
        new Promise<Buffer>((resolve, reject) => {
          const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 2 * 128 * 2 ** ln * r + 65_536 }
          // Normalised, because keyboards compose characters differently.
          scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, key) =>
            error ? reject(error) : resolve(key),
          )
        }),
    )
  return {
    async hash(password) {
      const salt = randomBytes(saltBytes)
      return `${header}${plain(salt)}$${plain(await derive(password, salt, cost))}`
    },
    async matches(password, hash) {
      const [, ln, r, p, salt = '', expected = ''] = pattern.exec(hash ?? '') ?? []
      const isKnown = ln !== undefined
      const used = isKnown ? { ln: Number(ln), r: Number(r), p: Number(p) } : cost
      const made = await derive(password, isKnown ? Buffer.from(salt, 'base64') : Buffer.alloc(saltBytes), used)
      const kept = isKnown ? Buffer.from(expected, 'base64') : randomBytes(hashBytes)
      return kept.length === made.length && timingSafeEqual(made, kept) && isKnown
    },
    isOutdated: (hash) => !hash.startsWith(header),
  }
}

/** Runs at most `atOnce` jobs in parallel; up to `waiting` wait. Fault `unavailable` beyond that. */
function makeTurns(atOnce: number, waitingMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax)
        throw new Fault('unavailable', 'sign_in_busy', 'Too many sign-ins at the same time; try again in a moment')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** A generated password, which its user has to change: 100 random bits in groups that can be read aloud. */
export function randomPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const groups = Array.from({ length: 4 }, () =>
    Array.from(randomBytes(40))
      // Larger bytes would favour the first letters.
      .filter((byte) => byte < letters.length * Math.floor(256 / letters.length))
      .slice(0, 5)
      .map((byte) => letters[byte % letters.length])
      .join(''),
  )
  return groups.join('-')
}

/** Why a password is too weak; undefined if it is not. */
export function weakness(password: string, email: string): string | undefined {
  const text = password.normalize('NFKC').toLowerCase()
  if ([...text].length < limits.passwordCharactersMin)
    return `A password needs at least ${limits.passwordCharactersMin} characters`
  const [local = ''] = email.split('@')
  if (text === email || (local.length > 3 && text.replaceAll(local, '').length < 4))
    return 'A password must be more than the email address'
  if (new Set(text).size < 5) return 'A password needs at least 5 different characters'
  return undefined
}
