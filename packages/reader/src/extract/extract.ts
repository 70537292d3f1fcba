import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { assign } from '../candidates/assign.ts'
import { labelledCandidates } from '../candidates/candidates.ts'
import { crossingCandidates } from '../candidates/crossings.ts'
import { isNamed } from '../candidates/margins.ts'
import { periodEndCandidates } from '../candidates/period-ends.ts'
import { specialCandidates } from '../candidates/special-candidates.ts'
import { sumBlockCandidates } from '../candidates/sum-blocks.ts'
import { type Ledger, roles, weighSums, wordsOfParts } from '../candidates/sums.ts'
import { unlabelledCandidates } from '../candidates/unlabelled.ts'
import { doubtDays } from '../checks/ambiguous-days.ts'
import { checkFindings, type Draft } from '../checks/check-findings.ts'
import { doubtForeign, isForeign } from '../checks/foreign-lists.ts'
import { isCut } from '../checks/form-checks.ts'
import { separateInputs, warnOfInputs } from '../checks/input-checks.ts'
import { doubtMailDates } from '../checks/mail-dates.ts'
import { doubtIncomplete, expectedRows, shortfallsIn, shortfallWarnings } from '../checks/missing-rows.ts'
import { warnOfSums } from '../checks/sum-checks.ts'
import type { Warning } from '../evidence/warnings.ts'
import { codeLists, codeValues } from '../fields/image-codes.ts'
import { rowsOfNamedColumns } from '../fields/named-columns.ts'
import { givenLists } from '../given/given-lists.ts'
import { givenValues } from '../given/given-values.ts'
import { withSentences } from '../given/sentences.ts'
import { type InvoiceFindings, invoiceFindings, isXmlFile } from '../invoices/invoice-findings.ts'
import {
  comparisonSchema,
  markBesides,
  type ShownTerms,
  settleInvoice,
  shownTermsIn,
} from '../invoices/settle-invoice.ts'
import type { LabelHit } from '../labels/labels.ts'
import { claims, fieldsByTarget } from '../languages/request-book.ts'
import { termsCandidates } from '../languages/terms.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { rememberingTexts } from '../layout/remembered.ts'
import { type Candidate, type Field, ocrConfidenceOf, type Sheet } from '../layout/sheet.ts'
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
import { describeSheet } from '../schema/facts.ts'
import { type Fields, findField, type ListField, listFields, neededIn } from '../schema/fields.ts'
import { type Plan, planAmount, planSchema } from '../schema/plan.ts'
import { decide } from '../score/decide.ts'
import { answerPacket, packetPlaceIn } from '../split/packet.ts'
import { settleLedger } from '../statements/ledger-ends.ts'
import { isOfPeriod, periodCandidates, wordsOfPeriods } from '../statements/statement-period.ts'
import type { ReadList } from '../tables/cells/cell-features.ts'
import { markCells } from '../tables/cells/decide-cells.ts'
import { chooseTables, readByName } from '../tables/choose-tables.ts'
import { completeTables, tablesPlaceIn, withTables } from '../tables/complete-tables.ts'
import { itemsOf, noTables } from '../tables/items.ts'
import { withSheetNames } from '../tables/sheet-names.ts'
import { isPartOfOther } from '../values/account-numbers.ts'
import { valueFor } from '../values/values.ts'
import { prove } from '../values/verify.ts'
import { wrappedIbanCandidates } from '../values/wrapped-ibans.ts'
import { assemble, type Finding } from './assemble.ts'
import type { Extraction, ExtractionRequest } from './extraction.ts'
import { needsModel } from './needs-model.ts'
import { readSheet } from './read-sheet.ts'

const noFields: Fields = { single: [], lists: [], all: [] }

/** The number of days of payment terms: their discount is not one of the document's sums. */
const dayPattern = /\d\s?(?:days|tagen?|jours|días|dias|giorni|dagen|gg)(?!\p{L})/iu

/** `Rounding` labels either the rounding difference or the total after it. */
function isRightRounding({ field, reading }: Candidate, hit: LabelHit): boolean {
  if (field.plan.meaning.concept?.id === 'discount' && dayPattern.test(hit.cell.text)) return false
  if (!hit.targets.some((entry) => entry.target === 'c:rounding')) return true
  const isCents = typeof reading.value === 'number' && Math.abs(reading.value) < 1
  return field.plan.meaning.concept?.id === 'rounding' ? isCents : !isCents
}

