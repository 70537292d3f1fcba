import { remembered } from './remembered.ts'

/** A run of letters and digits, folded for comparison, with its position in the source text. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
}

const tokenPattern = /(?<![\p{L}\p{N}])[nN]\.?\s?[º°](?!\p{L})|[\p{L}\p{N}]+|[#№]/gu

/** Words for "number" in front of a number; all become one word. */
const numberWords = new Set('number nr num nro numero nummer nbr n no'.split(' '))

const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', ł: 'l', đ: 'd', ı: 'i' }

/** Lower case without diacritics, for comparison only: its length may differ from the text's. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (/^[\x20-\x7e]*$/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæøœłđı]/g, (letter) => plainLetters[letter] ?? letter)
}

const isPlain = (letter: string): boolean => (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')

/** The folded tokens of a text. `#`, `№`, `n°` and every word for "number" become the word "no". */
export const tokensOf: (source: string) => readonly Token[] = remembered((source) => {
  const tokens: Token[] = []
  if (/^[\x20-\x7e]*$/.test(source)) {
    const lower = source.toLowerCase()
    for (let start = 0; start < lower.length; start++) {
      let end = start
      while (isPlain(lower.charAt(end))) end++
      if (end > start) {
        const word = lower.slice(start, end)
        tokens.push({ text: numberWords.has(word) ? 'no' : word, start, end })
        start = end - 1
      } else if (lower[start] === '#') tokens.push({ text: 'no', start, end: start + 1 })
    }
    return tokens
  }
  for (const match of source.matchAll(tokenPattern)) {
    const folded = /[#№º°]/u.test(match[0]) ? 'no' : fold(match[0])
    const text = numberWords.has(folded) ? 'no' : folded
    tokens.push({ text, start: match.index, end: match.index + match[0].length })
  }
  return tokens
})

/** The folded words of a phrase, separated by spaces. */
export const phraseOf: (text: string) => string = remembered((text) =>
  tokensOf(text)
    .map((token) => token.text)
    .join(' '),
)

/** The words of an identifier: `invoiceNumber`, `invoice_number`, `InvoiceNUMBER2` → `invoice number` … */
export const namePhrase = (name: string): string =>
  phraseOf(
    name
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .replace(/[_\-./]+/g, ' '),
  )

/** Trims white space and the marks between a label and its value. */
export const trimMarks = (text: string): string =>
  firstMark.test(text) || lastMark.test(text.slice(-1)) ? text.replace(marksAround, '') : text

// The end is looked for from the start of a run of marks only, not from each mark in it.
const marksAround = /^[\s:;|·•*=_~–—-]+|(?<![\s:;|·•*=_~])[\s:;|·•*=_~]+$/gu
const firstMark = /^[\s:;|·•*=_~–—-]/u
const lastMark = /^[\s:;|·•*=_~]/u

/** Collapses white space to single spaces and trims. */
export const squeeze = (text: string): string =>
  /\s\s|[^\S ]/u.test(text) ? text.replace(/\s+/gu, ' ').trim() : text.trim()

/** What parts the facts on one line: a dot or bar between spaces, or a dash before another label, as in `4 B – Pupils: 27`. */
const partsPattern = /(?<=\S)\s+(?:[·•|]\s|[–—-]\s(?=[^–—·•|:]{1,32}:\s))/gu

/** The end of the part of a line that begins at an offset. */
export function partEnd(text: string, start: number): number {
  partsPattern.lastIndex = start
  return partsPattern.exec(text)?.index ?? text.length
}
