import type { Random } from './random.ts'
import type { Accepts } from './truth.ts'
import { pickWord, type Split } from './words/lexicon.ts'
import type { Locale } from './words/locale.ts'

/** A firm or a person as a document may print it. Null means that it is not printed. */
export interface Party {
  readonly name: string
  /** Contact person, printed beside or under the name; not part of the address. */
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

const WORDS =
  'Northwind|Alder|Brightwater|Meridian|Falcon|Copperfield|Larkspur|Vantage|Summit|Cobalt|Juniper|Harbour|Pinnacle|Orchard|Stonegate|Kestrel|Aurora|Ironbridge|Willow|Sterling|Boreal|Tamarack|Helix|Corvus|Marlowe|Ashgrove|Solara|Quayside|Redfern|Lumen|Novara|Castell|Delta|Orion|Vela|Primus|Alpina|Rondo'
const FIRST_WORDS =
  'Zephyr|Granite|Bluebell|Halcyon|Thornbury|Osprey|Tidewater|Marigold|Arkadia|Fjord|Cassini|Levante|Monolith|Peregrine|Saffron'
const SECOND_WORDS =
  'Lindqvist|Amberley|Tessera|Northgate|Calder|Vireo|Montrose|Basalt|Oakhaven|Celeste|Ravenna|Hawthorn|Silvano|Kadenz|Miravel|Tarn'

const THIRD_WORDS =
  'Quill|Sable|Verity|Ardent|Cinder|Lodestar|Mistral|Nocturne|Palisade|Rowan|Sequoia|Trellis|Umber|Wexford|Yarrow|Zenith'

const FOURTH_WORDS =
  'Bramble|Caspian|Dovetail|Elmstead|Foxglove|Glasswing|Hollis|Inverness|Jasper|Kingfisher|Linden|Moorland'

/** Words of names that a part has beside the common ones. */
const ownWords: Readonly<Record<Split, string>> = {
  train: `${FIRST_WORDS}|${SECOND_WORDS}`,
  released: `${SECOND_WORDS}|${SECOND_WORDS}`,
  'kept-out': `${THIRD_WORDS}|${THIRD_WORDS}`,
  'kept-out-4': `${FOURTH_WORDS}|${FOURTH_WORDS}`,
}

function makeWord(random: Random, split: Split): string {
  return pickWord(random, `${WORDS}|${ownWords[split]}`)
}

/** Fills `{word}`, `{last}`, `{n}` and the marks of `Random.fill`. */
export function fillName(random: Random, pattern: string, locale: Locale, split: Split): string {
  return random
    .fill(pattern)
    .replace(/\{word\}/g, () => makeWord(random, split))
    .replace(/\{last\}/g, () => pickWord(random, locale.lexicon.lastNames))
}

export function makeFirmName(random: Random, locale: Locale, split: Split): string {
  return fillName(random, pickWord(random, locale.firms), locale, split)
}

export function makeShopName(random: Random, locale: Locale, split: Split): string {
  return fillName(random, pickWord(random, locale.shops), locale, split)
}

export function makeBankName(random: Random, locale: Locale, split: Split): string {
  return fillName(random, pickWord(random, locale.banks), locale, split)
}

export function makePersonName(random: Random, locale: Locale): string {
  return `${pickWord(random, locale.lexicon.firstNames)} ${pickWord(random, locale.lexicon.lastNames)}`
}

function makeAddressLines(random: Random, locale: Locale, split: Split): string[] {
  const number = String(random.int(...locale.houseNumbers)) + (random.chance(0.08) ? random.pick(['a', 'b']) : '')
  const street = fillName(random, pickWord(random, locale.streets), locale, split).replace('{n}', number)
  const extra =
    locale.extraLines !== undefined && random.chance(0.15) ? [random.fill(pickWord(random, locale.extraLines))] : []
  return [street, ...extra, ...random.fill(pickWord(random, locale.cities)).split('/')]
}

/** A name made fit for an internet domain. */
function slugOf(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word.length > 2)
  return words.slice(0, 2).join('-') || 'office'
}

export function makeParty(
  random: Random,
  { locale, split, name }: { locale: Locale; split: Split; name?: string },
): Party {
  const partyName = name ?? makeFirmName(random, locale, split)
  const domain = `${slugOf(partyName)}.${locale.domain}`
  const mailbox = random.pick(['info', 'accounts', 'office', 'billing', 'sales', 'hello', 'contact'])
  const kept = <T>(probability: number, value: T): T | null => (random.chance(probability) ? value : null)
  return {
    name: partyName,
    contact: kept(0.25, makePersonName(random, locale)),
    addressLines: makeAddressLines(random, locale, split),
    country: kept(0.25, locale.country),
    email: kept(0.7, `${mailbox}@${domain}`),
    phone: kept(0.7, random.fill(random.pick(locale.phones))),
    fax: kept(0.2, random.fill(random.pick(locale.phones))),
    website: kept(0.4, `www.${domain}`),
    vatId: kept(0.7, random.fill(random.pick(locale.vatIds))),
  }
}

/** The whole address as one string, lines joined by `, `. */
export function addressOf(party: Party): string {
  return [...party.addressLines, ...(party.country === null ? [] : [party.country])].join(', ')
}

/** The address without its country, where it has one, is as good an answer. */
export function acceptedAddress(path: string, party: Party | null): Accepts {
  return party === null || party.country === null ? {} : { [path]: [party.addressLines.join(', ')] }
}

export function makeBankAccount(random: Random, locale: Locale, split: Split): BankAccount {
  const bank = makeBankName(random, locale, split)
  return {
    bank,
    iban: locale.iban === null ? null : makeIban(locale.iban.code, random.fill(locale.iban.bban)),
    accountNumber: random.digits(random.int(8, 10)),
    bic: random.fill(`@@@@${locale.id.slice(3)}@#`),
  }
}

/** An IBAN with right check digits (ISO 13616: ISO 7064 mod 97-10 over the rearranged number). */
function makeIban(country: string, bban: string): string {
  const digits = [...`${bban}${country}00`].map((c) => (/[A-Z]/.test(c) ? String(c.charCodeAt(0) - 55) : c)).join('')
  const check = 98n - (BigInt(digits) % 97n)
  return `${country}${String(check).padStart(2, '0')}${bban}`
}
