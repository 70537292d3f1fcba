import type { PlacedWord } from './placed-words.ts'

/** A count, a sign for times and a price without spaces: `2x1.65`, and `3e1.18` where the sign @ was read as a letter. */
const joinedRate = /^(\d{1,3})([xX×@©®ea])(\d{1,5}[.,]\d{2})$/u
/** A price behind a sign @ that was read as a letter: `a4.77`. */
const misreadAt = /^([@©®a])(\d{1,5}[.,]\d{2})$/u

/** A part of a word, its box cut at its letters as if they were equally wide. */
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

const signOf = (sign: string): string => (/[xX×]/u.test(sign) ? sign : '@')

/** Words of a recognised page with counts and prices apart that a recogniser put together to one word. */
export function partRates(words: readonly PlacedWord[]): PlacedWord[] {
  return words.flatMap((word) => {
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
    const [, sign, alone] = misreadAt.exec(text) ?? []
    if (sign === undefined || alone === undefined) return [word]
    return [part(word, [0, sign.length], signOf(sign)), part(word, [sign.length, text.length], alone)]
  })
}
