import type { Finding } from './assemble.ts'
import type { ListField } from './fields.ts'
import { spaceOn } from './layout.ts'
import type { PlacedWord } from './placed-words.ts'
import type { Span } from './spans.ts'
import type { Row } from './table.ts'
import { fold } from './text.ts'

/** Words of one text stand closer than this many usual gaps between words. */
const spacesMax = 1.3

const isWord = (word: PlacedWord | undefined): word is PlacedWord =>
  word !== undefined && /^[\p{L}’'-]+[,;]?$/u.test(word.word.text)

/** True when a text was torn out of a line that goes on a space away with words that are not its own. */
export function isTorn(row: Row, span: Span): boolean {
  const own = new Set(span.words)
  return row.lines.some((line) => {
    const space = spaceOn(line.page)
    const words = line.cells.flatMap((cell) => cell.words)
    return words.slice(1).some((word, at) => {
      const before = words[at]
      if (!isWord(before) || !isWord(word) || own.has(before) === own.has(word)) return false
      return word.x0 - before.x1 < space * spacesMax
    })
  })
}

/** Words that go on: no name of a thing ends with them. */
export const breaksOff = (text: string): boolean => openEnd.test(fold(text))

const openEnd =
  /(?:[,&(:/–-]|(?:^| )(?:of|and|with|for|the|de|del|du|des|la|le|les|et|en|avec|pour|y|con|para|di|da|do|e|com|per|der|die|von|fur|und|mit|zu|van|voor|met))$/u

const isLowerCase = (text: string): boolean => /^\p{Ll}/u.test(text)

/** What the form of a name says against it; null where nothing does. */
function doubtOf(text: string, ordinary: Ordinary): string | null {
  if (!/\p{L}{3}/u.test(text)) return 'The text holds no word.'
  if (openEnd.test(fold(text))) return 'The text breaks off.'
  if (isLowerCase(text) && !ordinary.isLowerCase) return 'The text begins in the middle.'
  if (/\p{L}\s?:(?:\s|$)/u.test(text) && !ordinary.hasColon) return 'The text holds a label.'
  if (ordinary.isGoods && /^\d{1,4}\.? \p{L}/u.test(text)) return 'The text begins with the number of another column.'
  if (!ordinary.isGoods && /^[\d'.,]+[.,]\d\d /u.test(text)) return 'The text begins with an amount.'
  return null
}

/** What most names of a list look like: the same in one of them says nothing against it. */
interface Ordinary {
  readonly isLowerCase: boolean
  readonly hasColon: boolean
  readonly isGoods: boolean
}

/** From this part of a list's names on, what is wrong with them is wrong with the reading of their column. */
export const doubtedShare = 0.34

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
    isGoods: idOf('movement') === undefined,
  }
  const doubts = new Map<number, string>()
  for (const { at, finding, text } of names) {
    const doubt = finding.isTorn === true ? 'The text was torn from its line.' : doubtOf(text, ordinary)
    if (doubt !== null) doubts.set(at, doubt)
  }
  if (doubts.size >= 2 && doubts.size >= names.length * doubtedShare)
    for (const { at } of names) if (!doubts.has(at)) doubts.set(at, 'Other texts of the column were read wrongly.')
  return { pointer, doubts }
}
