import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import type { Draft } from '../checks/check-findings.ts'
import type { EvidenceMap } from '../evidence/evidence.ts'
import { findValue } from '../evidence/find-value.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import { madeOnce } from '../layout/remembered.ts'
import { fold } from '../layout/text.ts'
import { type InvoiceTerm, invoiceTerms } from '../media/invoice/terms.ts'
import { type Fields, listFields } from '../schema/fields.ts'
import { type LeafPlan, planSchema } from '../schema/plan.ts'
import { type InvoiceFindings, isXmlFile } from './invoice-findings.ts'
import { termValue } from './term-value.ts'

/** A page value with a lower confidence is not compared with the XML. */
const pageConfidenceMin = 0.5
/** Texts on a page are read less reliably than figures. */
const textConfidenceMin = 0.8
/** Half a cent in each direction, plus the error of binary decimals. */
const centsApart = 0.011

/** The findings of the pages, with replaceable lists. */
type InvoiceDraft = Omit<Draft, 'lists'> & { readonly lists: Map<string, Map<string, Finding>[]> }

/**
 * Replaces page findings by the data of an electronic invoice. Differences between the page and the XML, and inconsistent sums in the XML,
 * become warnings. Modifies its argument.
 */
export function settleInvoice(
  exact: InvoiceFindings,
  fields: Fields,
  { draft, shown: shownTerms }: { readonly draft: InvoiceDraft; readonly shown: ShownTerms },
): void {
  const { single, lists } = exact
  const fromTerms = [...exact.warnings, ...termDifferences(exact, shownTerms)]
  const fromFields = settleFields(exact, draft, new Set(fromTerms.map(({ path }) => path)))
  dropValuesOfOtherTerms(exact, fields, draft)
  const warnings = [...fromTerms, ...fromFields, ...settleLists(exact, fields, draft), ...sumWarnings(exact)]
  const isReplaced = ({ path }: Warning): boolean =>
    single.has(path) || [...lists.keys()].some((list) => path === list || path.startsWith(`${list}/`))
  const kept = draft.warnings.filter((warning) => !isReplaced(warning))
  draft.warnings.splice(0, Number.POSITIVE_INFINITY, ...kept, ...warnings)
}

/** Replaces the page's values of single fields. The differences, except at the pointers that were `compared` already. */
function settleFields(exact: InvoiceFindings, draft: InvoiceDraft, compared: ReadonlySet<string>): Warning[] {
  const warnings: Warning[] = []
  for (const [pointer, finding] of exact.single) {
    if (!compared.has(pointer))
      warnings.push(...differenceAt(exact, pointer, { stated: finding, shown: draft.single.get(pointer) }))
    draft.single.set(pointer, finding)
    draft.notes.delete(pointer)
  }
  for (const [pointer, note] of exact.notes) {
    draft.single.delete(pointer)
    draft.notes.set(pointer, note)
  }
  return warnings
}

/** Replaces the page's rows of lists. The differences, if the page has as many rows as the XML. */
function settleLists(exact: InvoiceFindings, fields: Fields, draft: InvoiceDraft): Warning[] {
  const warnings: Warning[] = []
  for (const list of fields.lists) {
    const rows = exact.lists.get(list.pointer)
    if (rows === undefined) continue
    const shown = draft.lists.get(list.pointer) ?? []
    if (shown.length === rows.length)
      for (const [at, row] of rows.entries())
        for (const [pointer, stated] of row) {
          const values = { stated, shown: shown[at]?.get(pointer) }
          warnings.push(...differenceAt(exact, `${list.pointer}/${at}${pointer}`, values))
        }
    for (const key of [...draft.notes.keys()]) if (key.startsWith(`${list.pointer}/`)) draft.notes.delete(key)
    draft.lists.set(list.pointer, [...rows])
  }
  return warnings
}

/** Page values of some business terms, whatever the caller's schema. */
export type ShownTerms = ReadonlyMap<string, Finding>

