import { type PlacedWord, textOf } from '../layout/placed-words.ts'

/** A quantity, a multiplication sign and a price without spaces: `2x1.65`, or `3e1.18` where @ was read as a letter. */
const joinedRate = /^(\d{1,3})([xX×@©®ea])(\d{1,5}[.,]\d{2})$/u
/** A price after an @ that was read as a letter: `a4.77`. */
const misreadAt = /^([@©®a])(\d{1,5}[.,]\d{2})$/u
/** A quantity and a price alone on a line with a misread sign between them: `3 = 60.00`. */
const countLine = /^\d{1,3} ?= ?\d{1,5}[.,]\d{2}$/u
/** A price alone on a line after such a sign: `a 5.00`. */
const priceLine = /^[©®a] \d{1,5}[.,]\d{2}$/u
const equalsPrice = /^(=)(\d{1,5}[.,]\d{2})$/u

/** A part of a word, with its box divided as if all letters had the same width. */
function part(word: PlacedWord, [from, to]: readonly [number, number], text: string): PlacedWord {
  const { length } = word.word.text
  const [x, y, w, h] = word.word.box
  const [left, right] = [from / length, to / length]
  return {
    ...word,
    word: { ...word.word, text, box: [x + w * left, y, w * (right - left), h] },
    x0: word.x0 + (word.x1 - word.x0) * left,
    x1: word.x0 + (word.x1 - word.x0) * right,
  }
}

const signOf = (sign: string): string => (/[xX×]/u.test(sign) ? sign : sign === '=' ? 'x' : '@')

/** Restores the multiplication sign on a line with a unit price. */
function withSign(words: readonly PlacedWord[]): readonly PlacedWord[] {
  const text = textOf(words)
  if (!countLine.test(text) && !priceLine.test(text)) return words
  return words.map((word) =>
    /^[=©®a]$/u.test(word.word.text) ? { ...word, word: { ...word.word, text: signOf(word.word.text) } } : word,
  )
}

/** The words of an OCR line, with joined quantities and prices separated. */
export function partRates(words: readonly PlacedWord[]): PlacedWord[] {
  const isCounted = countLine.test(textOf(words))
  return withSign(words).flatMap((word) => {
    const { text } = word.word
    const [, count, times, price] = joinedRate.exec(text) ?? []
    if (count !== undefined && times !== undefined && price !== undefined) {
      const [first, second] = [count.length, count.length + times.length]
      return [
        part(word, [0, first], count),
        part(word, [first, second], signOf(times)),
        part(word, [second, text.length], price),
      ]
    }
    const [, sign, alone] = misreadAt.exec(text) ?? (isCounted ? equalsPrice.exec(text) : null) ?? []
    if (sign === undefined || alone === undefined) return [word]
    return [part(word, [0, sign.length], signOf(sign)), part(word, [sign.length, text.length], alone)]
  })
}
