import { Fault } from '@skillrun/core/fault.ts'
import { layoutPage, lineText } from '@skillrun/reader/layout/layout.ts'
import type { ReadDocument } from '@skillrun/reader/media/document.ts'
import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import { boxAround } from '@skillrun/reader/values/verify.ts'
import type { PageLines, PagesRequest, PlacedLine } from './pages.ts'

/** Characters of lines in one result; the box of each line counts as 40. */
const charactersMax = 40_000
const boxCharacters = 40

/** See `pagesJob`. */
export default function pages({ packed, ...request }: PagesRequest): PageLines[] {
  return pagesOf(unpackDocument(packed), request)
}

/** See `pagesJob`. */
export function pagesOf(
  document: ReadDocument,
  { pages: wanted, fromLine }: Omit<PagesRequest, 'packed'>,
): PageLines[] {
  let room = charactersMax
  return wanted.map((number) => {
    const page = document.pages.find((one) => one.index === number - 1)
    if (!page) {
      const there = document.pages.map((one) => one.index + 1).join(', ')
      throw new Fault('invalid', 'unknown_page', `Page ${number} is not available; the pages read are ${there}`)
    }
    const lines: PlacedLine[] = []
    const all = layoutPage(page, 0).lines.slice(fromLine - 1)
    for (const line of all) {
      const text = lineText(line)
      room -= text.length + boxCharacters
      if (room < 0 && lines.length > 0) break
      const [x, y, w, h] = boxAround(line.cells.flatMap((cell) => cell.words))
      lines.push({ text, box: [thousandth(x), thousandth(y), thousandth(w), thousandth(h)] })
    }
    const rest = lines.length < all.length ? { goesOnAt: fromLine + lines.length } : {}
    return { page: number, recognised: page.source === 'ocr', lines, ...rest }
  })
}

const thousandth = (share: number): number => Math.round(share * 1000)
