import type { PageLayout } from '../layout/layout.ts'

/** The printed number of a page, and the number of pages where it is printed. */
export interface PageNumber {
  readonly page: number
  readonly of: number | null
}

/** Page numbers stand within this many lines of the top or bottom. */
const edgeLines = 5

const joins = String.raw`\s*(?:of|von|de|di|da|do|van|sur|af|av|aus|\/|\|)\s*`
const named = new RegExp(
  String.raw`(?<![\p{L}\d])(?:page|pages|pag|p[aá]g(?:ina)?|seite|blatt|folha|hoja|foglio|feuille|blad|sheet)[.:]?\s*(?:no\.?|nr\.?|n[º°])?\s*:?\s*(\d{1,4})(?:${joins}(\d{1,4}))?(?![\d.,]*\d)`,
  'iu',
)
const counted = new RegExp(String.raw`^\(?\s*(\d{1,4})${joins}(\d{1,4})\s*\)?$`, 'iu')
const dashed = /^[-–—]\s*(\d{1,4})\s*[-–—]$/u

/** The page number printed at the top or bottom of a page. */
export function pageNumberOf({ lines }: PageLayout): PageNumber | null {
  const edges = lines.length <= 2 * edgeLines ? lines : [...lines.slice(0, edgeLines), ...lines.slice(-edgeLines)]
  const cells = edges.flatMap((line) => line.cells)
  for (const pattern of [named, counted, dashed])
    for (const { text } of cells) {
      const match = pattern.exec(text)
      if (match === null) continue
      const page = Number(match[1])
      const of = match[2] === undefined ? null : Number(match[2])
      if (page >= 1 && (of === null || of >= page)) return { page, of }
    }
  // A line with its dashes set apart.
  for (const line of edges) {
    const match = dashed.exec(line.cells.map(({ text }) => text).join(' '))
    if (match) return { page: Number(match[1]), of: null }
  }
  return null
}
