import { analyse } from 'chardet'
import iconv from 'iconv-lite'

/** A text whose encoding nothing names. */
export interface GuessedText {
  readonly text: string
  /** The encoding that was assumed; absent where it is sure. */
  readonly assumed?: string
}

const setsOf = (alphabets: readonly string[]) => alphabets.map((letters) => new Set(letters))
/** The letters beyond ASCII of the languages that are written in Windows-1252, in lower case. */
const westernAlphabets = setsOf([
  'äöüß',
  'àâæçéèêëîïôœùûüÿ',
  'áéíóúüñ',
  'àéèìíîòóùú',
  'áâãàçéêíóôõúü',
  'áéèêëïíóöüú',
  'àçéèíïóòúü',
  'æøåéèêóòôäöü',
  'åäöéàüá',
])
/** Those of other languages in Latin letters. */
const otherAlphabets = setsOf([
  'áčďéěíňóřšťúůýž',
  'áäčďéíĺľňóôŕšťúýž',
  'ąćęłńóśźż',
  'áéíóöőúüű',
  'ăâîşţșț',
  'čćđšž',
  'çğıöşüâîû',
  'ąčęėįšųūž',
  'āčēģīķļņšūž',
  'äõöüšž',
])
/** The share of the letters beyond ASCII that one of the alphabets should have: texts quote names of other languages. */
const shareMin = 0.8
/** Encodings of Latin letters that the detector does not know, or not from few words. */
const furtherEncodings = ['windows-1250', 'ISO-8859-2', 'windows-1254', 'IBM850', 'IBM852', 'IBM857']
/** The same for other letters. */
const otherScripts = ['windows-1251', 'KOI8-R', 'IBM866', 'windows-1253']
/** A word as people write it, small or large, in letters of one alphabet: in a wrong encoding some are not. */
const regularWord =
  /^(?:\p{Script=Cyrillic}+|\p{Script=Greek}+|\p{Script=Hebrew}+|\p{Script=Arabic}+|\p{Script=Thai}+|[a-z]+)$/iu
const regularCase = /^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+)$/u

/** Signs within a word, after it, or in a row that no text has there: they are letters in another encoding. */
const misplaced =
  /(?<=\p{L})[\x80-\x9f€‚ƒ„†‡ˆ‰‹“”˜›¡¢£¤¥¦¬¯±³¶¸¹¼½¾¿](?=\p{L})|(?<=\p{L})[¼½¾¿¡¦¬¯ƒˆ˜]|(?:([¡-¿])(?!\1)){2}[¡-¿]|[\x80-\x9f\u2500-\u259f]/u
const word = /[a-z\x80-\xff]+/gi
const otherLetter = /(?![ªºµ])[^\P{L}a-z]/gu

const isLatin = (name: string): boolean => /^(?:windows-125[02478]|ISO-8859-[1249]|IBM85)/.test(name)
const isMultiByte = (name: string): boolean => /^(?:Shift_JIS|EUC-|GB18030|Big5)/.test(name)
const isOfNoUse = (name: string): boolean => /^(?:ASCII|UTF|ISO-2022|mac)/.test(name)
/** With this confidence the detector only says that the bytes are possible. */
const confidenceMin = 10
/** The detector looks at that many bytes from the first that is not ASCII, and at that many words. */
const bytesMax = 65_536
const wordsMax = 5_000

/**
 * Decodes a text that is neither UTF-8 nor names an encoding: as Windows-1252 where all its words can be of a language written in it,
 * else as what its bytes look like. Undefined where no encoding fits.
 */
export function guessEncoding(bytes: Uint8Array): GuessedText | undefined {
  const damaged = damagedUtf8(bytes)
  if (damaged !== undefined) return { text: damaged, assumed: 'UTF-8' }
  const words = otherWords(bytes)
  const sample = decode(words, 'windows-1252') ?? ''
  const isClean = !misplaced.test(sample)
  const share = shareIn(westernAlphabets, sample)
  const western = isClean ? decode(bytes, 'windows-1252') : undefined
  if (western !== undefined && share === 1) return { text: western }
  const looksLike = likeliest(bytes, words)
  if (western !== undefined && share >= shareMin && looksLike[0] === 'windows-1252') return { text: western }
  const read = (assumed: string, least: number): GuessedText | undefined => {
    if (assumed === 'windows-1252') return undefined
    const alphabets = assumed === 'IBM850' ? westernAlphabets : otherAlphabets
    const decoded = isMultiByte(assumed) ? undefined : (decode(words, assumed) ?? '')
    if (decoded !== undefined && (isLatin(assumed) ? shareIn(alphabets, decoded) : regularIn(decoded)) < least)
      return undefined
    const text = decode(bytes, assumed)
    return text === undefined || misplaced.test(text) ? undefined : { text, assumed }
  }
  for (const name of looksLike) {
    const found = read(name, shareMin) ?? (name === 'windows-1252' && !isClean ? read('IBM850', shareMin) : undefined)
    if (found) return found
  }
  for (const name of [...otherScripts, ...furtherEncodings]) {
    const found = read(name, 1)
    if (found) return found
  }
  return western === undefined ? undefined : { text: western, assumed: 'windows-1252' }
}

