import { fold, squeeze } from '@skillrun/reader/layout/text.ts'
import type { Box, Page, Word } from '@skillrun/reader/media/document.ts'
import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import type { BoxesRequest, FoundBoxes } from './find-boxes.ts'

/** Margin around a word as a share of its height: glyphs reach beyond their boxes. */
const margin = 0.15

/** See `findBoxesJob`. */
export default function findBoxes({ packed, pages: wanted, words }: BoxesRequest): FoundBoxes {
  const { pages } = unpackDocument(packed)
  const chosen = pages.filter(({ index }) => wanted === null || wanted.includes(index))
  const missing = new Set(words)
  const found = chosen.map((page) => ({
    page: page.index,
    boxes: words.flatMap((phrase) => {
      const boxes = boxesOf(page, phrase)
      if (boxes.length > 0) missing.delete(phrase)
      return boxes
    }),
  }))
  return { pages: found.filter(({ boxes }) => boxes.length > 0), missing: [...missing] }
}

const plain = (text: string): string => squeeze(fold(text)).replaceAll(' ', '')

/** Boxes of the words, in reading order, whose letters without spaces contain the phrase. */
function boxesOf(page: Page, phrase: string): Box[] {
  const wanted = plain(phrase)
  if (wanted === '') return []
  // All letters of the page in a row, and for each the index of its word.
  const owners: number[] = []
  let letters = ''
  page.words.forEach((word, index) => {
    const text = plain(word.text)
    letters += text
    for (let count = 0; count < text.length; count += 1) owners.push(index)
  })
  const boxes: Box[] = []
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
    const [first, last] = [owners[at] ?? 0, owners[at + wanted.length - 1] ?? 0]
    for (const word of page.words.slice(first, last + 1)) boxes.push(widened(word))
  }
  return boxes
}

function widened({ box: [x, y, w, h] }: Word): Box {
  const more = h * margin
  return [Math.max(0, x - more), Math.max(0, y - more), w + 2 * more, h + 2 * more]
}
