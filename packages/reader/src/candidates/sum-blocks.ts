import type { LabelHit } from '../labels/labels.ts'
import type { Cell, Line, PageLayout } from '../layout/layout.ts'
import { type Candidate, type Field, inTable, type Sheet, wordConfidence } from '../layout/sheet.ts'
import { spanOfCell, wordsWithin } from '../layout/spans.ts'
import { sameAmount } from '../values/amounts.ts'
import { type ParsedValue, readAs } from '../values/parsed-values.ts'
import { fits } from '../values/values.ts'
import type { Role } from './sums.ts'

/** A line below a table: a label and its amount. */
interface Entry {
  readonly label: Cell
  readonly cell: Cell
  readonly page: PageLayout
  readonly reading: ParsedValue
  readonly value: number
}

/** The maximum distance between lines of one block, top to top, in text heights. */
const pitchHeights = 4
/** The maximum difference between the left or right edges of amounts in one block, in text heights. */
const flushHeights = 1.2
/** The score of an amount whose role follows from the sum alone. */
const provenScore = 0.86

const hitsOf = (sheet: Sheet, { label }: Entry): readonly LabelHit[] => sheet.labels.get(label) ?? []

const means = (sheet: Sheet, entry: Entry, ids: readonly string[]): boolean =>
  hitsOf(sheet, entry).some(
    (hit) => hit.startsCell && hit.targets.some(({ target, weight }) => weight > 0.7 && ids.includes(target.slice(2))),
  )

function entryOf(sheet: Sheet, line: Line, cell: Cell): Entry | null {
  const label = line.cells[cell.index - 1]
  if (label === undefined || inTable(sheet, cell) || inTable(sheet, label)) return null
  if (!/\p{L}{2}/u.test(label.text) || /\p{L}{4}/u.test(cell.text)) return null
  const readings = readAs('money', cell.text, sheet.conventions)
  const [reading] = readings
  if (reading === undefined || readings.length !== 1 || typeof reading.value !== 'number') return null
  return { label, cell, page: line.page, reading, value: reading.value }
}

/** Groups of labelled amounts that are aligned at their left or right edge and follow each other closely. */
function blocksOf(sheet: Sheet, page: PageLayout): Entry[][] {
  const blocks: Entry[][] = []
  for (const line of page.lines) {
    for (const cell of line.cells) {
      const entry = entryOf(sheet, line, cell)
      if (entry === null) continue
      const block = blocks.findLast((other) => {
        const last = other.at(-1)
        if (last === undefined) return false
        const { height } = cell.line
        return (
          Math.min(Math.abs(last.cell.x1 - cell.x1), Math.abs(last.cell.x0 - cell.x0)) < flushHeights * height &&
          line.y0 - last.cell.line.y0 < pitchHeights * height &&
          Math.min(last.label.x1, entry.label.x1) > Math.max(last.label.x0, entry.label.x0)
        )
      })
      if (block === undefined) blocks.push([entry])
      else block.push(entry)
    }
  }
  return blocks
}

interface Solution {
  readonly entries: readonly Entry[]
  /** True when the table's items add up to the first entry. */
  readonly isConfirmed: boolean
  /** Index of the total. */
  readonly at: number
}

const isPaid = (sheet: Sheet, entry: Entry): boolean => means(sheet, entry, ['cash', 'change', 'amount_paid'])

