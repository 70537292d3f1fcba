import type { PlacedWord } from '../layout/placed-words.ts'
import { joinWords } from './split-numbers.ts'

/** The maximum gap between parts of an e-mail address, in text heights; a space is about as wide. */
const emailGapHeights = 0.6

const isLocal = /^[\p{L}\p{N}._%+-]+$/u
const isDomain = /^@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.?$/u
const isOpen = /^[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+\.?$/u
/** Second-level domains that a country code follows: `.co` `uk`. */
const isParted = /@.*\.(?:co|com|org|net)\.?$/u
const isCountry = /^\.?(?:ar|au|br|hk|in|il|jp|kr|mx|my|nz|sg|th|tr|tw|uk|za)$/u
const isEnd = /^\.?\p{Ll}{2,4}(?:\.\p{Ll}{2})?$/u

/** The text missing between two adjacent parts of one e-mail address; null when they are not. */
function between(left: string, right: string): string | null {
  if (isLocal.test(left) && isDomain.test(right) && /\p{L}/u.test(left)) return ''
  if (isLocal.test(left) && right === '@' && /\p{L}/u.test(left)) return ''
  if (/^[\p{L}\p{N}._%+-]+@$/u.test(left) && isDomain.test(`@${right}`)) return ''
  const goesOn = (isOpen.test(left) && isEnd.test(right)) || (isParted.test(left) && isCountry.test(right))
  if (!goesOn) return null
  return left.endsWith('.') || right.startsWith('.') ? '' : '.'
}

/** Joins e-mail addresses that OCR split: `accounts` `@acme.com`, `info@acme` `ie`, `info@acme.co` `uk`. */
export function joinEmails(words: readonly PlacedWord[], height: number): PlacedWord[] {
  if (!words.some(({ word }) => word.text.includes('@'))) return [...words]
  const mended: PlacedWord[] = []
  for (const word of words) {
    const last = mended.at(-1)
    const near = last !== undefined && word.x0 - last.x1 < height * emailGapHeights
    const joint = last !== undefined && near ? between(last.word.text, word.word.text) : null
    if (last !== undefined && joint !== null) mended[mended.length - 1] = joinWords(last, word, joint)
    else mended.push(word)
  }
  return mended
}