/** The business terms to compare between pages and XML, and their names in the schema for the pages. */
const comparedTerms: Readonly<Record<string, { readonly name: string; readonly type: 'string' | 'number' }>> = {
  'BT-1': { name: 'invoice_number', type: 'string' },
  'BT-2': { name: 'invoice_date', type: 'string' },
  'BT-9': { name: 'due_date', type: 'string' },
  'BT-31': { name: 'vendor_vat', type: 'string' },
  'BT-84': { name: 'iban', type: 'string' },
  'BT-109': { name: 'subtotal', type: 'number' },
  'BT-110': { name: 'tax', type: 'number' },
  'BT-112': { name: 'total', type: 'number' },
  'BT-115': { name: 'amount_due', type: 'number' },
}

/** A schema of the terms to compare. */
export const comparisonSchema: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    Object.values(comparedTerms).map(({ name, type }) => [name, { type: [type, 'null'] }]),
  ),
}

/** The terms' values in an answer to `comparisonSchema`. */
export function shownTermsIn(answer: Json, evidence: EvidenceMap): ShownTerms {
  return new Map(
    Object.entries(comparedTerms).flatMap(([id, { name }]): [string, Finding][] => {
      const value = isJsonObject(answer) ? (answer[name] ?? null) : null
      const found = evidence[`/${name}`]
      return value === null || found === undefined ? [] : [[id, { value, evidence: found }]]
    }),
  )
}

/** The differences of the terms that are always compared: at the field that asks for one, or else together. */
function termDifferences(exact: InvoiceFindings, shownTerms: ShownTerms): Warning[] {
  const { invoice, terms, single } = exact
  const found = [...shownTerms].flatMap(([id, shown]): Warning[] => {
    const term = invoiceTerms.find((one) => one.id === id)
    const [stated, ...others] = invoice.values.filter((value) => value.term === id)
    if (term === undefined || stated === undefined || others.length > 0) return []
    const plan = comparisonPlans().get(id)
    const value = plan && termValue(plan, term, stated.text)?.value
    if (value === undefined) return []
    const pointer = [...single.keys()].find((one) => terms.get(one)?.id === id) ?? ''
    const evidence = { status: 'verified', quote: stated.text, confidence: 1 } as const
    return differenceAt(exact, pointer, { stated: { value, evidence }, shown, term })
  })
  const [first, ...rest] = found.filter(({ path }) => path === '')
  if (first === undefined) return found
  const together = { ...first, message: [first, ...rest].map(({ message }) => message).join('. ') }
  return [...found.filter(({ path }) => path !== ''), together]
}

const comparisonPlans = madeOnce(
  (): ReadonlyMap<string, LeafPlan> =>
    new Map(
      listFields(planSchema(comparisonSchema)).single.map(({ plan }, at) => [
        Object.keys(comparedTerms)[at] ?? '',
        plan,
      ]),
    ),
)

/** If the XML has no value for a field, drop a page value that the XML gives for another term. */
function dropValuesOfOtherTerms(
  { single, invoice, document }: InvoiceFindings,
  fields: Fields,
  draft: InvoiceDraft,
): void {
  for (const { pointer, plan } of fields.single) {
    const shown = draft.single.get(pointer)
    if (shown === undefined || single.has(pointer) || shown.evidence.input !== document.input) continue
    const other = invoice.values
      .map(({ term, text }) => ({ term: invoiceTerms.find(({ id }) => id === term), text }))
      .find(({ term, text }) => term !== undefined && isOther(plan, term, { shown: shown.value, text }))
    if (other === undefined) continue
    draft.single.delete(pointer)
    draft.notes.set(
      pointer,
      `The page was read as ${JSON.stringify(shown.value)}, but the invoice data gives that for ${other.term?.id} ${other.term?.name}.`,
    )
  }
}

function isOther(plan: LeafPlan, term: InvoiceTerm, { shown, text }: { shown: Json; text: string }): boolean {
  const value = termValue(plan, term, text)?.value
  if (typeof value === 'number' || typeof shown === 'number') return value === shown
  return value !== undefined && lettersOf(value) === lettersOf(shown) && lettersOf(shown) !== ''
}

/** Notes the values that were read from pages because the XML lacks them, and returns their pointers. Modifies the findings. */
export function markBesides(single: Map<string, Finding>): readonly string[] {
  return [...single].flatMap(([pointer, finding]) => {
    const { element, page, note = 'Read from the page: the invoice data does not have it.' } = finding.evidence
    if (element !== undefined || page === undefined) return []
    single.set(pointer, { ...finding, evidence: { ...finding.evidence, note } })
    return [pointer]
  })
}

