import type { Evidence } from '../wire.ts'

/** Evidence by the pointers of its leaves. */
export type Marks = readonly (readonly [pointer: string, evidence: Evidence])[]

type Box = readonly [x: number, y: number, w: number, h: number]

/** The words of a page on a character grid, as the API returns them. */
export interface GridPage {
  readonly columns: number
  readonly rows: number
  readonly words: readonly { readonly text: string; readonly bbox: Box }[]
  readonly left_out: number
}

/** A page as text, with the position of each word in it. */
export interface GridText {
  readonly text: string
  readonly words: readonly { readonly row: number; readonly start: number; readonly end: number; readonly bbox: Box }[]
}

/** Lays out words on a grid as lines; spaces keep columns aligned, with at least one between words. */
export function layGrid({ columns, rows, words }: GridPage): GridText {
  const placed = words.map(({ text, bbox }) => ({
    ...{ text, bbox },
    row: Math.round(bbox[1] * rows),
    column: Math.round(bbox[0] * columns),
  }))
  const laid: GridText['words'][number][] = []
  let [text, row, lineStart] = ['', 0, 0]
  for (const word of placed.toSorted((a, b) => a.row - b.row || a.column - b.column)) {
    if (word.row > row) {
      text += '\n'.repeat(word.row - row)
      row = word.row
      lineStart = text.length
    }
    const gap = word.column - (text.length - lineStart)
    text += ' '.repeat(text.length === lineStart ? Math.max(0, gap) : Math.max(1, gap))
    laid.push({ row, start: text.length, end: text.length + word.text.length, bbox: word.bbox })
    text += word.text
  }
  return { text, words: laid }
}

/** The same marks with the text ranges that their boxes cover: one per line. */
export function marksOnGrid({ words }: GridText, marks: Marks): Marks {
  return marks.flatMap(([pointer, evidence]): Marks[number][] => {
    const { bbox } = evidence
    if (!bbox) return []
    const stretches = new Map<number, readonly [start: number, end: number]>()
    for (const word of words) {
      if (!isWithin(word.bbox, bbox)) continue
      const [start, end] = stretches.get(word.row) ?? [word.start, word.end]
      stretches.set(word.row, [Math.min(start, word.start), Math.max(end, word.end)])
    }
    return [...stretches.values()].map((span) => [pointer, { ...evidence, span }])
  })
}

function isWithin([left, top, w, h]: Box, [x, y, width, height]: Box): boolean {
  const [across, down] = [left + w / 2, top + h / 2]
  return across >= x && across <= x + width && down >= y && down <= y + height
}
