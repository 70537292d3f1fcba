import type { Json } from '@skillrun/core/json.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import type { Field } from '../layout/sheet.ts'
import type { Fields, ListField } from '../schema/fields.ts'
import { hasTown } from '../values/addresses.ts'
import { checkBalances, checkItems, checkSum } from './arithmetic.ts'
import { checkCodes } from './code-checks.ts'
import { formObjection } from './form-checks.ts'
import {
  checkRowProducts,
  dropCodeLabels,
  dropEnds,
  dropRowNumbers,
  dropSums,
  dropUnconfirmedQuantities,
  dropUnsigned,
} from './list-checks.ts'
import { breaksOff, dropAdjacentText, untrustedNames } from './name-checks.ts'
import { dropRates, dropSignless, restorePrices } from './scan-checks.ts'
import { amountIn, checkSums, dropContradictedSums } from './sum-checks.ts'

/** What was found; mutable. */
export interface Draft {
  readonly single: Map<string, Finding>
  readonly lists: ReadonlyMap<string, Map<string, Finding>[]>
  readonly notes: Map<string, string>
  readonly warnings: Warning[]
}

/** Numbers that contain a word with a lower OCR confidence are often misread. */
const numberOcrConfidenceMin = 0.8
/** The same for names and other texts, which stay readable with some errors. */
const textOcrConfidenceMin = 0.6
/** The minimum number of amounts for the form of most of them to be the rule. */
const amountsMin = 3

const idOf = (field: Field): string | undefined => field.plan.meaning.concept?.id

const isNumber = (field: Field): boolean => /^(?:money|number|integer|percent)$/.test(field.plan.meaning.kind)

function checkList(list: ListField, rows: readonly Map<string, Finding>[], ends: (id: string) => number | null): void {
  const pointerOf = (id: string): string | undefined => list.columns.find((field) => idOf(field) === id)?.pointer
  const [quantity, price, amount] = ['quantity', 'unit_price', 'line_amount'].map(pointerOf)
  if (quantity !== undefined && price !== undefined && amount !== undefined)
    checkItems(rows, { quantity, price, amount })
  const movement = pointerOf('movement')
  const running = pointerOf('running_balance')
  if (movement === undefined) return
  const bounds = { opening: ends('opening_balance'), closing: ends('closing_balance') }
  const hasBalances = running !== undefined && rows.some((row) => row.has(running))
  if (running !== undefined && hasBalances) checkBalances(rows, { amount: movement, balance: running }, bounds)
  else checkSum(rows, movement, bounds)
}

const printsDecimals = (finding: Finding): boolean => /\d[.,]\s?\d{1,2}(?!\d)/.test(finding.evidence.quote ?? '')

/** True when most amounts are printed with decimals, so that one without lost its decimal mark. */
function usesDecimals(fields: Fields, draft: Draft): boolean {
  let all = 0
  let marked = 0
  const see = (field: Field, finding: Finding | undefined): void => {
    if (finding === undefined || field.plan.meaning.kind !== 'money') return
    all++
    if (printsDecimals(finding)) marked++
  }
  for (const field of fields.single) see(field, draft.single.get(field.pointer))
  for (const list of fields.lists)
    for (const row of draft.lists.get(list.pointer) ?? [])
      for (const field of list.columns) see(field, row.get(field.pointer))
  return all >= amountsMin && marked >= all * 0.6
}

/** A complete address has more letters than this, or a postcode. */
const addressLettersMin = 24

const isStreetAlone = (text: string): boolean =>
  !hasTown(text) && text.replace(/[^\p{L}\d]/gu, '').length < addressLettersMin

/**
 * With a confidence between these, a party of an OCR page was found by a label that may belong to the other party,
 * unless the other party is named. Parties with less confidence were found by position alone, so no label was misread.
 */
const partyConfidence = [0.75, 0.9] as const

const isHalfSure = (confidence: number): boolean => confidence >= partyConfidence[0] && confidence < partyConfidence[1]

/** The minimum number of digits of a complete phone number on an OCR page, where one of its parts is easily lost. */
const wholePhoneDigits = 8

