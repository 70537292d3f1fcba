import { fieldsByTarget } from '../../languages/request-book.ts'
import { keptWeakly } from '../../layout/remembered.ts'
import type { Field, Sheet } from '../../layout/sheet.ts'
import { findField, type ListField } from '../../schema/fields.ts'
import type { Column } from '../table.ts'
import { settleCodes, settleProducts } from './column-roles.ts'
import { askedColumns, columnProbabilities, countsUp, likeliestPairs, type ScoredTable } from './column-score.ts'
import { sideOf } from './heading-weights.ts'
import { isNamedColumn, misfitsOf } from './misfits.ts'

/** Index of a column → its field. */
export type ColumnMap = ReadonlyMap<number, Field>

/** A column less likely to be a field's than this is no column of it. */
const columnMin = 0.3

/** The same where no other column speaks for the table. */
const onlyColumnMin = 0.7

/** Which columns of a table have the values of which fields of a list. */
export interface MappedColumns {
  readonly map: ColumnMap
  /** How likely the columns of fields are theirs. */
  readonly sure: ReadonlyMap<Field, number>
  /** Why columns that resemble a field are not its own. */
  readonly refused: ReadonlyMap<Field, string>
  /** The number of fields that are likely found, for comparing tables. */
  readonly score: number
}

export const askedOf = keptWeakly((list: ListField) => askedColumns(list.columns, fieldsByTarget(list.columns)))

/** The fields of a table's columns: the likeliest pairs first, each column and each field once. */
export function mapColumns(list: ListField, table: ScoredTable, sheet: Sheet): MappedColumns {
  const map = new Map<number, Field>()
  const sure = new Map<Field, number>()
  const least = list.columns.length === 1 ? onlyColumnMin : columnMin
  const asked = askedOf(list)
  const misfit = misfitsOf(asked, table, sheet)
  const refused = new Map<Field, string>()
  const probabilities = columnProbabilities(asked, table, sheet).map((row, at) => {
    const column = table.columns[at] as Column
    const texts = table.rows.flatMap(({ cells }) => cells[at]?.text ?? [])
    return row.map((alone, of) => {
      const field = list.columns[of] as Field
      const probability =
        Math.max(alone, isNamedColumn(table, at, field) ? namedMin : 0) * suitsOf(field, column, texts)
      const reason = probability < least ? null : misfit(field, at)
      if (reason === null) return probability
      refused.set(field, reason)
      return 0
    })
  })
  for (const { at, of, probability } of likeliestPairs(probabilities, least)) {
    const field = list.columns[of] as Field
    map.set(at, field)
    sure.set(field, probability)
  }
  settleProducts(map, list.columns, table, sheet)
  settleCodes(map, list.columns, table, sheet)
  const spare = spareTextColumn(list, table, map)
  if (spare !== null) map.set(spare.at, spare.field)
  for (const [at, field] of [...map]) {
    const reason = misfit(field, at)
    if (reason === null) refused.delete(field)
    else if (map.delete(at) && sure.delete(field)) refused.set(field, reason)
  }
  return { map, sure, refused, score: sum([...sure.values()]) }
}

/** The least probability of a column whose heading is the name of a field. */
const namedMin = 0.8

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Headings of the value date, which is rarely the requested date of a movement. */
const valueDayPattern = /\b(?:value|val|valor|valuta|valeur|wert\p{L}*|rentedatum|effective)\b/iu
const secondDayFactor = 0.9

/** How much of a probability is left where a column cannot be what its heading and content resemble. */
function suitsOf(field: Field, { heading }: Column, texts: readonly string[]): number {
  const id = field.plan.meaning.concept?.id ?? ''
  // A column for debits alone, or for credits, has half of the movements: both are read together.
  if (/^(?:movement|running_balance)$/.test(id) && sideOf(heading) !== undefined) return 0
  if (/^(?:quantity|item_code)$/.test(id) && countsUp(texts)) return 0
  return id === 'transaction_date' && valueDayPattern.test(heading.text) ? secondDayFactor : 1
}

/** The only text column under an unknown heading holds the descriptions, when no other column does. */
function spareTextColumn(list: ListField, table: ScoredTable, map: ColumnMap): { at: number; field: Field } | null {
  const field = findField(list.columns, 'description')
  if (field === undefined || map.size < 2 || [...map.values()].includes(field)) return null
  const spare = table.columns.flatMap((column, at) => {
    const isKnown = column.heading.targets.some(({ target, weight }) => weight >= 0.85 && isAsked(list, target))
    if (map.has(at) || isKnown) return []
    const texts = table.rows.flatMap((row) => row.cells[at]?.text ?? [])
    const wordy = texts.filter(
      (text) => (text.match(/\p{L}/gu)?.length ?? 0) > text.length * 0.5 && text.length > 4,
    ).length
    return wordy >= table.rows.length * 0.6 ? [at] : []
  })
  const [at] = spare
  return spare.length === 1 && at !== undefined ? { at, field } : null
}

const sideTargets = new Set(['c:debit', 'c:credit', 'c:running_balance'])

/** True when a meaning applies to the rows of a list: the reference of a movement is not an item code. */
const isAsked = (list: ListField, target: string): boolean =>
  sideTargets.has(target) ||
  list.columns.some((field) => `c:${field.plan.meaning.concept?.id}` === target || `f:${field.id}` === target)
