import { remembered } from '../layout/remembered.ts'

/** A box of a form, ticked or not: `☒`, `[x]`, `(X)`, `[ ]`, `[_]`. */
const plainBox = String.raw`[☐□❏❑☑☒✓✔]|\[[\s_]*[xX✓✔•]?[\s_]*\]|\(\s*[xX✓✔•]\s*\)|\([\s_]+\)`
/** These are also bullets: boxes only where a text has the full and the empty one. */
const bulletBox = '[■●○]'
const marks = '☐□❏❑☑☒✓✔■●○'
const hasBothBullets = (text: string): boolean =>
  (text.includes('■') && /[□☐]/u.test(text)) || (text.includes('●') && text.includes('○'))
const tickedPattern = /[☑☒✓✔■●•xX]/u

/** The words and boxes of a text; `isTicked` is null for words. */
export function wordsAndBoxes(text: string) {
  const box = hasBothBullets(text) ? `${plainBox}|${bulletBox}` : plainBox
  const pattern = new RegExp(String.raw`(${box})|[■●○]|[^\s:;,.${marks}]+`, 'gu')
  return [...text.matchAll(pattern)].map(({ 0: printed, 1: ofBox, index: start }) => ({
    start,
    printed,
    isTicked: ofBox === undefined ? null : tickedPattern.test(printed),
  }))
}

/** A word or phrase beside a box. */
interface Option {
  readonly start: number
  readonly end: number
  readonly isTicked: boolean
  readonly box: { readonly start: number; readonly end: number }
}

/** A text with boxes and its options: none where it does not show on which side of their words the boxes are. */
interface Options {
  readonly boxes: number
  readonly options: readonly Option[]
}

/**
 * The options of a text. After a label that ends with a colon or a question mark, boxes in front of their words begin the text and a
 * word ends it; for boxes behind their words it is the other way round.
 */
export const optionsIn: (text: string) => Options = remembered((text) => {
  // Half of a box, `[   ]` cut at its gap, does not show which word it is of.
  if (/(?:^|\s)[[(]\s*$|^\s*[\])]/u.test(text)) return { boxes: 1, options: [] }
  const all = wordsAndBoxes(text)
  const boxes = all.filter(({ isTicked }) => isTicked !== null)
  const labelEnd = /^.*[:：?]/su.exec(text.slice(0, boxes[0]?.start ?? 0))?.[0].length ?? 0
  const isInFront = all.find(({ start }) => start >= labelEnd)?.isTicked !== null
  if (boxes.length === 0 || isInFront === (all.at(-1)?.isTicked !== null)) {
    // A box alone, or before or behind nothing but a label, has no option.
    return { boxes: boxes.length, options: [] }
  }
  const options = boxes.map(({ start, printed, isTicked }, at) => {
    const end = start + printed.length
    const before = boxes[at - 1]
    const words = isInFront
      ? { start: end, end: boxes[at + 1]?.start ?? text.length }
      : { start: before === undefined ? labelEnd : before.start + before.printed.length, end: start }
    return { ...words, isTicked: isTicked === true, box: { start, end } }
  })
  return { boxes: boxes.length, options }
})
