import type { Random } from '../random.ts'
import type { Accepts } from '../schemas.ts'
import type { Locale } from '../words.ts'

/** A company or person. Null is not printed. */
export interface Party {
  readonly name: string
  /** The contact person, printed beside or below the name; not part of the address. */
  readonly contact: string | null
  readonly addressLines: readonly string[]
  readonly country: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly fax: string | null
  readonly website: string | null
  readonly vatId: string | null
}

export interface BankAccount {
  readonly bank: string
  readonly iban: string | null
  readonly accountNumber: string
  readonly bic: string
}

/** Fills `{word}`, `{last}` and the placeholders of `Random.fill`. */
export function fillName(random: Random, pattern: string, locale: Locale): string {
  return random
    .fill(pattern)
    .replace(/\{word\}/g, () => locale.pick(random, 'word'))
    .replace(/\{last\}/g, () => locale.pick(random, 'lastNames'))
}

export const makeName = (random: Random, locale: Locale, kind: 'firms' | 'shops' | 'banks'): string =>
  fillName(random, locale.pick(random, kind), locale)

export const makePersonName = (random: Random, locale: Locale): string =>
  `${locale.pick(random, 'firstNames')} ${locale.pick(random, 'lastNames')}`

function makeAddressLines(random: Random, locale: Locale): string[] {
  const number = String(random.int(...locale.houseNumbers)) + (random.chance(0.08) ? random.pick(['a', 'b']) : '')
  const street = fillName(random, locale.pick(random, 'streets'), locale).replace('{n}', number)
  const { extraLines } = locale
  const extra = extraLines.length > 0 && random.chance(0.15) ? [random.fill(random.pick(extraLines))] : []
  return [street, ...extra, ...random.fill(locale.pick(random, 'cities')).split('/')]
}

/** A name as part of an internet domain. */
function slugOf(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word.length > 2)
  return words.slice(0, 2).join('-') || 'office'
}

export function makeParty(random: Random, locale: Locale, name?: string): Party {
  const partyName = name ?? makeName(random, locale, 'firms')
  const domain = `${slugOf(partyName)}.${locale.list('domain')[0]}`
  const mailbox = random.pick(['info', 'accounts', 'office', 'billing', 'sales', 'hello', 'contact'])
  const kept = <T>(probability: number, value: T): T | null => (random.chance(probability) ? value : null)
  return {
    name: partyName,
    contact: kept(0.25, makePersonName(random, locale)),
    addressLines: makeAddressLines(random, locale),
    country: kept(0.25, locale.country),
    email: kept(0.7, `${mailbox}@${domain}`),
    phone: kept(0.7, random.fill(locale.pick(random, 'phones'))),
    fax: kept(0.2, random.fill(locale.pick(random, 'phones'))),
    website: kept(0.4, `www.${domain}`),
    vatId: kept(0.7, random.fill(locale.pick(random, 'vatIds'))),
  }
}

/** The whole address, with lines joined by `, `. */
export function addressOf(party: Party): string {
  return [...party.addressLines, ...(party.country === null ? [] : [party.country])].join(', ')
}

/** A party with name and address only, for delivery addresses. */
export function nameAndAddress(party: Party): Party {
  return { ...party, email: null, phone: null, fax: null, website: null, vatId: null, contact: null }
}

/** The address without its country is also accepted. */
export function acceptedAddress(path: string, party: Party | null): Accepts {
  return party === null || party.country === null ? {} : { [path]: [party.addressLines.join(', ')] }
}

export function makeBankAccount(random: Random, locale: Locale): BankAccount {
  return {
    bank: makeName(random, locale, 'banks'),
    iban: locale.iban === null ? null : makeIban(locale.iban.code, random.fill(locale.iban.bban)),
    accountNumber: random.digits(random.int(8, 10)),
    bic: random.fill(`@@@@${locale.id.slice(3)}@#`),
  }
}

/** An IBAN with valid check digits (ISO 13616: ISO 7064 mod 97-10 over the rearranged number). */
function makeIban(country: string, bban: string): string {
  const digits = [...`${bban}${country}00`].map((c) => (/[A-Z]/.test(c) ? String(c.charCodeAt(0) - 55) : c)).join('')
  const check = 98n - (BigInt(digits) % 97n)
  return `${country}${String(check).padStart(2, '0')}${bban}`
}