/** A warning if the page has another value than the XML, and the XML's value is nowhere on the pages. */
function differenceAt(
  exact: InvoiceFindings,
  pointer: string,
  {
    stated,
    shown,
    term,
  }: { readonly stated: Finding; readonly shown: Finding | undefined; readonly term?: InvoiceTerm },
): Warning[] {
  if (shown === undefined || isXmlFile(exact.document)) return []
  // Pages format an address differently from its parts in the XML.
  if (stated.evidence.status === 'derived' || shown.evidence.status === 'derived') return []
  if (shown.evidence.input !== exact.document.input) return []
  const isText = typeof shown.value === 'string' && !/\d/.test(shown.value)
  if (shown.evidence.confidence < (isText ? textConfidenceMin : pageConfidenceMin)) return []
  if (isSame(stated.value, shown.value)) return []
  const { value, evidence } = stated
  const isShown = (one: Json | undefined): boolean =>
    (typeof one === 'string' || typeof one === 'number') && findValue(exact.pages, one, '') !== undefined
  if (isShown(value) || isShown(evidence.quote)) return []
  const page = (shown.evidence.page ?? 0) + 1
  const name = term ?? exact.terms.get(pointer)
  const message = `Page ${page} says ${quoted(shown)} where the invoice data in ${fileOf(exact)} says ${quoted(stated)}${name ? ` (${name.id} ${name.name})` : ''}; the value is that of the XML`
  return [{ code: 'page_differs', path: pointer, message }]
}

const quoted = ({ evidence, value }: Finding): string => JSON.stringify(evidence.quote ?? value)

const fileOf = ({ invoice, document }: InvoiceFindings): string => JSON.stringify(invoice.file ?? document.input)

const lettersOf = (value: Json): string => fold(String(value)).replace(/[^\p{L}\p{N}]/gu, '')

function isSame(left: Json, right: Json): boolean {
  if (typeof left === 'number' && typeof right === 'number') return Math.abs(left - right) < 1e-9
  const [one, other] = [lettersOf(left), lettersOf(right)]
  return one.includes(other) || other.includes(one)
}

interface Sum {
  readonly total: string
  readonly parts: readonly (readonly [sign: 1 | -1, term: string])[]
}

/** The sums that EN 16931 requires of an invoice (BR-CO-10, BR-CO-13, BR-CO-15, BR-CO-16). */
const sums: readonly Sum[] = [
  { total: 'BT-106', parts: [[1, 'BT-131']] },
  {
    total: 'BT-109',
    parts: [
      [1, 'BT-106'],
      [-1, 'BT-107'],
      [1, 'BT-108'],
    ],
  },
  {
    total: 'BT-112',
    parts: [
      [1, 'BT-109'],
      [1, 'BT-110'],
    ],
  },
  {
    total: 'BT-115',
    parts: [
      [1, 'BT-112'],
      [-1, 'BT-113'],
      [1, 'BT-114'],
    ],
  },
]

/** Warnings for inconsistent sums in the XML, at the fields with the total. */
function sumWarnings({ invoice, terms, single }: InvoiceFindings): Warning[] {
  const amountsOf = (id: string): number[] =>
    invoice.values.filter(({ term }) => term === id).map(({ text }) => Number(text))
  return sums.flatMap(({ total, parts }): Warning[] => {
    const [stated] = amountsOf(total)
    const [[, first] = [1, '']] = parts
    if (stated === undefined || amountsOf(first).length === 0) return []
    const sum = parts.reduce((all, [sign, id]) => all + sign * amountsOf(id).reduce((part, one) => part + one, 0), 0)
    if (!(Math.abs(sum - stated) > centsApart)) return []
    const formula = parts.map(([sign, id], at) => `${sign < 0 ? '− ' : at > 0 ? '+ ' : ''}${id}`).join(' ')
    const path = [...single.keys()].find((pointer) => terms.get(pointer)?.id === total) ?? ''
    const message = `The invoice data says ${total} ${stated.toFixed(2)}, but ${formula} is ${sum.toFixed(2)}`
    return [{ code: 'sums_do_not_add_up', path, message }]
  })
}
