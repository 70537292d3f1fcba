import type { Finding } from '../extract/assemble.ts'
import { isWordsOfLabels } from '../languages/label-words.ts'
import { type Line, lineWithWord, type PageLayout, spaceOn } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Span, spanOf } from '../layout/spans.ts'
import { fold, tokensOf } from '../layout/text.ts'
import type { ListField } from '../schema/fields.ts'
import type { Row } from '../tables/table.ts'

/** Words of one text stand closer than this many usual gaps between words. */
const spacesMax = 1.3

const isWord = (word: PlacedWord | undefined): word is PlacedWord =>
  word !== undefined && /^[\p{L}’'-]+[,;]?$/u.test(word.word.text)

const isFigure = (word: PlacedWord | undefined): word is PlacedWord =>
  word !== undefined && /^(?:\d{1,4}[\p{L}"”]*|\d{5,8})$/u.test(word.word.text)

/** A number is a part of the name before it when it stands closer than this many usual gaps between words. */
const figureSpacesMax = 1.15

/** True when a text was torn out of a line that goes on a space away with words that are not its own. */
export function isTorn(row: Row, span: Span): boolean {
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

/** Lines of one text follow each other within this many heights of their print. */
const lineHeightsMax = 1.5

/**
 * What stands a space behind some words on their line, or where nothing does the cell right under them on the next one: what a
 * value may go on with. Empty where there is neither.
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

/** The words of a line that belong to a text: its own, what stands a space behind them, and the words a space before. */
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
  // A figure at the start is of the column before.
  return kept.slice(kept.findIndex((word) => own.has(word) || isWord(word)))
}

/** A text with the words that its lines go on with a space away, which a border of columns cut off. */
export function wholeText(row: Row, span: Span): Span {
  const own = new Set(span.words)
  const words = row.lines.flatMap((line) =>
    line.cells.some((cell) => cell.words.some((word) => own.has(word))) ? wholeLine(line, own) : [],
  )
  return words.length > span.words.length ? spanOf(words, []) : span
}

/** Words that go on: no name of a thing ends with them. */
export const breaksOff = (text: string): boolean => openEnd.test(fold(text))

const openEnd =
  /(?:[,&(:/–-]|(?:^| )(?:of|and|with|for|the|de|del|du|des|la|le|les|et|en|avec|pour|y|con|para|sin|di|da|do|e|com|per|senza|sem|der|die|von|fur|und|mit|zu|ohne|from|without|sans|van|zonder|voor|met))$/u

const isLowerCase = (text: string): boolean => /^\p{Ll}/u.test(text)

/** What the form of a name says against it; null where nothing does. */
function doubtOf(text: string, ordinary: Ordinary): string | null {
  if (!/\p{L}{3}/u.test(text)) return 'The text holds no word.'
  if (openEnd.test(fold(text))) return 'The text breaks off.'
  if (isLowerCase(text) && !ordinary.isLowerCase) return 'The text begins in the middle.'
  if (/\p{L}\s?:(?:\s|$)/u.test(text) && !ordinary.hasColon) return 'The text holds a label.'
  return null
}

/** A number of another column before a name, or an amount before what a movement was for. */
const leading = {
  goods: /^(?:\d{1,4}\.? (?=\p{L})|\d{1,4}[.,]\d{1,2} (?=\p{Lu})|\d{1,3}\. (?=\d))/u,
  movements: /^[+−-]?[\d'.,]+[.,]\d\d (?=\p{L})/u,
} as const

/** What one of something costs, behind its name. */
const ratePattern = / ?@ ?\d{1,5}[.,]\d\d$/u
/** A long number behind a name. */
const numberPattern = / \d{5,8}$/u
/** Recognised names with a long number behind them from which on, and this part of all, the numbers are a column of their own. */
const numberedMin = 3
const numberedShare = 0.6

/** Takes off names what stands beside them from another column: `1 Desk lamp`, `Desk lamp @9.00`, `Desk lamp 4712001` in every row. */
export function dropBeside(list: ListField, rows: readonly Map<string, Finding>[]): void {
  const pointerOf = (id: string) => list.columns.find((column) => column.plan.meaning.concept?.id === id)?.pointer
  const pointer = pointerOf('description')
  if (pointer === undefined) return
  const isGoods = pointerOf('movement') === undefined
  const numbers = ['line_number', 'quantity'].map(pointerOf)
  const named = rows.flatMap((row, at) => {
    const finding = row.get(pointer)
    if (typeof finding?.value !== 'string') return []
    // Of a row of a text layer only its own number or count is taken off: 7 Up is a name.
    const ofRow = [at + 1, ...numbers.map((one) => (one === undefined ? undefined : row.get(one)?.value))]
    return [{ row, finding, name: finding.value, isOfRow: (number: number) => ofRow.includes(number) }]
  })
  const numbered = named.filter(
    ({ finding, name }) => finding.sureness !== undefined && numberPattern.test(name),
  ).length
  const hasNumbers = isGoods && numbered >= numberedMin && numbered >= named.length * numberedShare
  for (const { row, finding, name, isOfRow } of named) {
    const isRecognised = finding.sureness !== undefined
    const isBeside = !isGoods || isRecognised || isOfRow(Number.parseFloat(name.replace(',', '.')))
    const own = isBeside ? name.replace(isGoods ? leading.goods : leading.movements, '') : name
    const unpriced = isGoods ? own.replace(ratePattern, '') : own
    const value = hasNumbers ? unpriced.replace(numberPattern, '') : unpriced
    if (value !== name && value !== '') row.set(pointer, { ...finding, value })
  }
}

/** What most names of a list look like: the same in one of them says nothing against it. */
interface Ordinary {
  readonly isLowerCase: boolean
  readonly hasColon: boolean
}

/** Words of labels among those of a text from which on, and from this part of all on, they are titles of columns. */
const titlesMin = 2
const titlesShare = 0.6

/** True for the titles of several columns: where they stand as the name of a row, its name and those below have slipped. */
const isHeading = (text: string): boolean => {
  const words = tokensOf(text).map((token) => token.text)
  const titles = words.filter((word) => isWordsOfLabels([word])).length
  return (
    !/\d/.test(text) &&
    titles >= titlesMin &&
    (titles === words.length || (titles > titlesMin && titles >= words.length * titlesShare))
  )
}

/** A code of figures, or of letters and figures, before a text: `2061-5537 2 Wine glass`. */
const codeBefore = /^(?:[\p{L}\d./-]*\d[\p{L}\d./-]*\d[\p{L}\d./-]*\d[\p{L}\d./-]*|\p{Ll}{1,4}\.? \S*\d\S*\d\S*) \p{L}/u

/** A code alone: `YHF9610`. */
const codeAlone = /^(?=(?:\D*\d){3})[\p{Lu}\d][\p{Lu}\d./-]{4,}$/u

/** From this part of a list's names on, codes before them are of another column: one alone may be the name of a model. */
const codesShare = 0.5

/** Names of which so many, and this part of all, end in one word hold the title of another column. */
const sameEndsMin = 3
const sameEndsShare = 0.6

/** From this part of a list's names on, what is wrong with them is wrong with the reading of their column. */
const doubtedShare = 0.5
/** The same on recognised pages. */
const doubtedShareOfRecognised = 0.34

/**
 * The names of a list that are not to be trusted, with the reason: torn from a line that goes on, begun or ended in the
 * middle, or mixed with what stands in another column. Where many are, none of the list is to be trusted.
 */
export function doubtfulNames(
  list: ListField,
  rows: readonly ReadonlyMap<string, Finding>[],
): { readonly pointer: string; readonly doubts: ReadonlyMap<number, string> } | null {
  const idOf = (id: string) => list.columns.find((column) => column.plan.meaning.concept?.id === id)
  const pointer = idOf('description')?.pointer
  if (pointer === undefined) return null
  const names = rows.flatMap((row, at) => {
    const finding = row.get(pointer)
    return finding !== undefined && typeof finding.value === 'string' ? [{ at, finding, text: finding.value }] : []
  })
  const share = (test: (text: string) => boolean): number =>
    names.filter(({ text }) => test(text)).length / Math.max(1, names.length)
  const ordinary = {
    isLowerCase: idOf('movement') !== undefined || share(isLowerCase) > 0.5,
    hasColon: idOf('movement') !== undefined,
  }
  const doubts = new Map<number, string>()
  const isGoods = idOf('movement') === undefined
  const amount = idOf('line_amount')?.pointer
  const hasAmount = (row: ReadonlyMap<string, Finding> | undefined): boolean =>
    amount !== undefined && row?.has(amount) === true
  let slips = Number.POSITIVE_INFINITY
  for (const { at, finding, text } of names) {
    if (isGoods && isHeading(text) && hasAmount(rows[at])) slips = Math.min(slips, at)
    const doubt = finding.isTorn === true ? 'The text was torn from its line.' : doubtOf(text, ordinary)
    if (doubt !== null) doubts.set(at, doubt)
  }
  const isRecognised = names.some(({ finding }) => finding.sureness !== undefined)
  const lostShare = isRecognised ? doubtedShareOfRecognised : doubtedShare
  const isLost = doubts.size >= 2 && doubts.size >= names.length * lostShare
  for (const { at } of names)
    if ((isLost || at >= slips) && !doubts.has(at)) doubts.set(at, 'Other texts of the column were read wrongly.')
  if (isGoods && share((text) => codeBefore.test(text)) >= codesShare)
    for (const { at, text } of names) if (codeBefore.test(text)) doubts.set(at, 'The text holds a code.')
  if (isGoods && share((text) => codeAlone.test(text)) < codesShare)
    for (const { at, text } of names) if (codeAlone.test(text)) doubts.set(at, 'The text may be a code and no name.')
  const ends = Map.groupBy(names, ({ text }) => /\s(\p{L}{3,})$/u.exec(text)?.[1] ?? '')
  for (const [end, own] of ends)
    if (isGoods && end !== '' && own.length >= sameEndsMin && own.length >= names.length * sameEndsShare)
      for (const { at } of own) doubts.set(at, 'The texts end in the same word, which may be of another column.')
  return { pointer, doubts }
}