/** Finds the first entry that is the sum of the entries before it, then extends it to the last such total. */
function solve(sheet: Sheet, entries: readonly Entry[], itemSum: number | null): Solution | null {
  const signed = (entry: Entry): number =>
    means(sheet, entry, ['discount']) && entry.value > 0 ? -entry.value : entry.value
  const first = entries[0]
  if (first === undefined) return null
  const isConfirmed = itemSum !== null && sameAmount(itemSum, first.value, 1)
  let at: number | null = null
  let sum = first.value
  let from = 0
  for (const [index, entry] of entries.entries()) {
    if (index === 0) continue
    if (isPaid(sheet, entry)) break
    if (index > from + 1 && sameAmount(sum, entry.value, 1)) {
      at = index
      from = index
      sum = entry.value
    } else sum += signed(entry)
  }
  // A total labelled further down that this chain does not reach is a different amount from the one found.
  const isPassed = at !== null && entries.slice(at + 1).some((entry) => means(sheet, entry, ['total']))
  if (isPassed) return null
  // Items without a table can also add up; then nothing shows that the first entry is their sum.
  return at === null || !(isConfirmed || (at > 1 && means(sheet, first, ['subtotal'])))
    ? null
    : { entries, at, isConfirmed }
}

const addedRoles: readonly Role[] = ['tax', 'shipping', 'discount']
/** Roles with their own names, requested or not. They are never inferred from position. */
const otherRoles: readonly Role[] = ['rounding', 'service_charge', 'tip']

/** The role of each entry between the subtotal and the total; null where it is ambiguous. */
function rolesOf(sheet: Sheet, { entries, at }: Solution): Map<Role, Entry> {
  const roles = new Map<Role, Entry>()
  const [first] = entries
  const total = entries[at]
  if (first === undefined || total === undefined) return roles
  roles.set('subtotal', first)
  roles.set('total', total)
  const open: Entry[] = []
  const counts = new Map<Role, number>()
  for (const entry of entries.slice(1, at)) {
    const known = addedRoles.find((role) => means(sheet, entry, [role]))
    if (known === undefined && means(sheet, entry, otherRoles)) continue
    const role = known ?? (entry.value < 0 ? 'discount' : /\d\s?%/.test(entry.label.text) ? 'tax' : null)
    if (role === null && !means(sheet, entry, ['subtotal', 'total'])) open.push(entry)
    if (role === null) continue
    counts.set(role, (counts.get(role) ?? 0) + 1)
    roles.set(role, entry)
  }
  for (const [role, count] of counts) if (count > 1) roles.delete(role)
  const [only] = open
  if (only !== undefined && open.length === 1) {
    // A single addend beside a labelled tax is the cost of delivery; without one it is the tax.
    if (counts.has('tax') && !counts.has('shipping')) roles.set('shipping', only)
    else if (counts.has('shipping') && !counts.has('tax') && entries[at - 1] === only) roles.set('tax', only)
  }
  return roles
}

/**
 * Candidates for amounts below a table whose roles follow from the sum, whatever their labels say: a first amount and
 * its addends make the total.
 */
export function sumBlockCandidates(sheet: Sheet, fields: readonly Field[], itemSum: number | null): Candidate[] {
  const wanted = new Map(fields.map((field) => [field.plan.meaning.concept?.id ?? '', field]))
  if (!wanted.has('total') || !(wanted.has('tax') || wanted.has('subtotal'))) return []
  for (const page of sheet.pages.toReversed()) {
    for (const block of blocksOf(sheet, page)) {
      const solution = block.length < 3 ? null : solve(sheet, block, itemSum)
      if (solution === null) continue
      return [...rolesOf(sheet, solution)].flatMap(([role, entry]) => {
        const field = wanted.get(role)
        const isSure = solution.isConfirmed && (role === 'total' || role === 'subtotal')
        return field === undefined ? [] : candidateOf(field, entry, isSure ? 1 : provenScore)
      })
    }
  }
  return []
}

function candidateOf(field: Field, { label, cell, page, reading }: Entry, proven: number): Candidate[] {
  const { value } = reading
  const isDiscount = field.plan.meaning.concept?.id === 'discount'
  const settled = isDiscount && typeof value === 'number' ? { ...reading, value: Math.abs(value) } : reading
  if (!fits(field.plan, settled)) return []
  const words = wordsWithin(spanOfCell(cell), reading.start, reading.end)
  const score = proven * (0.6 + 0.4 * wordConfidence(words))
  return [{ field, reading: settled, words, page, label: label.words, relation: 'sum', score }]
}
