import { type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import { assign } from '../candidates/assign.ts'
import { isNamed } from '../candidates/margins.ts'
import { checkFindings, type Draft } from '../checks/check-findings.ts'
import { isForeign, ownerOf } from '../checks/foreign-lists.ts'
import { isCut } from '../checks/form-checks.ts'
import { warnOfSums } from '../checks/sum-checks.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import { dataValues } from '../fields/data-values.ts'
import { labelledItems } from '../fields/labelled-items.ts'
import { rowsOfNamedColumns } from '../fields/named-columns.ts'
import { givenValues } from '../given/given-values.ts'
import type { PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { madeOnce } from '../layout/remembered.ts'
import { type Candidate, ocrConfidenceOf, type Sheet } from '../layout/sheet.ts'
import { type Fields, findField, isOfValues, type ListField, listFields } from '../schema/fields.ts'
import { type Plan, planSchema } from '../schema/plan.ts'
import { settleLedger } from '../statements/ledger-ends.ts'
import type { ReadList } from '../tables/cells/cell-features.ts'
import { type Choice, chooseTables, readByName } from '../tables/choose-tables.ts'
import { itemsOf, noTables, type ReadTables } from '../tables/items.ts'
import { withSheetNames } from '../tables/sheet-names.ts'
import { valueFor } from '../values/values.ts'
import { prove } from '../values/verify.ts'
import type { Finding } from './assemble.ts'
import type { ExtractionRequest } from './extraction.ts'
import { readSheet } from './read-sheet.ts'
import { candidatesFor, ledgerOf, type WeighedCandidates } from './weigh-candidates.ts'

/** What the rules found for a schema. */
export interface RuleReading extends Pick<WeighedCandidates, 'weighed' | 'parts'> {
  readonly plan: Plan
  readonly fields: Fields
  readonly sheet: Sheet
  readonly single: Map<string, Finding>
  /** What was found and then taken back, because other values speak against it. */
  readonly withdrawn: ReadonlyMap<string, Finding>
  readonly lists: Map<string, Map<string, Finding>[]>
  /** The words that say that a list is empty, by the list's pointer. */
  readonly none: ReadonlyMap<string, Evidence>
  /** Words of the items that stand at the label of their list. */
  readonly ofLists: ReadonlySet<PlacedWord>
  readonly notes: Map<string, string>
  /** Fields that stay empty because the value under their own name is none: nothing else is looked for. */
  readonly empty: ReadonlySet<string>
  readonly warnings: Warning[]
  /** Lists whose rows may be of another list. */
  readonly foreign: readonly string[]
  /** The lists that were read from tables of pages. */
  readonly read: readonly ReadList[]
}

/** Fills a schema from positioned words by rules: labels, layout, types and sums. */
export function readByRules({ documents, values }: ExtractionRequest, schema: JsonSchema): RuleReading {
  const plan = planSchema(schema)
  const fields = listFields(plan)
  const inputs = documents.map(({ input }) => input)
  const whole = readSheet(documents, fields)
  const byName = new Map(
    fields.lists.flatMap((list) => {
      const rows = rowsOfNamedColumns(list, whole, inputs)
      return rows === null ? [] : [[list.pointer, rows] as const]
    }),
  )
  const data = dataValues(fields, whole, inputs)
  for (const [pointer, rows] of data.lists) byName.set(pointer, rows)
  const labelled = new Map(
    fields.lists.flatMap((list) => {
      const items = byName.has(list.pointer) ? undefined : labelledItems(list, { sheet: whole, inputs })
      return items ? [[list.pointer, items] as const] : []
    }),
  )
  const ofTables = {
    ...fields,
    lists: fields.lists.filter(({ pointer }) => labelled.get(pointer)?.mayBeHeading !== false),
  }
  const isByNameOnly = fields.single.length === 0 && ofTables.lists.every(({ pointer }) => byName.has(pointer))
  const { sheet, readings }: Choice = isByNameOnly
    ? { sheet: whole, readings: new Map() }
    : chooseTables(whole, ofTables, inputs)
  const foreign: string[] = []
  const rowsOf = (list: ListField): Map<string, Finding>[] => {
    const named = byName.get(list.pointer)
    if (named) return named
    const found = readings.get(list)?.read ?? noTables
    if (isForeign(list, found)) foreign.push(list.pointer)
    return itemsOf(list, found, { sheet, inputs })
  }
  const lists = new Map(
    ofTables.lists.map((list): [string, Map<string, Finding>[]] => [
      list.pointer,
      withSheetNames(rowsOf(list), { list, sheet, inputs }),
    ]),
  )
  const owned = settleOwned(fields, readings, { lists, pages: sheet.pages })
  for (const pointer of owned.doubted) if (!foreign.includes(pointer)) foreign.push(pointer)
  for (const pointer of labelled.keys()) if (lists.get(pointer)?.length) labelled.delete(pointer)
  const itemSum = sumOfItems(fields, lists)
  const ledger = madeOnce(() => ledgerOf(sheet))
  const { parts, otherMeasures, refusals, ...found } = candidatesFor(sheet, fields, { itemSum, ledger })
  const ofLists = new Set([...labelled.values()].flatMap(({ words }) => words))
  const weighed = found.weighed.filter(({ words }) => !words.some((word) => ofLists.has(word)))
  const single = proveSingle(weighed, sheet, inputs)
  const given = new Map([...data.single, ...givenValues(fields.single, values)])
  const empty = new Map([...refusals].concat([...data.empty]).filter(([pointer]) => !given.has(pointer)))
  for (const pointer of empty.keys()) single.delete(pointer)
  for (const [pointer, finding] of given) single.set(pointer, finding)
  settleLedger(fields, { single, lists, sheet, inputs })
  const before = new Map(single)
  const draft: Draft = {
    single,
    lists,
    notes: new Map([...otherMeasures, ...empty, ...owned.emptied]),
    warnings: [],
  }
  for (const [list, { read }] of readings) noteRefused(list, { read, draft })
  checkFindings(fields, draft)
  // Checks tell apart what words may mean. The data of a document leaves no choice.
  for (const [pointer, finding] of data.single) {
    if (single.has(pointer)) continue
    single.set(pointer, finding)
    draft.notes.delete(pointer)
  }
  // An item of a list of values is its value.
  for (const list of ofTables.lists.filter((one) => isOfValues(one) && !byName.has(one.pointer)))
    lists.set(list.pointer, lists.get(list.pointer)?.filter((row) => row.size > 0) ?? [])
  for (const [pointer, { rows }] of labelled) lists.set(pointer, [...rows])
  warnOfSums(fields.single, draft, ledger)
  const withdrawn = new Map([...before].filter(([pointer]) => !single.has(pointer)))
  const read = ofTables.lists.flatMap((list): ReadList[] => {
    const rows = lists.get(list.pointer) ?? []
    if (data.lists.has(list.pointer)) return []
    const reading = byName.has(list.pointer) ? readByName(list, rows) : readings.get(list)
    if (reading === undefined) return []
    const siblings = fields.lists.flatMap((one) => (one === list ? [] : [lists.get(one.pointer) ?? []]))
    return [{ list, rows, siblings, reading, isForeign: foreign.includes(list.pointer), sheet, inputs }]
  })
  return {
    plan,
    fields,
    sheet,
    weighed,
    parts,
    withdrawn,
    ...draft,
    lists,
    ofLists,
    none: new Map([...labelled].flatMap(([pointer, { none }]) => (none ? [[pointer, none] as const] : []))),
    foreign,
    read,
    empty: new Set(empty.keys()),
  }
}

function proveSingle(candidates: readonly Candidate[], sheet: Sheet, inputs: readonly string[]): Map<string, Finding> {
  const found = new Map<string, Finding>()
  for (const chosen of assign(candidates).values()) {
    const { field, reading, words, page, score, note, isSum } = chosen
    const value = valueFor(field.plan, reading)
    if (value === undefined) continue
    const claim = {
      plan: field.plan,
      value,
      words,
      page,
      confidence: score,
      ...(note && { note }),
      ...(isSum && { isSum }),
    }
    const evidence = prove(claim, inputs[page.document] ?? '', sheet.conventions)
    if (evidence === null) continue
    found.set(field.pointer, {
      value,
      evidence,
      place: { words, relation: chosen.relation },
      ...ocrConfidenceOf(words, page),
      ...(isCut(field, words, page) && { isCutOff: true }),
      ...(isNamed(chosen, candidates) && { isNamed: true }),
    })
  }
  return found
}

/** The sum of the line amounts of the first list that has any. */
function sumOfItems(
  fields: Fields,
  lists: ReadonlyMap<string, readonly ReadonlyMap<string, Finding>[]>,
): number | null {
  for (const list of fields.lists) {
    const amount = findField(list.columns, 'line_amount')
    const items = lists.get(list.pointer) ?? []
    if (amount === undefined || items.length === 0) continue
    const values = items.map((item) => item.get(amount.pointer)?.value)
    if (values.every((value) => typeof value === 'number')) return values.reduce((sum, value) => sum + value, 0)
  }
  return null
}

/** Says of the empty places of a list why a column that resembles theirs is not read. */
function noteRefused(list: ListField, { read, draft }: { readonly read: ReadTables; readonly draft: Draft }): void {
  for (const [at, row] of (draft.lists.get(list.pointer) ?? []).entries())
    for (const [pointer, why] of read.refused)
      if (!row.has(pointer)) draft.notes.set(list.pointer + pointerStep(at) + pointer, why)
}

/**
 * The lists whose rows are those of another that has more right to them. One that asks for other things than it is emptied, and the reason noted;
 * one that asks for the same may be meant, and is doubted.
 */
function settleOwned(
  fields: Fields,
  readings: Choice['readings'],
  { lists, pages }: { readonly lists: Map<string, Map<string, Finding>[]>; readonly pages: readonly PageLayout[] },
): { readonly emptied: ReadonlyMap<string, string>; readonly doubted: readonly string[] } {
  const all = fields.lists.map((list) => {
    const { read = noTables } = readings.get(list) ?? {}
    return { list, rows: lists.get(list.pointer) ?? [], tables: read.tables }
  })
  const emptied = new Map<string, string>()
  const doubted: string[] = []
  for (const one of all) {
    const owner = ownerOf(one, all, pages)
    if (owner?.isPart) doubted.push(one.list.pointer)
    else if (owner)
      emptied.set(one.list.pointer, `Only the rows of ${owner.list.pointer} resemble it, and nothing at them names it.`)
  }
  for (const pointer of emptied.keys()) lists.set(pointer, [])
  return { emptied, doubted }
}