const digitsIn = ({ value }: Finding): number => String(value).replace(/\D/g, '').length

/** Facts about the whole answer that decide about single values. */
interface Circumstances {
  /** Most amounts are printed with decimals. */
  readonly hasDecimals: boolean
  /** A label names the seller, so that the buyer cannot be taken for the seller. */
  readonly isSellerNamed: boolean
}

/** Why a value of an OCR page is not trusted, or null. */
function doubtOf(field: Field, finding: Finding, { hasDecimals, isSellerNamed }: Circumstances): string | null {
  const ofForm = formObjection(field, finding)
  if (ofForm !== null) return ofForm
  if (/^(?:payment_terms|incoterm)$/.test(idOf(field) ?? '') && breaksOff(String(finding.value)))
    return 'The text seems to be cut off.'
  if (field.plan.meaning.kind === 'address' && finding.isNamed !== true && isStreetAlone(String(finding.value)))
    return 'The address seems to be cut off.'
  const { ocrConfidence } = finding
  if (ocrConfidence !== undefined && field.plan.meaning.kind === 'id' && /^\p{L}0[\d-]/u.test(String(finding.value)))
    return 'It contains a character that may be a letter or a digit.'
  if (ocrConfidence === undefined) return null
  if (
    /^customer_(?:name|address)$/.test(idOf(field) ?? '') &&
    !isSellerNamed &&
    isHalfSure(finding.evidence.confidence)
  )
    return 'There is too little evidence for this party.'
  if (field.plan.meaning.kind === 'phone' && digitsIn(finding) < wholePhoneDigits)
    return 'The number seems to be cut off.'
  const { quote = '' } = finding.evidence
  if (field.plan.meaning.kind === 'time' && /^\D*\d[:.]\d\d(?!.*[ap]\.?\s?m)/iu.test(quote))
    return 'The time may have lost its AM or PM.'
  const isBare =
    field.plan.meaning.kind === 'money' &&
    finding.value !== 0 &&
    !printsDecimals(finding) &&
    finding.evidence.status !== 'derived'
  // When two amounts both lost their decimal mark, they still multiply out.
  if (isBare && hasDecimals) return 'The amount has lost its decimal separator.'
  if (finding.isConfirmed === true) return null
  // Dates and account numbers are validated when read; the remaining ones are rarely wrong.
  if (/^(?:date|datetime|time|iban|currency|enum)$/.test(field.plan.meaning.kind)) return null
  const isUnclear = !isNumber(field) && ocrConfidence < textOcrConfidenceMin
  return isUnclear ? 'The print is too unclear to read the text reliably.' : null
}

/** The same for a cell of a list, whose number has no label beside it: unclear print is enough to doubt it. */
function doubtInList(field: Field, finding: Finding, known: Circumstances): string | null {
  const { ocrConfidence = 1, isConfirmed } = finding
  const isUnclear = isNumber(field) && isConfirmed !== true && ocrConfidence < numberOcrConfidenceMin
  return doubtOf(field, finding, known) ?? (isUnclear ? 'The print is unclear, and no sum confirms the number.' : null)
}

/**
 * Withdraws an unlabelled seller of an OCR page when the buyer was requested but not found: one of two parties was
 * lost, and the other may be either.
 */
function dropLoneSeller(fieldOf: (id: string) => Field | undefined, draft: Draft): void {
  const buyer = fieldOf('customer_name')
  const seller = fieldOf('vendor_name')
  if (buyer === undefined || seller === undefined || draft.single.has(buyer.pointer)) return
  const name = draft.single.get(seller.pointer)
  if (name?.ocrConfidence === undefined || name.evidence.confidence >= partyConfidence[0]) return
  for (const field of [seller, fieldOf('vendor_address')]) {
    if (field === undefined || !draft.single.delete(field.pointer)) continue
    draft.notes.set(field.pointer, 'This may be the other party, which was not found.')
  }
}

const lettersOf = (text: Json): string =>
  typeof text === 'string' ? text.toLowerCase().replace(/[^\p{L}\d]/gu, '') : ''

