import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { doubtDays } from '../checks/ambiguous-days.ts'
import { doubtForeign } from '../checks/foreign-lists.ts'
import { separateInputs, warnOfInputs } from '../checks/input-checks.ts'
import { doubtMailDates } from '../checks/mail-dates.ts'
import { doubtIncomplete, expectedRows, shortfallsIn, shortfallWarnings } from '../checks/missing-rows.ts'
import { type DoubtOf, doubtNoted, doubtOfBound, doubtOfEncoding, doubtOfZone } from '../checks/noted-doubts.ts'
import { codeLists, codeValues } from '../fields/image-codes.ts'
import { givenLists } from '../given/given-lists.ts'
import { type InvoiceFindings, invoiceFindings, isXmlFile } from '../invoices/invoice-findings.ts'
import {
  comparisonSchema,
  markBesides,
  type ShownTerms,
  settleInvoice,
  shownTermsIn,
} from '../invoices/settle-invoice.ts'
import { rememberingTexts } from '../layout/remembered.ts'
import { describeSheet } from '../schema/facts.ts'
import { type Fields, neededIn } from '../schema/fields.ts'
import { decide } from '../score/decide.ts'
import { answerPacket, packetPlaceIn } from '../split/packet.ts'
import { oneOfSeveral } from '../split/several-documents.ts'
import { markCells } from '../tables/cells/decide-cells.ts'
import { completeTables, tablesPlaceIn, withTables } from '../tables/complete-tables.ts'
import { assemble } from './assemble.ts'
import type { Extraction, ExtractionRequest, NamedDocument } from './extraction.ts'
import { needsModel } from './needs-model.ts'
import { type RuleReading, readByRules } from './read-by-rules.ts'
import { readSheet } from './read-sheet.ts'

const noFields: Fields = { single: [], lists: [], all: [] }

/** What the pages of an electronic invoice say of the terms that are held against its XML. */
function shownTermsOf({ document: { input, document } }: InvoiceFindings): ShownTerms {
  if (document.invoice?.file === undefined) return new Map()
  const { invoice: _invoice, ...pages } = document
  const shown = { documents: [{ input, document: pages }], values: {}, schema: comparisonSchema }
  const { answer, evidence } = answerWhole(shown, comparisonSchema)
  return shownTermsIn(answer, evidence)
}

/**
 * Fills a schema from positioned words. Deterministic: the same request gives the same answer. Values without support, and those less
 * likely than the accepted share of wrong values asks for, are null or marked. Throws Fault `needs_model` when the documents have no text.
 */
export const extract = (request: ExtractionRequest): Extraction => rememberingTexts(() => answerOf(request))

function answerOf(request: ExtractionRequest): Extraction {
  const { values, schema } = request
  if (request.documents.length === 0 && Object.keys(values).length === 0) {
    throw needsModel('There is no document or value to read, and a prompt alone needs a language model.')
  }
  if (schema === null) {
    const answer: Json = describeSheet(readSheet(request.documents, noFields))
    return { answer, evidence: {} }
  }
  const packet = packetPlaceIn(schema)
  if (packet) return answerPacket(request, packet, (part) => answerWhole(part, part.schema ?? {}))
  const rules = rulesOf(request, schema)
  const one = oneOfSeveral(request, {
    ...{ documents: pagedOf(request), fields: rules.fields.single, pages: rules.sheet.pages, weighed: rules.weighed },
    read: (named) => readByRules({ ...request, documents: [named], values: {} }, schema).single,
  })
  if (one === undefined) return answerWhole(request, schema, rules)
  const found = answerWhole(one.request, schema)
  return { ...found, warnings: [...one.warningsFor(found.evidence), ...(found.warnings ?? [])] }
}

/** The elements of an XML file are read as what they are, not as words of a page. */
const pagedOf = ({ documents }: ExtractionRequest): readonly NamedDocument[] =>
  documents.filter((document) => !isXmlFile(document))

const rulesOf = (request: ExtractionRequest, schema: JsonSchema): RuleReading =>
  readByRules({ ...request, documents: pagedOf(request) }, schema)

/** Answers from all pages of a request, whatever documents they may be. */
function answerWhole(request: ExtractionRequest, schema: JsonSchema, rules = rulesOf(request, schema)): Extraction {
  const { values, codes, risk } = request
  const documents = pagedOf(request)
  const inputs = documents.map(({ input }) => input)
  const { plan, fields, sheet, single, parts, withdrawn, ofLists, lists, none, notes } = rules
  const exact = invoiceFindings(fields, request.documents)
  if (exact) settleInvoice(exact, fields, { draft: rules, shown: shownTermsOf(exact) })
  const besides = exact ? markBesides(single) : []
  const warned = new Set(rules.warnings.map(({ path }) => path))
  const needed = neededIn(plan)
  // The score is calibrated for pages, not for the facts, frames and speech of a film.
  const isTimed = documents.some(({ document }) => ['video', 'audio'].includes(document.mediaType))
  const open = fields.single.filter(({ pointer }) => !rules.empty.has(pointer))
  const decided =
    !risk || exact || isTimed
      ? undefined
      : decide({ sheet, fields: open, found: single, parts, withdrawn, ofLists, notes, inputs, needed, warned }, risk)
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
  const ofEncoding = doubtOfEncoding(documents)
  const doubtOf: DoubtOf = (finding, field) =>
    finding.doubt ?? ofEncoding(finding, field) ?? doubtOfZone(finding, field) ?? doubtOfBound(finding, field)
  const doubts = doubtNoted({ single, lists, notes, candidates }, { fields, doubtOf }, isWithheld)
  const unsure = [
    ...new Set([...(decided?.unsure ?? []), ...besides, ...marked, ...days.unsure, ...mailDates, ...doubts]),
  ]
  const warnings = [
    ...rules.warnings.filter(({ path }) => !given.has(path.slice(0, path.lastIndexOf('/')))),
    ...(decided?.warnings ?? []),
    ...days.warnings,
    ...warnOfInputs(single, rules.weighed, { inputs, all: separateInputs(request.documents) }),
  ]
  const { answer, evidence: found } = assemble(plan, { single, lists, none, notes, candidates })
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
