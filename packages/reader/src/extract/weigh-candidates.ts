import { boxedCandidates } from '../candidates/boxed-answers.ts'
import { labelledCandidates } from '../candidates/candidates.ts'
import { crossingCandidates } from '../candidates/crossings.ts'
import { inOwnMeasure } from '../candidates/other-measures.ts'
import { periodEndCandidates } from '../candidates/period-ends.ts'
import { isOwnName, refusalAt } from '../candidates/refused-values.ts'
import { specialCandidates } from '../candidates/special-candidates.ts'
import { sumBlockCandidates } from '../candidates/sum-blocks.ts'
import { type Ledger, roles, weighSums, wordsOfParts } from '../candidates/sums.ts'
import { unlabelledCandidates } from '../candidates/unlabelled.ts'
import { withSentences } from '../given/sentences.ts'
import type { LabelHit } from '../labels/labels.ts'
import { claims, fieldsByTarget } from '../languages/request-book.ts'
import { termsCandidates } from '../languages/terms.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Candidate, Field, Sheet } from '../layout/sheet.ts'
import {
  isElsewhere,
  isPurchaseOrder,
  isStatement,
  ownersOf,
  partyCandidates,
  partyValues,
} from '../parties/party-candidates.ts'
import { footerAddressCandidates } from '../receipts/receipt-footer.ts'
import { wordsOfItemsAndStaff, wordsOfReceiptItems } from '../receipts/receipt-items.ts'
import { receiptNumberCandidates, wordsOfOtherNumbers } from '../receipts/receipt-numbers.ts'
import { receiptSumCandidates, wordsOfTaxes } from '../receipts/receipt-sums.ts'
import type { Fields } from '../schema/fields.ts'
import { planAmount } from '../schema/plan.ts'
import { isOfPeriod, periodCandidates, wordsOfPeriods } from '../statements/statement-period.ts'
import { isPartOfOther } from '../values/account-numbers.ts'
import { wrappedIbanCandidates } from '../values/wrapped-ibans.ts'

/** The number of days of payment terms: their discount is not one of the document's sums. */
const dayPattern = /\d\s?(?:days|tagen?|jours|días|dias|giorni|dagen|gg)(?!\p{L})/iu

/** `Rounding` labels either the rounding difference or the total after it. */
function isRightRounding({ field, reading }: Candidate, hit: LabelHit): boolean {
  if (field.plan.meaning.concept?.id === 'discount' && dayPattern.test(hit.cell.text)) return false
  if (!hit.targets.some((entry) => entry.target === 'c:rounding')) return true
  const isCents = typeof reading.value === 'number' && Math.abs(reading.value) < 1
  return field.plan.meaning.concept?.id === 'rounding' ? isCents : !isCents
}

/** The candidates beside labels. `refusals`: why there is no value at the own name of a field, by its pointer. */
function fromLabels(sheet: Sheet, fields: readonly Field[], refusals = new Map<string, string>()): Candidate[] {
  const byTarget = fieldsByTarget(fields)
  const candidates: Candidate[] = []
  const named = new Set<string>()
  for (const hits of sheet.labels.values()) {
    for (const hit of hits) {
      for (const { field, weight } of claims(hit.targets, byTarget)) {
        const strength = weight * hit.coverage * (hit.startsCell || hit.hasColon ? 1 : 0.75)
        // An ambiguous label counts only when it stands alone.
        if (strength < 0.4 || (weight < 0.9 && hit.coverage < 0.9)) continue
        const match = { sheet, field, hit, weight: strength }
        const found = labelledCandidates(match)
        const refusal = refusalAt(match)
        if (refusal) refusals.set(field.pointer, refusal)
        else if (found.length > 0 && isOwnName(match)) named.add(field.pointer)
        candidates.push(...found.filter((candidate) => isRightRounding(candidate, hit)))
      }
    }
  }
  for (const pointer of named) refusals.delete(pointer)
  return candidates
}

/** Amounts of every role, requested or not, for weighing them against each other. */
export function ledgerOf(sheet: Sheet): Ledger {
  // No label means these fields by their id: the ids of the requested fields count from 0.
  const fields = roles.map((role) => ({ id: -1, pointer: '', plan: planAmount(role) }))
  const candidates = fromLabels(sheet, fields).toSorted((a, b) => b.score - a.score)
  return new Map(
    roles.map((role) => [
      role,
      candidates.filter(({ field, score }) => field.plan.meaning.concept?.id === role && score > 0.4),
    ]),
  )
}

