import { readFileSync } from 'node:fs'
import { pointerStep } from '@skillrun/core/json.ts'
import type { Finding } from '../../extract/assemble.ts'
import { madeOnce } from '../../layout/remembered.ts'
import { type CalibratedSource, clamped, rounded, type StoredModel, thresholdFor, valueOn } from '../../score/model.ts'
import { type Forest, packed, probabilityOf } from '../../score/trees.ts'
import { isTabular, type ReadList, visitCells } from './cell-features.ts'

/** What the training script writes: `npm run reader:columns`. */
export interface CellModel extends Pick<StoredModel, 'features' | 'calibration' | 'thresholds'> {
  readonly cells: Forest
}

const shipped = (name: string) =>
  madeOnce(() => {
    const model = JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as CellModel
    return { ...model, cells: packed(model.cells) }
  })

export const shippedCells = shipped('./cell-model.json')
/** The same for CSV files and spreadsheets. */
export const shippedSheetCells = shipped('./sheet-model.json')

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

const sourceOf = (read: ReadList): CalibratedSource =>
  !isTabular(read) && read.sheet.pages.some(({ page }) => page.source === 'ocr') ? 'recognised' : 'text'

/**
 * Gives the values of a list the probability that they are right, in place, and returns the pointers of those that are not sure enough for the
 * accepted share of wrong ones. The first such value of each column has a note.
 */
export function markCells(
  read: ReadList,
  { maxWrongRate, warned }: { readonly maxWrongRate: number; readonly warned: ReadonlySet<string> },
): readonly string[] {
  const { list, rows } = read
  if (rows.length === 0) return []
  const model = isTabular(read) ? shippedSheetCells() : shippedCells()
  const source = sourceOf(read)
  const least = thresholdFor(model, source, maxWrongRate).probability
  const curve = model.calibration[source]
  const doubted = new Map<string, number[]>()
  visitCells(read, (at, pointer, features) => {
    const row = rows[at] as Map<string, Finding>
    const finding = row.get(pointer) as Finding
    const probability = rounded(clamped(valueOn(curve, probabilityOf(model.cells, features))))
    const isWarned = warned.size > 0 && warned.has(list.pointer + pointerStep(at))
    const confidence = isWarned ? Math.min(probability, finding.evidence.confidence) : probability
    row.set(pointer, { ...finding, evidence: { ...finding.evidence, confidence } })
    if (confidence >= least) return
    const all = doubted.get(pointer) ?? []
    all.push(at)
    doubted.set(pointer, all)
  })
  for (const [pointer, [first = 0, ...others]] of doubted) {
    const finding = rows[first]?.get(pointer) as Finding
    const more = others.length === 0 ? '' : ` The same holds for ${others.length} more values of this column.`
    const note = `Its probability is ${finding.evidence.confidence}; at most ${percent(maxWrongRate)} wrong values need ${least}.${more}`
    rows[first]?.set(pointer, { ...finding, evidence: { ...finding.evidence, note: finding.evidence.note ?? note } })
  }
  return [...doubted].flatMap(([pointer, all]) => all.map((at) => list.pointer + pointerStep(at) + pointer))
}
