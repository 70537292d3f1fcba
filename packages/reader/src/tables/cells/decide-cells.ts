import { readFileSync } from 'node:fs'
import { pointerStep } from '@skillrun/core/json.ts'
import type { Finding } from '../../extract/assemble.ts'
import { madeOnce } from '../../layout/remembered.ts'
import { type CalibratedSource, clamped, rounded, type StoredModel, thresholdFor, valueOn } from '../../score/model.ts'
import { type Forest, packed, probabilityOf } from '../../score/trees.ts'
import { cellFeatures, type ReadList } from './cell-features.ts'

/** What the training script writes: `npm run reader:columns`. */
export interface CellModel extends Pick<StoredModel, 'features' | 'calibration' | 'thresholds'> {
  readonly cells: Forest
}

export const shippedCells = madeOnce(() => {
  const file = readFileSync(new URL('./cell-model.json', import.meta.url), 'utf8')
  const model = JSON.parse(file) as CellModel
  return { ...model, cells: packed(model.cells) }
})

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

const sourceOf = ({ sheet }: ReadList): CalibratedSource =>
  sheet.pages.some(({ page }) => page.source === 'ocr') ? 'recognised' : 'text'

/**
 * Gives the values of a list the probability that they are right, in place, and returns the pointers of those that are not sure enough for the
 * accepted share of wrong ones. The first such value of each column has a note. CSV files and sheets are not weighed: the score is
 * calibrated for pages.
 */
export function markCells(
  read: ReadList,
  { maxWrongRate, warned }: { readonly maxWrongRate: number; readonly warned: ReadonlySet<string> },
): readonly string[] {
  const { list, rows, reading } = read
  if (rows.length === 0 || reading.read.tables.some(({ page }) => page.page.isTabular)) return []
  const model = shippedCells()
  const source = sourceOf(read)
  const least = thresholdFor(model, source, maxWrongRate).probability
  const features = cellFeatures(read)
  const doubted = new Map<string, number[]>()
  for (const [at, row] of rows.entries()) {
    const isWarned = warned.has(list.pointer + pointerStep(at))
    for (const [pointer, own] of features[at] ?? []) {
      const finding = row.get(pointer) as Finding
      const probability = rounded(clamped(valueOn(model.calibration[source], probabilityOf(model.cells, own))))
      const confidence = isWarned ? Math.min(probability, finding.evidence.confidence) : probability
      row.set(pointer, { ...finding, evidence: { ...finding.evidence, confidence } })
      if (confidence < least) doubted.set(pointer, [...(doubted.get(pointer) ?? []), at])
    }
  }
  for (const [pointer, [first = 0, ...others]] of doubted) {
    const finding = rows[first]?.get(pointer) as Finding
    const more = others.length === 0 ? '' : ` The same holds for ${others.length} more values of this column.`
    const note = `Its probability is ${finding.evidence.confidence}; at most ${percent(maxWrongRate)} wrong values need ${least}.${more}`
    rows[first]?.set(pointer, { ...finding, evidence: { ...finding.evidence, note: finding.evidence.note ?? note } })
  }
  return [...doubted].flatMap(([pointer, all]) => all.map((at) => list.pointer + pointerStep(at) + pointer))
}