/** Withdraws both parties of an OCR page when one name equals or starts with the other: one of them was read twice. */
function dropTwins(fieldOf: (id: string) => Field | undefined, draft: Draft): void {
  const fields = [fieldOf('vendor_name'), fieldOf('customer_name')].filter((field) => field !== undefined)
  const names = fields.flatMap(({ pointer }) => draft.single.get(pointer) ?? [])
  const [short = '', long = ''] = names
    .map(({ value }) => lettersOf(value))
    .toSorted((left, right) => left.length - right.length)
  if (names.length < 2 || names.some(({ ocrConfidence }) => ocrConfidence === undefined)) return
  if (short === '' || !long.startsWith(short)) return
  for (const { pointer } of fields) {
    draft.single.delete(pointer)
    draft.notes.set(pointer, 'The same name was read for both parties.')
  }
}

/** Withdraws the dates of a list that break its order: those outside the longest ordered subsequence. */
function dropUnordered(rows: readonly Map<string, Finding>[], pointer: string): void {
  const dated = rows.flatMap((row) => {
    const finding = row.get(pointer)
    return finding !== undefined && typeof finding.value === 'string' ? [{ row, finding, day: finding.value }] : []
  })
  if (dated.length < 4 || dated.every(({ finding }) => finding.ocrConfidence === undefined)) return
  const forward = longestRun(dated.map(({ day }) => day))
  const backward = longestRun(dated.map(({ day }) => day).toReversed())
  const kept = forward.size >= backward.size ? forward : new Set([...backward].map((at) => dated.length - 1 - at))
  if (kept.size < dated.length * 0.7) return
  for (const [at, { row, finding }] of dated.entries())
    if (!kept.has(at) && finding.ocrConfidence !== undefined) row.delete(pointer)
}

/** Indexes of a longest non-decreasing subsequence. */
function longestRun(values: readonly string[]): Set<number> {
  const length: number[] = []
  const previous: number[] = []
  let best = -1
  for (const [at, value] of values.entries()) {
    length[at] = 1
    previous[at] = -1
    for (let before = 0; before < at; before++) {
      if ((values[before] ?? '') <= value && (length[before] ?? 0) + 1 > (length[at] ?? 0)) {
        length[at] = (length[before] ?? 0) + 1
        previous[at] = before
      }
    }
    if (best < 0 || (length[at] ?? 0) > (length[best] ?? 0)) best = at
  }
  const kept = new Set<number>()
  for (let at = best; at >= 0; at = previous[at] ?? -1) kept.add(at)
  return kept
}

/** True when all values of a list are cells under exactly matching names. */
const isOfCells = (rows: readonly Map<string, Finding>[]): boolean =>
  rows.length > 0 && rows.every((row) => [...row.values()].every(({ isCell }) => isCell === true))

function warnOfInconsistentRows(
  list: ListField,
  rows: readonly Map<string, Finding>[],
  { warnings }: Pick<Draft, 'warnings'>,
): void {
  for (const { row, message } of checkRowProducts(list, rows))
    warnings.push({ code: 'row_does_not_add_up', path: `${list.pointer}/${rows.indexOf(row)}`, message })
}

/** Adds a note with the text that was read to each withdrawn value of a list that has no other note. */
function noteWithdrawn(
  list: ListField,
  of: Pick<Draft, 'notes'> & {
    readonly before: readonly ReadonlyMap<string, Finding>[]
    readonly rows: readonly ReadonlyMap<string, Finding>[]
  },
): void {
  for (const [at, row] of of.before.entries())
    for (const [pointer, { evidence, value }] of row) {
      const place = `${list.pointer}/${at}${pointer}`
      if (of.rows[at]?.has(pointer) || of.notes.has(place)) continue
      const read = JSON.stringify(evidence.quote ?? value)
      of.notes.set(place, `The input was read as ${read} here, but other values contradict it.`)
    }
}

/** Longer lists are not checked for dates out of order, as that takes quadratic time. */
const orderedRowsMax = 2000