/** So many characters of several bytes to each bad byte are no chance. */
const soundMin = 10

/** A text in UTF-8 that is cut in its last character, or has a few bad bytes, which become U+FFFD. */
function damagedUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8').decode(bytes)
  const [bad, sound] = [text.match(/\ufffd/g)?.length ?? 0, text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0]
  const isCut = bad === 1 && text.endsWith('\ufffd') && (bytes.at(-1) ?? 0) >= 0x80
  return sound >= bad * (isCut ? 1 : soundMin) ? text : undefined
}

const isDos = (name: string): boolean => /^(?:cp|ibm)-?\d+$/i.test(name)

/** The text in an encoding of DOS that the sender names, such as `ibm437`: browsers do not know most of them. */
export const decodeNamed = (bytes: Uint8Array, charset: string): string | undefined =>
  isDos(charset) && iconv.encodingExists(charset) ? iconv.decode(bytes, charset) : undefined

/** A text in UTF-16 without a byte order mark: every other byte of most of its characters is zero. */
export function decodeWide(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || bytes.length % 2 > 0) return undefined
  const start = bytes.subarray(0, bytesMax)
  const zeros = (from: number) => start.filter((byte, at) => at % 2 === from && byte === 0).length * 2
  const [even, odd] = [zeros(0) / start.length, zeros(1) / start.length]
  const encoding = odd > 0.5 && even < 0.05 ? 'utf-16le' : even > 0.5 && odd < 0.05 ? 'utf-16be' : undefined
  const text = encoding && decode(bytes, encoding)
  return text === undefined || /[^\P{Cc}\t\n\f\r]/u.test(text) ? undefined : text
}

/** Encodings that the bytes look like, the likeliest first: those of one byte per letter by the words alone that have such letters. */
function likeliest(bytes: Uint8Array, words: Uint8Array): readonly string[] {
  const first = Math.max(
    0,
    bytes.findIndex((byte) => byte > 0x7f),
  )
  const whole = analyse(bytes.subarray(first, first + bytesMax))
  return [
    ...whole.filter(({ name, confidence }) => isMultiByte(name) && confidence > confidenceMin),
    ...analyse(words).filter(({ name, confidence }) => !isMultiByte(name) && !isOfNoUse(name) && confidence > 0),
  ]
    .toSorted((left, right) => right.confidence - left.confidence)
    .map(({ name }) => (name === 'ISO-8859-1' ? 'windows-1252' : name))
}

/** The words with bytes beyond ASCII, with spaces between them. */
function otherWords(bytes: Uint8Array): Uint8Array {
  const found: string[] = []
  for (const [one] of Buffer.from(bytes).toString('latin1').matchAll(word)) {
    if (/^[a-z]+$/i.test(one)) continue
    found.push(one)
    if (found.length === wordsMax) break
  }
  return Buffer.from(found.join(' '), 'latin1')
}

/** Of the letters beyond ASCII in a text, the share that is in one of the alphabets. */
function shareIn(alphabets: readonly ReadonlySet<string>[], text: string): number {
  const letters = text.toLowerCase().match(otherLetter) ?? []
  const shares = alphabets.map((alphabet) => letters.filter((letter) => alphabet.has(letter)).length / letters.length)
  return letters.length === 0 ? 1 : Math.max(...shares)
}

/** The share of the words of a text that are regular. */
function regularIn(text: string): number {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  return words.filter((word) => regularWord.test(word) && regularCase.test(word)).length / Math.max(1, words.length)
}

/** Undefined where the bytes are not in the encoding. Browsers do not know those of DOS. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    if (!isDos(encoding)) return undefined
    const text = iconv.decode(bytes, encoding)
    return text.includes('\ufffd') ? undefined : text
  }
}