function fromLabels(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const byTarget = fieldsByTarget(fields)
  const candidates: Candidate[] = []
  for (const hits of sheet.labels.values()) {
    for (const hit of hits) {
      for (const { field, weight } of claims(hit.targets, byTarget)) {
        const strength = weight * hit.coverage * (hit.startsCell || hit.hasColon ? 1 : 0.75)
        // An ambiguous label counts only when it stands alone.
        if (strength < 0.4 || (weight < 0.9 && hit.coverage < 0.9)) continue
        const found = labelledCandidates({ sheet, field, hit, weight: strength })
        candidates.push(...found.filter((candidate) => isRightRounding(candidate, hit)))
      }
    }
  }
  return candidates
}

/** Amounts of every role, requested or not, for weighing them against each other. */
function ledgerOf(sheet: Sheet): Ledger {
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

type Weighed = Pick<RuleReading, 'weighed' | 'parts'>

function candidatesFor(sheet: Sheet, fields: Fields, itemSum: number | null): Weighed {
  if (fields.single.length === 0) return { weighed: [], parts: new Map() }
  const labelled = withSentences(sheet, fields.single, fromLabels(sheet, fields.single))
  const ledger = fields.single.some(isSum) ? ledgerOf(sheet) : undefined
  const summed = ledger ? weighSums(labelled, ledger, itemSum) : labelled
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
  return { weighed, parts: ledger ? wordsOfParts(labelled, ledger) : new Map() }
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

/** What the pages of an electronic invoice say of the terms that are held against its XML. */
function shownTermsOf({ document: { input, document } }: InvoiceFindings): ShownTerms {
  if (document.invoice?.file === undefined) return new Map()
  const { invoice: _invoice, ...pages } = document
  const { answer, evidence } = extract({
    documents: [{ input, document: pages }],
    values: {},
    schema: comparisonSchema,
  })
  return shownTermsIn(answer, evidence)
}

/** What the rules found for a schema. */
export interface RuleReading {
  readonly plan: Plan
  readonly fields: Fields
  readonly sheet: Sheet
  /** What was weighed for the single fields. */
  readonly weighed: readonly Candidate[]
  /** Words of values that are only parts of what a field asks for, by its pointer. */
  readonly parts: ReadonlyMap<string, ReadonlySet<PlacedWord>>
  readonly single: Map<string, Finding>
  /** What was found and then taken back, because other values speak against it. */
  readonly withdrawn: ReadonlyMap<string, Finding>
  readonly lists: Map<string, Map<string, Finding>[]>
  readonly notes: Map<string, string>
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
  const { sheet, readings } = chooseTables(readSheet(documents, fields), fields, inputs)
  const byName = new Set<string>()
  const foreign: string[] = []
  const rowsOf = (list: ListField): Map<string, Finding>[] => {
    const named = rowsOfNamedColumns(list, sheet, inputs)
    if (named !== null) {
      byName.add(list.pointer)
      return named
    }
    const found = readings.get(list)?.read ?? noTables
    if (isForeign(list, found)) foreign.push(list.pointer)
    return itemsOf(list, found, { sheet, inputs })
  }
  const lists = new Map(
    fields.lists.map((list): [string, Map<string, Finding>[]] => [
      list.pointer,
      withSheetNames(rowsOf(list), { list, sheet, inputs }),
    ]),
  )
  const itemSum = sumOfItems(fields, lists)
  const { weighed, parts } = candidatesFor(sheet, fields, itemSum)
  const single = proveSingle(weighed, sheet, inputs)
  for (const [pointer, finding] of givenValues(fields.single, values)) single.set(pointer, finding)
  settleLedger(fields, { single, lists, sheet, inputs })
  const before = new Map(single)
  const draft: Draft = { single, lists, notes: new Map(), warnings: [] }
  checkFindings(fields, draft)
  warnOfSums(fields.single, draft, ledgerOf(sheet))
  const withdrawn = new Map([...before].filter(([pointer]) => !single.has(pointer)))
  const read = fields.lists.flatMap((list): ReadList[] => {
    const reading = readings.get(list)
    const rows = lists.get(list.pointer) ?? []
    if (reading === undefined) return []
    const siblings = fields.lists.flatMap((one) => (one === list ? [] : [lists.get(one.pointer) ?? []]))
    const own = byName.has(list.pointer) ? readByName(list, rows) : reading
    return [{ list, rows, siblings, reading: own, isForeign: foreign.includes(list.pointer), sheet, inputs }]
  })
  return { plan, fields, sheet, weighed, parts, withdrawn, ...draft, lists, foreign, read }
}

/**
 * Fills a schema from positioned words. Deterministic: the same request gives the same answer. Values without support, and those less
 * likely than the accepted share of wrong values asks for, are null or marked. Throws Fault `needs_model` when the documents have no text.
 */
export const extract = (request: ExtractionRequest): Extraction => rememberingTexts(() => answerOf(request))

function answerOf(request: ExtractionRequest): Extraction {
  const { values, schema, codes, risk } = request
  if (request.documents.length === 0 && Object.keys(values).length === 0) {
    throw needsModel('There is no document or value to read, and a prompt alone needs a language model.')
  }
  if (schema === null) {
    const answer: Json = describeSheet(readSheet(request.documents, noFields))
    return { answer, evidence: {} }
  }
  const packet = packetPlaceIn(schema)
  if (packet) return answerPacket(request, packet, answerOf)
  // The elements of an XML file are read as what they are, not as words of a page.
  const documents = request.documents.filter((document) => !isXmlFile(document))
  const inputs = documents.map(({ input }) => input)
  const rules = readByRules({ ...request, documents }, schema)
  const { plan, fields, sheet, single, parts, withdrawn, lists, notes } = rules
  const exact = invoiceFindings(fields, request.documents)
  if (exact) settleInvoice(exact, fields, { draft: rules, shown: shownTermsOf(exact) })
  const besides = exact ? markBesides(single) : []
  const warned = new Set(rules.warnings.map(({ path }) => path))
  const needed = neededIn(plan)
  // The score is calibrated for pages, not for the facts, frames and speech of a film.
  const isTimed = documents.some(({ document }) => ['video', 'audio'].includes(document.mediaType))
  const decided =
    !risk || exact || isTimed
      ? undefined
      : decide({ sheet, fields: fields.single, found: single, parts, withdrawn, notes, inputs, needed, warned }, risk)
  const promise = decided?.promise ?? null
  const given = givenLists(fields.lists, values)
  for (const [pointer, items] of given) lists.set(pointer, items)
  if (codes) {
    for (const [pointer, items] of codeLists(fields.lists, codes)) lists.set(pointer, items)
    const read = codeValues(fields.single, codes)
    for (const [pointer, note] of read.notes) {
      single.delete(pointer)
      notes.set(pointer, note)
    }
    for (const [pointer, finding] of read.found) single.set(pointer, finding)
  }
  // Lists that were given, or read from codes or the data of an invoice, are not of tables.
  const read = risk && !isTimed ? rules.read.filter(({ list, rows }) => lists.get(list.pointer) === rows) : []
  const marked = read.flatMap((one) => markCells(one, { maxWrongRate: risk?.maxWrongRate ?? 0, warned }))
  const candidates = new Map(decided?.candidates)
  const isWithheld = (pointer: string): boolean =>
    decided !== undefined && risk?.unsure === 'withhold' && !needed.has(pointer)
  const days = doubtDays({ single, lists, notes, candidates }, { conventions: sheet.conventions, fields }, isWithheld)
  const mailDates = doubtMailDates({ single, notes, candidates }, { sheet, documents }, isWithheld)
  const unsure = [...new Set([...(decided?.unsure ?? []), ...besides, ...marked, ...days.unsure, ...mailDates])]
  const warnings = [
    ...rules.warnings.filter(({ path }) => !given.has(path.slice(0, path.lastIndexOf('/')))),
    ...(decided?.warnings ?? []),
    ...days.warnings,
    ...warnOfInputs(single, rules.weighed, { inputs, all: separateInputs(request.documents) }),
  ]
  const { answer, evidence: found } = assemble(plan, { single, lists, notes, candidates })
  const evidence = doubtForeign(
    found,
    rules.foreign.filter((list) => !exact?.lists.has(list) && !given.has(list)),
  )
  // The lists of an electronic invoice are exact, and given ones are not of the pages.
  const shortfalls = exact || given.size > 0 ? [] : shortfallsIn(answer, () => sheet.pages)
  const listed = { warnings: [...warnings, ...shortfallWarnings(shortfalls)], expected: expectedRows(shortfalls) }
  const place = tablesPlaceIn(schema)
  if (place) {
    const whole = completeTables(readSheet(documents, noFields), { inputs, place })
    if (whole.tables.length > 0)
      return { ...withTables({ answer, evidence }, { ...whole, place }), warnings, promise, unsure }
  }
  return { answer, evidence: doubtIncomplete(evidence, shortfalls), ...listed, promise, unsure }
}
