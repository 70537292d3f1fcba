import { groupBy } from '@skillrun/core/group-by.ts'
import type { Finding } from '../extract/assemble.ts'
import { isWordsOfLabels } from '../languages/label-words.ts'
import { type Line, lineWithWord, type PageLayout, spaceOn } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Span, spanOf } from '../layout/spans.ts'
import { fold, tokensOf } from '../layout/text.ts'
import { findField, type ListField } from '../schema/fields.ts'
import type { Row } from '../tables/table.ts'

/** The maximum gap between words of one text, as a multiple of the usual gap. */
const spacesMax = 1.3

const isWord = (word: PlacedWord | undefined): word is PlacedWord =>
  word !== undefined && /^[\p{L}’'-]+[,;]?$/u.test(word.word.text)

const isFigure = (word: PlacedWord | undefined): word is PlacedWord =>
  word !== undefined && /^(?:\d{1,4}[\p{L}"”]*|\d{5,8})$/u.test(word.word.text)

/** The maximum gap between a name and a number that belongs to it, as a multiple of the usual gap. */
const figureSpacesMax = 1.15

/** True when a text was cut out of a line that continues one space away with words outside the text. */
export function isCutOff(row: Row, span: Span): boolean {
  const own = new Set(span.words)
  return row.lines.some((line) => {
    const space = spaceOn(line.page)
    const words = line.cells.flatMap((cell) => cell.words)
    return words.slice(1).some((word, at) => {
      const before = words[at]
      if (before === undefined || own.has(before) === own.has(word)) return false
      if (isWord(before) && isWord(word)) return word.x0 - before.x1 < space * spacesMax
      const isPart = (isWord(before) && isFigure(word)) || (isFigure(before) && isWord(word))
      return own.has(before) && isPart && word.x0 - before.x1 < space * figureSpacesMax
    })
  })
}

/** The maximum distance between lines of one text, in text heights. */
const lineHeightsMax = 1.5

/**
 * The text that may continue a value: the words one space to the right on its line, or else the cell directly below.
 * Empty when there is neither.
 */
export function textBehind(words: readonly PlacedWord[], page: PageLayout): string {
  const last = words.at(-1)
  const line = last && lineWithWord(page, last)
  if (last === undefined || line === undefined) return ''
  const all = line.cells.flatMap((cell) => cell.words)
  const next = all[all.indexOf(last) + 1]
  if (next !== undefined && next.x0 - last.x1 < spaceOn(page) * spacesMax) return next.word.text
  const below = page.lines[line.index + 1]
  if (below === undefined || below.y0 - line.y1 > line.height * lineHeightsMax) return ''
  const left = Math.min(...words.filter((word) => all.includes(word)).map(({ x0 }) => x0))
  return below.cells.find((cell) => cell.x0 < last.x1 && cell.x1 > left)?.text ?? ''
}

/** The words of a line that belong to a text: its own, those one space to the right, and words one space to the left. */
function wholeLine(line: Line, own: ReadonlySet<PlacedWord>): PlacedWord[] {
  const all = line.cells.flatMap((cell) => cell.words)
  const spaceMax = spaceOn(line.page) * spacesMax
  const kept: PlacedWord[] = []
  for (const word of all) {
    const before = kept.at(-1)
    if (own.has(word) || (before !== undefined && word.x0 - before.x1 < spaceMax)) kept.push(word)
  }
  for (const word of all.slice(0, all.indexOf(kept[0] as PlacedWord)).toReversed()) {
    const [next] = kept
    if (next === undefined || next.x0 - word.x1 >= spaceMax || !(isWord(word) || isFigure(word))) break
    kept.unshift(word)
  }
  // A number at the start belongs to the previous column.
  return kept.slice(kept.findIndex((word) => own.has(word) || isWord(word)))
}

/** A text with the words one space away that a column border cut off. */
export function completeText(row: Row, span: Span): Span {
  const own = new Set(span.words)
  const words = row.lines.flatMap((line) =>
    line.cells.some((cell) => cell.words.some((word) => own.has(word))) ? wholeLine(line, own) : [],
  )
  return words.length > span.words.length ? spanOf(words, []) : span
}

/** True for text that ends in a word that needs a continuation, so cannot be the end of a name. */
export const breaksOff = (text: string): boolean => openEnd.test(fold(text))

const openEnd =
  /(?:[,&(:/–-]|(?:^| )(?:of|and|with|for|the|de|del|du|des|la|le|les|et|en|avec|pour|y|con|para|sin|di|da|do|e|com|per|senza|sem|der|die|von|fur|und|mit|zu|ohne|from|without|sans|van|zonder|voor|met))$/u

const isLowerCase = (text: string): boolean => /^\p{Ll}/u.test(text)

/** Why the form of a name makes it implausible; null when it does not. */
function doubtOf(text: string, ordinary: Ordinary): string | null {
  if (!/\p{L}{3}/u.test(text)) return 'The text contains no word.'
  if (openEnd.test(fold(text))) return 'The text seems to be cut off.'
  if (isLowerCase(text) && !ordinary.isLowerCase) return 'The beginning of the text seems to be missing.'
  if (/\p{L}\s?:(?:\s|$)/u.test(text) && !ordinary.hasColon) return 'The text contains a label.'
  return null
}

/** A number of another column in front of a name, or an amount in front of a description. */
const leading = {
  goods: /^(?:\d{1,4}\.? (?=\p{L})|\d{1,4}[.,]\d{1,2} (?=\p{Lu})|\d{1,3}\. (?=\d))/u,
  movements: /^[+−-]?[\d'.,]+[.,]\d\d (?=\p{L})/u,
} as const

/** A unit price after a name. */
const ratePattern = / ?@ ?\d{1,5}[.,]\d\d$/u
/** A long number after a name. */
const numberPattern = / \d{5,8}$/u
/** The minimum number, and share, of OCR names followed by a long number for the numbers to be a separate column. */
const numberedMin = 3
const numberedShare = 0.6

/** Removes text of adjacent columns from names: `1 Desk lamp`, `Desk lamp @9.00`, `Desk lamp 4712001` in every row. */
export function dropAdjacentText(list: ListField, rows: readonly Map<string, Finding>[]): void {
  const pointerOf = (id: string) => findField(list.columns, id)?.pointer
  const pointer = pointerOf('description')
  if (pointer === undefined) return
  const isGoods = pointerOf('movement') === undefined
  const numbers = ['line_number', 'quantity'].map(pointerOf)
  const named = rows.flatMap((row, at) => {
    const finding = row.get(pointer)
    if (typeof finding?.value !== 'string') return []
    // In a text layer, remove only the row's own number or quantity: 7 Up is a name.
    const ofRow = [at + 1, ...numbers.map((one) => (one === undefined ? undefined : row.get(one)?.value))]
    return [{ row, finding, name: finding.value, isOfRow: (number: number) => ofRow.includes(number) }]
  })
  const numbered = named.filter(
    ({ finding, name }) => finding.ocrConfidence !== undefined && numberPattern.test(name),
  ).length
  const hasNumbers = isGoods && numbered >= numberedMin && numbered >= named.length * numberedShare
  for (const { row, finding, name, isOfRow } of named) {
    const isRecognised = finding.ocrConfidence !== undefined
    const isBeside = !isGoods || isRecognised || isOfRow(Number.parseFloat(name.replace(',', '.')))
    const own = isBeside ? name.replace(isGoods ? leading.goods : leading.movements, '') : name
    const unpriced = isGoods ? own.replace(ratePattern, '') : own
    const value = hasNumbers ? unpriced.replace(numberPattern, '') : unpriced
    if (value !== name && value !== '') row.set(pointer, { ...finding, value })
  }
}

/** Forms that most names of a list have, and that are therefore not suspicious. */
interface Ordinary {
  readonly isLowerCase: boolean
  readonly hasColon: boolean
}

/** The minimum number, and share, of label words for a text to be column titles. */
const titlesMin = 2
const titlesShare = 0.6

/** True for the titles of several columns. As a row's name they show that this name and all below it are shifted. */
const isHeading = (text: string): boolean => {
  const words = tokensOf(text).map((token) => token.text)
  const titles = words.filter((word) => isWordsOfLabels([word])).length
  return (
    !/\d/.test(text) &&
    titles >= titlesMin &&
    (titles === words.length || (titles > titlesMin && titles >= words.length * titlesShare))
  )
}

/** A code of digits, or of letters and digits, in front of a text: `2061-5537 2 Wine glass`. */
const codeBefore = /^(?:[\p{L}\d./-]*\d[\p{L}\d./-]*\d[\p{L}\d./-]*\d[\p{L}\d./-]*|\p{Ll}{1,4}\.? \S*\d\S*\d\S*) \p{L}/u

/** A text that is only a code: `YHF9610`. */
const codeAlone = /^(?=(?:\D*\d){3})[\p{Lu}\d][\p{Lu}\d./-]{4,}$/u

/** From this share of names on, codes in front of them belong to another column; a single one may be the name of a model. */
const codesShare = 0.5

/** When this many names, and this share of all, end in the same word, it is the title of another column. */
const sameEndsMin = 3
const sameEndsShare = 0.6

/** When this share of names is doubted, their column was misread. */
const doubtedShare = 0.5
/** The same on OCR pages. */
const doubtedShareOfRecognised = 0.34

/**
 * The names of a list that are not trustworthy, with the reason: cut out of a longer line, starting or ending in the
 * middle, or mixed with another column. When many are, all names of the list are.
 */
export function untrustedNames(
  list: ListField,
  rows: readonly ReadonlyMap<string, Finding>[],
): { readonly pointer: string; readonly doubts: ReadonlyMap<number, string> } | null {
  const pointer = findField(list.columns, 'description')?.pointer
  if (pointer === undefined) return null
  const names = rows.flatMap((row, at) => {
    const finding = row.get(pointer)
    return finding !== undefined && typeof finding.value === 'string' ? [{ at, finding, text: finding.value }] : []
  })
  const share = (test: (text: string) => boolean): number =>
    names.filter(({ text }) => test(text)).length / Math.max(1, names.length)
  const ordinary = {
    isLowerCase: findField(list.columns, 'movement') !== undefined || share(isLowerCase) > 0.5,
    hasColon: findField(list.columns, 'movement') !== undefined,
  }
  const doubts = new Map<number, string>()
  const isGoods = findField(list.columns, 'movement') === undefined
  const amount = findField(list.columns, 'line_amount')?.pointer
  const hasAmount = (row: ReadonlyMap<string, Finding> | undefined): boolean =>
    amount !== undefined && row?.has(amount) === true
  let slips = Number.POSITIVE_INFINITY
  for (const { at, finding, text } of names) {
    if (isGoods && isHeading(text) && hasAmount(rows[at])) slips = Math.min(slips, at)
    const doubt = finding.isCutOff === true ? 'The text was split from its line.' : doubtOf(text, ordinary)
    if (doubt !== null) doubts.set(at, doubt)
  }
  const isRecognised = names.some(({ finding }) => finding.ocrConfidence !== undefined)
  const lostShare = isRecognised ? doubtedShareOfRecognised : doubtedShare
  const isLost = doubts.size >= 2 && doubts.size >= names.length * lostShare
  for (const { at } of names)
    if ((isLost || at >= slips) && !doubts.has(at)) doubts.set(at, 'Other texts in the column were misread.')
  if (isGoods && share((text) => codeBefore.test(text)) >= codesShare)
    for (const { at, text } of names) if (codeBefore.test(text)) doubts.set(at, 'The text contains a code.')
  if (isGoods && share((text) => codeAlone.test(text)) < codesShare)
    for (const { at, text } of names) if (codeAlone.test(text)) doubts.set(at, 'The text may be a code, not a name.')
  const ends = groupBy(names, ({ text }) => /\s(\p{L}{3,})$/u.exec(text)?.[1] ?? '')
  for (const [end, own] of ends)
    if (isGoods && end !== '' && own.length >= sameEndsMin && own.length >= names.length * sameEndsShare)
      for (const { at } of own) doubts.set(at, 'The texts end in the same word, which may belong to another column.')
  return { pointer, doubts }
}
