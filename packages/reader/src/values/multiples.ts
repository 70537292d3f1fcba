import { findNumbers, type NumberStyle } from './numbers.ts'
import type { ParsedValue } from './parsed-values.ts'

/** Words that multiply the number before them, in seven languages, by their factor. */
const factors: readonly (readonly [factor: number, words: RegExp])[] = [
  [1e3, /^(?:thousand|tausend|tsd\.?|mille|milliers|mila|duizend)$/iu],
  [1e6, /^(?:millions?|millionen|mio\.?|mill[oó]n|millones|milion[ei]|miljoen|milh(?:ão|ões))$/iu],
  [1e9, /^(?:milliarden?|mrd\.?|milliards?|miliard[oi]|miljard|bilh(?:ão|ões)|billion)$/iu],
]
/** A number that no sign, bracket or other figures precede: they would belong to it. */
const numberPattern =
  /(?<![\p{L}\d.,'’/–—−(-]|[\d–—−(-]\s|[–—−-]\s?\p{Sc}\s?|[–—−-]\s?\p{Lu}{1,3}\s?)\d{1,3}(?:[.,]\d{1,3})?(?= (\p{L}{3,9}\.?)(?!\p{L}))/gu

/** Numbers that a word multiplies: `412 million`, `6,8 Mio.` */
export function readMultiples(text: string, style: NumberStyle): ParsedValue[] {
  return [...text.matchAll(numberPattern)].flatMap(({ index, 0: digits, 1: word = '' }) => {
    const factor = factors.find(([, words]) => words.test(word))?.[0]
    const [number] = findNumbers(digits, style)
    if (factor === undefined || number === undefined) return []
    const end = index + digits.length + 1 + word.length
    const value = Math.round(number.value * factor)
    return [{ start: index, end, value, printed: text.slice(index, end), fit: 0.6, derived: true }]
  })
}
