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

/** The folded tokens of a text. `#`, `№`, `n°` and every word for "number" become the word "no". */
export const tokensOf: (source: string) => readonly Token[] = remembered((source) => {
  const tokens: Token[] = []
  if (/^[\x20-\x7e]*$/.test(source)) {
    for (const { 0: found, index } of source.matchAll(/[a-z\d]+|#/gi)) {
      const folded = found === '#' ? 'no' : found.toLowerCase()
      tokens.push({ text: numberWords.has(folded) ? 'no' : folded, start: index, end: index + found.length })
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
export const phraseOf = (text: string): string =>
  tokensOf(text)
    .map((token) => token.text)
    .join(' ')

/** The words of an identifier: `invoiceNumber`, `invoice_number`, `InvoiceNUMBER2` → `invoice number` … */
export const namePhrase = (name: string): string =>
  phraseOf(
    name
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .replace(/[_\-./]+/g, ' '),
  )

/** Trims white space and the marks between a label and its value. */
export const trimMarks = (text: string): string => text.replace(/^[\s:;|·•*=_~–—-]+|[\s:;|·•*=_~]+$/gu, '')

/** Collapses white space to single spaces and trims. */
export const squeeze = (text: string): string => text.replace(/\s+/gu, ' ').trim()

/** What parts the facts on one line: a dot or bar between spaces, or a dash before another label, as in `4 B – Pupils: 27`. */
const partsPattern = /(?<=\S)\s+(?:[·•|]\s|[–—-]\s(?=[^–—·•|:]{1,32}:\s))/gu

/** The end of the part of a line that begins at an offset. */
export function partEnd(text: string, start: number): number {
  partsPattern.lastIndex = start
  return partsPattern.exec(text)?.index ?? text.length
}
