import { remembered } from '../layout/remembered.ts'
import { fold } from '../layout/text.ts'
import { meanings } from './form-meanings.ts'

/** Meanings that many labels have: they tell little alone. */
const light = new Set('no date name amount total kind by count result'.split(' '))

/** Meanings of words for people and organisations. */
const somebody = new Set(
  'customer member supplier buyer landlord tenant owner coowner patient doctor dentist nurse vet pharmacist prescriber insured insurer holder applicant sender recipient carrier driver issuer employer employee student teacher director president secretary treasurer parent representative lawyer notary bailiff judge plaintiff defendant witness father mother spouse deputy supervisor technician inspector traveller person child host builder dealer payer beneficiary borrower creditor debtor lender guarantor heir deceased claimant thirdparty donor valuer captain pilot organiser artist publisher candidate shipagent commander participant manufacturer installer provider airline signatory charterer notify laboratory clinic school court bank company shop cashier club resident taxpayer management municipality farm prescriber handled contact'.split(
    ' ',
  ),
)
/** Meanings of what somebody has. */
const attributes = new Set(
  'no date birth place street postcode country address phone email sex nationality identity passport position taxcode account fax kind amount total count share percent hours time status plate vatrate age language religion'.split(
    ' ',
  ),
)

export const meansOneOf = ({ meanings }: MeantWord, group: ReadonlySet<string>): boolean =>
  [...meanings].some((meaning) => group.has(meaning))

/** True for a word of forms, as it is or in another form. */
export const isWordOfForms = (word: string): boolean => known(fold(word)) !== null

/** True for the name of a field that asks who somebody is: `referring_physician`, `member_name`, not `physician_phone`. */
export function namesSomebody(name: readonly MeantWord[]): boolean {
  const words = name.filter(({ meanings }) => !meanings.has('name'))
  const last = words.at(-1)
  return (
    last !== undefined &&
    meansOneOf(last, somebody) &&
    words.every((word) => word === last || (byPhrase.has(word.word) && !meansOneOf(word, attributes)))
  )
}

/** Words between the others that mean nothing. */
const fillers = new Set(
  'the a an of for in and or to at is your our its their der die das des dem den und für im in ihr ihre ihrer unser le la les l de du des d et en au aux à votre notre el los las del y e su sus nuestro il lo gli i della dello dei degli delle di al alla vostro nostro het een van voor uw ons en te o os as do da dos das para seu sua s mr mrs please bitte dd mm yyyy yy tt jj aaaa jjjj gg'.split(
    ' ',
  ),
)