/**
 * Checks findings against each other: sums, quantity × price and running balances confirm values or correct misread
 * ones. On OCR pages, unclear numbers of lists that nothing confirms are withdrawn. Modifies `draft`.
 */
export function checkFindings(fields: Fields, draft: Draft): void {
  const fieldOf = (id: string): Field | undefined => fields.single.find((field) => idOf(field) === id)
  const ends = (id: string): number | null => amountIn(draft.single, fieldOf(id))
  checkSums(fieldOf, draft)
  for (const list of fields.lists) {
    const rows = draft.lists.get(list.pointer) ?? []
    if (isOfCells(rows)) continue
    dropSums(list, rows, ends)
    dropEnds(list, rows, ends)
  }
  for (const list of fields.lists) checkList(list, draft.lists.get(list.pointer) ?? [], ends)
  dropContradictedSums(fieldOf, draft)
  dropTwins(fieldOf, draft)
  dropLoneSeller(fieldOf, draft)
  const seller = fieldOf('vendor_name')
  const known: Circumstances = {
    hasDecimals: usesDecimals(fields, draft),
    isSellerNamed:
      seller !== undefined && (draft.single.get(seller.pointer)?.evidence.confidence ?? 0) >= partyConfidence[0],
  }
  withdrawDoubted({ fields: fields.single, row: draft.single, prefix: '' }, draft, (...of) => doubtOf(...of, known))
  for (const list of fields.lists) {
    const rows = draft.lists.get(list.pointer) ?? []
    if (isOfCells(rows)) warnOfInconsistentRows(list, rows, draft)
    else checkRows(list, rows, { draft, ends, known })
  }
}

/** Withdraws the values that are in doubt, with a note of the reason. `prefix`: the pointer before those of the fields. */
function withdrawDoubted(
  {
    fields,
    row,
    prefix,
  }: { readonly fields: readonly Field[]; readonly row: Map<string, Finding>; readonly prefix: string },
  { notes }: Pick<Draft, 'notes'>,
  doubtIn: (field: Field, finding: Finding) => string | null,
): void {
  for (const field of fields) {
    const finding = row.get(field.pointer)
    const doubt = finding === undefined ? null : doubtIn(field, finding)
    if (doubt === null) continue
    row.delete(field.pointer)
    notes.set(prefix + field.pointer, doubt)
  }
}

/** Withdraws or corrects values of a list's rows that are unclear or contradict each other. */
function checkRows(
  list: ListField,
  rows: Map<string, Finding>[],
  of: { readonly draft: Draft; readonly ends: (id: string) => number | null; readonly known: Circumstances },
): void {
  const { draft, ends, known } = of
  const pointerOf = (id: string): string | undefined => list.columns.find((field) => idOf(field) === id)?.pointer
  const before = rows.map((row) => new Map(row))
  for (const [at, row] of rows.entries())
    withdrawDoubted({ fields: list.columns, row, prefix: `${list.pointer}/${at}` }, draft, (...cell) =>
      doubtInList(...cell, known),
    )
  dropCodeLabels(list, rows)
  dropRowNumbers(list, rows)
  checkCodes(list, rows)
  restorePrices(list, rows)
  dropUnconfirmedQuantities(list, rows)
  warnOfInconsistentRows(list, rows, draft)
  for (const at of [...dropUnsigned(list, rows, ends), ...dropSignless(list, rows)])
    draft.notes.set(
      `${list.pointer}/${at}${pointerOf('movement')}`,
      'It is unclear whether the amount is a debit or a credit.',
    )
  dropAdjacentText(list, rows)
  dropRates(list, rows)
  const names = untrustedNames(list, rows)
  for (const [at, doubt] of names?.doubts ?? []) {
    rows[at]?.delete(names?.pointer ?? '')
    draft.notes.set(`${list.pointer}/${at}${names?.pointer}`, doubt)
  }
  const date = pointerOf('transaction_date')
  if (date !== undefined && rows.length <= orderedRowsMax) dropUnordered(rows, date)
  noteWithdrawn(list, { before, rows, notes: draft.notes })
}
