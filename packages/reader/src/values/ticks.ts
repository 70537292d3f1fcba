import { remembered } from '../layout/remembered.ts'

/** A box of a form, ticked or not: `☒`, `[x]`, `(X)`, `[ ]`. */
const box = String.raw`[☐□❏❑☑☒✓✔]|\[\s?[xX✓✔]?\s?\]|\(\s?[xX✓✔]\s?\)|\(\s\)`
const boxPattern = new RegExp(box, 'gu')
const wordPattern = new RegExp(String.raw`${box}|[^\s:;,.☐□❏❑☑☒✓✔]+`, 'gu')
const tickedPattern = /[☑☒✓✔xX]/u

/** The words and boxes of a text; `isTicked` is null for words. */
export function wordsAndBoxes(text: string) {
  return [...text.matchAll(wordPattern)].map(({ 0: printed, index: start }) => ({
    start,
    printed,
    isTicked: printed.replace(boxPattern, '') === '' ? tickedPattern.test(printed) : null,
  }))
}

/** A word or phrase beside a box. */
interface Option {
  readonly start: number
  readonly end: number
  readonly isTicked: boolean
}

/**
 * The options of a text with boxes. The boxes are in front of their words when the text starts with one, else behind. Empty for a text
 * without boxes.
 */
export const optionsIn: (text: string) => readonly Option[] = remembered((text) => {
  const boxes = wordsAndBoxes(text).filter(({ isTicked }) => isTicked !== null)
  const isInFront = !/[\p{L}\p{N}]/u.test(text.slice(0, boxes[0]?.start ?? 0))
  return boxes.map(({ start, printed, isTicked }, at) => {
    const end = start + printed.length
    const before = boxes[at - 1]
    return isInFront
      ? { start: end, end: boxes[at + 1]?.start ?? text.length, isTicked: isTicked === true }
      : {
          start: before === undefined ? 0 : before.start + before.printed.length,
          end: start,
          isTicked: isTicked === true,
        }
  })
})
