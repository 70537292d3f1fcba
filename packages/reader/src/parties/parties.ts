import type { LabelHit } from '../labels/labels.ts'
import type { Party } from '../languages/concept.ts'
import type { Cell } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { inTable, type Sheet } from '../layout/sheet.ts'
import { spanOfCell, wordsWithin } from '../layout/spans.ts'
import {
  type BlockLine,
  blockLineOf,
  columnBelow,
  endsBlock,
  isAttention,
  type PartyValue,
  readBlock,
} from './blocks.ts'

function blockOfLabel(sheet: Sheet, hit: LabelHit): BlockLine[] {
  const { cell } = hit
  const stop = (other: Cell): boolean => endsBlock(sheet, other)
  if (!hit.isWhole) {
    const first: BlockLine = blockLineOf(cell, hit.rest)
    return [first, ...columnBelow(sheet, cell, stop).map((other) => blockLineOf(other))]
  }
  const below = columnBelow(sheet, cell, stop).filter(
    (other) => other.x0 > cell.x0 - cell.line.height * 2 || Math.abs(other.x1 - cell.x1) < cell.line.height * 0.5,
  )
  const right = cell.line.cells[cell.index + 1]
  const rightIsValue =
    right !== undefined && !(sheet.labels.get(right) ?? []).some((other) => other.startsCell && other.coverage > 0.6)
  if (rightIsValue && (below.length === 0 || hit.hasColon))
    return [blockLineOf(right), ...columnBelow(sheet, right, stop).map((other) => blockLineOf(other))]
  return below.map((other) => blockLineOf(other))
}

/** The parties in labelled blocks: `Bill to`, `From`, `Lieferadresse` … */
export function labelledParties(sheet: Sheet, issuer: Party): PartyValue[] {
  const values: PartyValue[] = []
  for (const hits of sheet.labels.values()) {
    for (const hit of hits) {
      const target = hit.targets.find((entry) => entry.target.startsWith('b:'))
      if (target === undefined || !hit.startsCell || hit.coverage < 0.75 || !(hit.isWhole || hit.hasColon)) continue
      if (inTable(sheet, hit.cell) || (!hit.isWhole && isAttention(hit.cell.text))) continue
      const name = target.target.slice(2)
      const addressee: Party = issuer === 'vendor' ? 'customer' : 'vendor'
      const party = name === 'issuer' ? issuer : name === 'addressee' ? addressee : (name as Party)
      const label = wordsWithin(spanOfCell(hit.cell), hit.start, hit.end)
      const lines = blockOfLabel(sheet, hit)
      const origin = { party, page: hit.cell.line.page, label, score: target.weight * (0.7 + 0.25 * hit.coverage) }
      values.push(...readBlock(lines, origin))
    }
  }
  return values
}

/** Words of labelled blocks, which are excluded from the letterhead. */
export const wordsOf = (values: readonly PartyValue[]): Set<PlacedWord> =>
  new Set(values.flatMap((value) => value.words))