const wordPattern = /[\p{L}\p{N}]+|[#№º°]/gu

const spelledLettersMin = 5

/** Names of fields spell letters out: `zaehler` for `zähler`, `gebaeude` for `gebäude`. */
const withPlainVowels = (word: string): string =>
  word.length < spelledLettersMin || !/[aou]e/.test(word)
    ? word
    : word.replace(/aeu/g, 'au').replace(/(?<![aeiouq])([aou])e(?=[^aeiou])(?!s$)/g, '$1')

/** The folded words of a label or a name; `N.º` and `#` are words for number. */
function labelWords(text: string): readonly string[] {
  const plain = /[º°'’.]/u.test(text)
    ? text
        .replace(/(?<![\p{L}\p{N}])n\s?[.]?\s?[º°](?!\p{L})/giu, ' nr ')
        .replace(/['’]s(?!\p{L})/gu, '')
        .replace(/(?<!\p{L})(?:\p{L}\.){2,}/gu, (letters) => letters.replaceAll('.', ''))
    : text
  if (/^[\x20-\x22\x24-\x7e]*$/.test(plain))
    return (
      plain
        .toLowerCase()
        .match(/[a-z\d]+/g)
        ?.map(withPlainVowels) ?? []
    )
  return [...plain.matchAll(wordPattern)].map(([word]) => (/[#№º°]/u.test(word) ? 'nr' : withPlainVowels(fold(word))))
}

const byPhrase = new Map<string, Set<string>>()
/** The number of words of the longest phrase that starts with a word. */
const longestFrom = new Map<string, number>()
for (const line of meanings.split('\n')) {
  const at = line.indexOf(':')
  if (at < 0) continue
  for (const phrase of line.slice(at + 1).split(',')) {
    const words = labelWords(phrase)
    const key = words.join(' ')
    const [first = ''] = words
    longestFrom.set(first, Math.max(longestFrom.get(first) ?? 1, words.length))
    byPhrase.set(key, (byPhrase.get(key) ?? new Set()).add(line.slice(0, at)))
  }
}

/** A word of a label or a name with its meanings; without any, the word itself. */
export interface MeantWord {
  readonly word: string
  readonly meanings: ReadonlySet<string>
  readonly weight: number
}

const lightWeight = 0.4

const inflectedLettersMin = 5
/** Endings of plurals, cases and feminine forms, and what they stand for. */
const endings: readonly (readonly [string, readonly string[]])[] = [
  ['innen', ['', 'e']],
  ['ees', ['e']],
  ['ee', ['e']],
  ['in', ['', 'e']],
  ['as', ['o', 'a']],
  ['os', ['o']],
  ['es', ['', 'e']],
  ['en', ['', 'e']],
  ['s', ['']],
  ['n', ['']],
  ['a', ['o', '']],
  ['i', ['o', 'e']],
  ['e', ['', 'a']],
]

/** A word that is known, or a known one that it is a form of: `kundin`, `alunos`. */
const known = remembered((word): string | null => {
  if (byPhrase.has(word)) return word
  if (word.length < inflectedLettersMin) return null
  for (const [ending, stands] of endings) {
    if (!word.endsWith(ending)) continue
    const stem = word.slice(0, -ending.length)
    const found = stands
      .map((letters) => stem + letters)
      .find((one) => one.length > partLettersMin && byPhrase.has(one))
    if (found !== undefined) return found
  }
  return null
})

const partLettersMin = 3
/** Shorter words end many words by chance. */
const tailLettersMin = 5
const lightTailLettersMin = 4

/** An unknown word that ends with a known one: `fabriknummer`, `keuringsdatum`. */
function tailOf(word: string): readonly [string, string] | null {
  for (let at = partLettersMin; word.length - at >= lightTailLettersMin; at++) {
    const last = word.slice(at)
    const found = byPhrase.get(last)
    if (found === undefined) continue
    if (last.length >= tailLettersMin || [...found].every((one) => light.has(one))) return [word.slice(0, at), last]
  }
  return null
}

/** Longer words are no compounds: to look for the parts of a text without spaces takes time by the square of its length. */
const compoundLettersMax = 60

/** The parts of a compound of two known words, with a linking letter or without: `geburtsdatum`, `zimmernummer`. */
const partsOf = remembered((word): readonly [string, string] | null => {
  if (word.length > compoundLettersMax) return null
  for (let at = word.length - partLettersMin; at >= partLettersMin; at--) {
    const last = word.slice(at)
    if (!byPhrase.has(last)) continue
    const first = word.slice(0, at)
    const stem = [first, first.replace(/(?:s|n|en|es|e)$/u, ''), `${first}e`, `${first}en`, `${first}ung`].find(
      (one) => (one.length >= partLettersMin ? byPhrase.has(one) : false),
    )
    if (stem !== undefined) return [stem, last]
  }
  return tailOf(word)
})

/** Units in names of fields, which labels seldom have: `volume_m3`. */
const units = new Set('eur usd gbp chf mxn brl percent pct mg dl ml cl um m2 m3 cm mm kwh kw lux mt kmh t l'.split(' '))
const unitWeight = 0.2

const meant = (word: string, share = 1): MeantWord => {
  const found = byPhrase.get(known(word) ?? word) ?? new Set([word])
  const weight = units.has(word) ? unitWeight : [...found].every((one) => light.has(one)) ? lightWeight : 1
  return { word, meanings: found, weight: share * weight }
}

/** Words in front of what only specifies the words before: `Purpose of loan`. */
const genitives = new Set('of de du des di del della do da van von der'.split(' '))
const specifiedShare = 0.5

/** What a word or a phrase means, looked up once. */
interface Looked {
  readonly longest: number
  readonly isFiller: boolean
  readonly isGenitive: boolean
  /** Its meanings, or those of the parts of a compound. */
  readonly whole: readonly MeantWord[]
  /** The same where it specifies the words before. */
  readonly specifying: readonly MeantWord[]
}

const lookUp = remembered((word): Looked => {
  const parts = (known(word) === null ? partsOf(word) : null) ?? [word]
  return {
    longest: longestFrom.get(word) ?? 1,
    isFiller: fillers.has(word),
    isGenitive: genitives.has(word),
    whole: parts.map((part) => meant(part)),
    specifying: parts.map((part) => meant(part, specifiedShare)),
  }
})

/**
 * True for a text that is a label by its words: they are words of forms, at least one for a date, a number, a name or an address is among
 * them, and there is no figure. `Original date / revision` is no value.
 */
export function isLabelByWords(text: string): boolean {
  if (/\d/.test(text)) return false
  const words = meantWords(text)
  const known = words.filter(({ word }) => byPhrase.has(word))
  const isOfPerson = ({ word, meanings }: MeantWord): boolean =>
    byPhrase.has(word) && [...meanings].every((one) => /^(?:name|surname|forename|place|address|postcode)$/.test(one))
  if (words.length > 0 && words.every(isOfPerson)) return true
  return (
    known.length * 2 >= words.length &&
    known.some(({ word }) =>
      /(?:^| )(?:dates?|datum|fecha|name|namen|number|nummer|numero|nr|code|ref|address|adresse|anschrift)$/u.test(
        word,
      ),
    )
  )
}

/** The words of a label or a name. */
interface WordsOfLabel {
  readonly words: readonly string[]
  /** Those that mean something: the longest known phrases, the parts of compounds, and other words as they are. */
  readonly meant: readonly MeantWord[]
}

export const wordsOfLabel: (text: string) => WordsOfLabel = remembered((text) => {
  const words = labelWords(text)
  return { words, meant: meantAmong(words) }
})

export const meantWords = (text: string): readonly MeantWord[] => wordsOfLabel(text).meant

function meantAmong(words: readonly string[]): MeantWord[] {
  const found: MeantWord[] = []
  let isSpecifying = false
  // A rate is another quantity than what it is a rate of: `price_per_m2`.
  const isRate = words.includes('per')
  for (let at = 0; at < words.length; ) {
    let looked = lookUp(words[at] ?? '')
    let count = Math.min(looked.longest, words.length - at)
    for (; count > 1; count--) {
      const phrase = words.slice(at, at + count).join(' ')
      if (!byPhrase.has(phrase)) continue
      looked = lookUp(phrase)
      break
    }
    at += count
    if (looked.isGenitive && found.some(({ weight }) => weight === 1)) isSpecifying = true
    if (count === 1 && looked.isFiller) continue
    for (const one of isSpecifying ? looked.specifying : looked.whole)
      found.push(isRate && units.has(one.word) ? { ...one, weight: 1 } : one)
  }
  return found
}

/** True for a folded word that only joins others. */
export const isJoining = (word: string): boolean => fillers.has(word)