const asksForReceipt = (fields: readonly Field[]): boolean =>
  fields.some((field) => /^(?:receipt_number|cash|change|cashier)$/.test(field.plan.meaning.concept?.id ?? ''))

/** A part of a sum. The total of a short receipt may stand where items are expected, so it is not one of these. */
const isAddend = (field: Field): boolean =>
  isSum(field) && !/^(?:total|amount_due)$/.test(field.plan.meaning.concept?.id ?? '')

const isSum = (field: Field): boolean => roles.some((role) => role === field.plan.meaning.concept?.id)

/** The candidates of the single fields. */
export interface WeighedCandidates {
  readonly weighed: readonly Candidate[]
  /** Words of values that are only parts of what a field asks for, by its pointer. */
  readonly parts: ReadonlyMap<string, ReadonlySet<PlacedWord>>
  /** Why fields whose own name is there have no value that their schema allows, by pointer. */
  readonly refusals: ReadonlyMap<string, string>
  /** Why values in another measure than a field names are not among its candidates, by its pointer. */
  readonly otherMeasures: ReadonlyMap<string, string>
}

/** What is weighed for the single fields: values beside their labels, and those that are found otherwise. */
export function candidatesFor(
  sheet: Sheet,
  fields: Fields,
  { itemSum, ledger }: { readonly itemSum: number | null; readonly ledger: () => Ledger },
): WeighedCandidates {
  if (fields.single.length === 0)
    return { weighed: [], parts: new Map(), otherMeasures: new Map(), refusals: new Map() }
  const refusals = new Map<string, string>()
  const labelled = withSentences(sheet, fields.single, fromLabels(sheet, fields.single, refusals))
  const asksForSums = fields.single.some(isSum)
  const summed = asksForSums ? weighSums(labelled, ledger(), itemSum) : labelled
  const isOrder = isPurchaseOrder(sheet, fields.single)
  const parties = partyValues(sheet, { isOrder, isStatement: isStatement(fields.single) })
  const owners = ownersOf(parties)
  const inPeriods = wordsOfPeriods(sheet)
  const inTill = wordsOfReceiptItems(sheet)
  const inTaxes = wordsOfTaxes(sheet)
  const ofOthers = wordsOfOtherNumbers(sheet)
  const noShop = asksForReceipt(fields.single) ? wordsOfItemsAndStaff(sheet) : new Set()
  const free = [...summed, ...unlabelledCandidates(sheet, fields.single, summed)].filter(
    (found) => !isPartOfOther(found),
  )
  const own = free.filter(
    ({ field, words }) =>
      !isElsewhere(field, words, { owners, isOrder }) &&
      !isOfPeriod(field, words, inPeriods) &&
      !(field.plan.meaning.concept?.id === 'receipt_number' && words.some((word) => ofOthers.has(word))) &&
      !(isAddend(field) && words.some((word) => inTill.has(word) || inTaxes.has(word))),
  )
  const weighed = [
    ...own,
    ...sumBlockCandidates(sheet, fields.single, itemSum).filter(
      ({ words }) => !words.some((word) => inTaxes.has(word)),
    ),
    ...footerAddressCandidates(sheet, fields.single),
    ...receiptNumberCandidates(sheet, fields.single),
    ...wrappedIbanCandidates(sheet, fields.single),
    ...receiptSumCandidates(sheet, fields.single, itemSum),
    ...specialCandidates(sheet, fields.single),
    ...crossingCandidates(sheet, fields.single),
    ...termsCandidates(sheet, fields.single),
    ...periodCandidates(sheet, fields.single),
    ...periodEndCandidates(sheet, fields.single),
    ...partyCandidates(fields.single, parties).filter(({ words }) => !words.some((word) => noShop.has(word))),
  ]
  const boxed = boxedCandidates(sheet, fields.single)
  const answered = new Set(boxed.map(({ field }) => field))
  const measured = inOwnMeasure([...weighed.filter(({ field }) => !answered.has(field)), ...boxed], sheet)
  for (const { pointer } of answered) refusals.delete(pointer)
  return {
    weighed: measured.own,
    otherMeasures: measured.notes,
    refusals,
    parts: asksForSums ? wordsOfParts(labelled, ledger()) : new Map(),
  }
}
