import { layoutPage, lineText } from '../../agent/embedded/layout.ts'
import { boxAround } from '../../agent/embedded/verify.ts'
import { Fault } from '../../kit/fault.ts'
import { unpackDocument } from '../../media/reading.ts'
import type { PageLines } from './pages.ts'

/** See `pagesJob`. */
export default function pages({
  packed,
  pages: wanted,
}: {
  packed: Uint8Array
  pages: readonly number[]
}): PageLines[] {
  const document = unpackDocument(packed)
  return wanted.map((number) => {
    const page = document.pages.find((one) => one.index === number - 1)
    if (!page) {
      const there = document.pages.map((one) => one.index + 1).join(', ')
      throw new Fault('invalid', 'unknown_page', `There is no page ${number}; the pages ${there} were read`)
    }
    const lines = layoutPage(page, 0).lines.map((line) => {
      const [x, y, w, h] = boxAround(line.cells.flatMap((cell) => cell.words))
      return { text: lineText(line), box: [thousandth(x), thousandth(y), thousandth(w), thousandth(h)] as const }
    })
    return { page: number, recognised: page.source === 'ocr', lines }
  })
}

const thousandth = (share: number): number => Math.round(share * 1000)
