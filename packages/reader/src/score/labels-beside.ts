import { isWordOfForms } from '../languages/form-words.ts'
import type { Cell } from '../layout/layout.ts'
import type { Field } from '../layout/sheet.ts'
import type { TextLikeness } from './label-likeness.ts'
import { shortCellWords, type TextPart } from './parts.ts'
import type { Surroundings } from './surroundings.ts'

/** Whether words in front of a part of a cell's text, behind it, left of it or over it are like a label of a field. */
export type IsLabelled = (field: Field, cell: Cell, part: TextPart) => boolean

/** Words of a cell that may be a label: more are running text. */
const labelWordsMax = 8

/** Characters after a text that are compared with labels. */
export const suffixMax = 40

/** From these likenesses on, texts are taken apart beside words. */
const labelLikeness = 0.4
const labelCosine = 0.36

/** True for a text with a word of forms among its last words: the likeness of every part of running text would take long. */
const endsInForm = (text: string): boolean =>
  text
    .slice(-40)
    .split(' ')
    .slice(-4)
    .some((word) => word.length > 3 && isWordOfForms(word.replace(/[^\p{L}\p{N}]/gu, '')))

const isLabel = (like: TextLikeness, field: Field): boolean =>
  like.name(field) >= labelLikeness || like.meaning(field) >= labelLikeness || like.likely(field) >= labelCosine

/** Tells whether labels of a field stand around a part of a text. */
export function labelsBeside(
  compare: (text: string) => TextLikeness,
  around: (cell: Cell) => Surroundings,
): IsLabelled {
  const isLike = (text: string | undefined, field: Field): boolean =>
    text !== undefined && text !== '' && isLabel(compare(text), field)
  const isShortLike = (beside: Cell | undefined, field: Field): boolean =>
    beside !== undefined && beside.words.length <= labelWordsMax && isLike(beside.text, field)
  return (field, cell, { start, end }) => {
    const { text } = cell
    const [isShort, front] = [cell.words.length <= shortCellWords, text.slice(0, start)]
    if (start > 0 && (isShort || endsInForm(front)) && isLike(front, field)) return true
    // Words alone part nothing: only a label in front of them does.
    if (start === end) return false
    const { left, above } = around(cell)
    const before = cell.index === 0 ? cell.line.page.lines[cell.line.index - 1]?.cells.at(-1) : undefined
    return (
      isShortLike(left, field) ||
      isShortLike(above, field) ||
      isShortLike(before, field) ||
      (isShort && isLike(text.slice(end, end + suffixMax), field))
    )
  }
}
