import { pointerSteps } from '@skillrun/core/json.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { type Found, findValue, type Source, sourceOf } from '../evidence/find-value.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import type { NamedDocument } from '../extract/extraction.ts'
import type { Field } from '../layout/sheet.ts'
import type { Box, Word } from '../media/document.ts'
import type { InvoiceData, InvoiceValue } from '../media/invoice/invoice-data.ts'
import { addressTerms, type InvoiceTerm, invoiceTerms } from '../media/invoice/terms.ts'
import type { Fields, ListField } from '../schema/fields.ts'
import { valueFor } from '../values/values.ts'
import { addressFor, groupFor, type TermMatch, termsForSingle } from './match-terms.ts'
import { type TermValue, termValue } from './term-value.ts'

/** The values that the data of an electronic invoice gives for the fields of a schema. */
export interface InvoiceFindings {
  readonly single: ReadonlyMap<string, Finding>
  readonly lists: ReadonlyMap<string, readonly Map<string, Finding>[]>
  /** Why a field that the invoice mentions has no value, by pointer. */
  readonly notes: ReadonlyMap<string, string>
  /** The business term of each field that has a value, by pointer. */
  readonly terms: ReadonlyMap<string, InvoiceTerm>
  readonly warnings: readonly Warning[]
  readonly document: NamedDocument
  readonly invoice: InvoiceData
  /** The pages of the document, for looking values up; without those of an XML file. */
  readonly pages: Source
}

/** Rows of a list whose values are searched for on the pages. */
const placedRowsMax = 500
/** Shorter values occur on a page by chance: they are searched for only in the row of their list. */
const tellingCharactersMin = 3
/** A candidate that is less likely than the best by this much does not replace it. */
const nextBestWithin = 0.15

/** Reads the fields from the data of the first electronic invoice among the documents; undefined without one. */
export function invoiceFindings(fields: Fields, documents: readonly NamedDocument[]): InvoiceFindings | undefined {
  const invoices = documents.filter(({ document }) => document.invoice !== undefined)
  const [document] = invoices
  const invoice = document?.document.invoice
  if (document === undefined || invoice === undefined) return undefined
  const reader = new InvoiceReader(document, invoice)
  for (const field of fields.single) reader.readSingle(field)
  for (const list of fields.lists) reader.readList(list)
  const warnings: Warning[] =
    invoices.length === 1
      ? []
      : [
          {
            code: 'several_invoices',
            path: '',
            message: `${invoices.length} inputs are electronic invoices; values are read from the data of ${document.input}`,
          },
        ]
  const { single, lists, notes, terms, pages } = reader
  return { single, lists, notes, terms, warnings, document, invoice, pages }
}

class InvoiceReader {
  readonly single = new Map<string, Finding>()
  readonly lists = new Map<string, Map<string, Finding>[]>()
  readonly notes = new Map<string, string>()
  readonly terms = new Map<string, InvoiceTerm>()
  readonly pages: Source
  readonly #document: NamedDocument
  readonly #byTerm = new Map<string, InvoiceValue[]>()
  /** Indexed by term and occurrence of its group. */
  readonly #byRow = new Map<string, InvoiceValue[]>()

  constructor(document: NamedDocument, invoice: InvoiceData) {
    this.#document = document
    this.pages = sourceOf(isXmlFile(document) ? [] : [document])
    for (const value of invoice.values) {
      addTo(this.#byTerm, value.term, value)
      addTo(this.#byRow, `${value.term}/${value.at}`, value)
    }
  }

  readSingle(field: Field): void {
    const path = pointerSteps(field.pointer)
    const candidates = termsForSingle(field, path)
    const [best] = candidates
    const address = addressFor(field, path)
    if (address !== undefined && address.score > (best?.score ?? 0)) {
      this.#readAddress(field, address)
      return
    }
    const match = candidates.find(({ term, score }) => this.#has(term) && score >= (best?.score ?? 0) - nextBestWithin)
    if (match === undefined) return
    const values = this.#byTerm.get(match.term.id) ?? []
    const found = this.#oneOf(field, match, values)
    if (found === undefined) return
    this.terms.set(field.pointer, match.term)
    this.single.set(field.pointer, found)
  }

  #has(term: InvoiceTerm): boolean {
    return this.#byTerm.has(term.id)
  }

  /** One value when the invoice has several: texts are joined, the first identifier is taken, and figures give none. */
  #oneOf(field: Field, match: TermMatch, values: readonly InvoiceValue[]): Finding | undefined {
    const [first] = values
    if (first === undefined) return undefined
    const texts = [...new Set(values.map(({ text }) => text))]
    const { term } = match
    if (texts.length === 1) return this.#finding(field, match, first)
    if (term.kind === 'text' && field.plan.choices.length === 0) {
      const joined = this.#finding(field, match, { ...first, text: texts.join('\n') })
      if (joined === undefined) return undefined
      const note = `Joined from ${texts.length} elements of the same name.`
      return { ...joined, evidence: { ...joined.evidence, status: 'derived', note } }
    }
    if (term.kind === 'id') {
      const found = this.#finding(field, match, first)
      const note = `The invoice has ${texts.length} of these; this is the first.`
      return found && { ...found, evidence: { ...found.evidence, confidence: severalConfidence, note } }
    }
    this.notes.set(
      field.pointer,
      `The invoice has ${texts.length} values of ${term.name}: ${texts.slice(0, 5).join(', ')}.`,
    )
    return undefined
  }

  #readAddress(field: Field, { owner, score }: { owner: keyof typeof addressTerms; score: number }): void {
    const ids = addressTerms[owner]
    if (ids === undefined) return
    const of = (id: string): InvoiceValue | undefined => this.#byTerm.get(id)?.[0]
    const lines = ids.lines.flatMap((id) => of(id)?.text ?? [])
    const town = [ids.postcode, ids.city].flatMap((id) => of(id)?.text ?? []).join(' ')
    const rest = [ids.region, ids.country].flatMap((id) => of(id)?.text ?? [])
    const parts = [...ids.lines, ids.postcode, ids.city, ids.region, ids.country].flatMap((id) => of(id) ?? [])
    const [first] = parts
    const value = valueFor(field.plan, textReading([...lines, town, ...rest].filter(Boolean).join(', ')))
    if (first === undefined || value === undefined) return
    const street = lines[0]
    const found = street === undefined ? undefined : findValue(this.pages, street, '')
    const evidence: Evidence = {
      status: 'derived',
      input: this.#document.input,
      element: first.element.slice(0, first.element.lastIndexOf('/')),
      ...placeOf(found),
      quote: parts.map(({ text }) => text).join(', '),
      confidence: confidenceOf(score),
      note: 'Joined from the parts of the address.',
    }
    this.single.set(field.pointer, { value, evidence, isConfirmed: true })
  }

  readList(list: ListField): void {
    const counts = new Map<string, number>()
    for (const term of invoiceTerms)
      for (const { at } of this.#byTerm.get(term.id) ?? [])
        if (term.group !== undefined && at !== undefined)
          counts.set(term.group, Math.max(counts.get(term.group) ?? 0, at + 1))
    const match = groupFor(list, (group) => counts.has(group))
    if (match === undefined) return
    const columns = withItemNames(match.columns)
    let above: Found | undefined
    const rows = Array.from({ length: counts.get(match.group) ?? 0 }, (_, at) => {
      const anchor = at < placedRowsMax ? this.#anchorOf(at, columns, above) : undefined
      above = anchor ?? above
      const row = new Map<string, Finding>()
      for (const [column, of] of columns) {
        const values = this.#byRow.get(`${of.term.id}/${at}`) ?? []
        const [value] = values
        const distinct = new Set(values.map(({ text }) => text))
        if (value === undefined || (distinct.size > 1 && of.term.kind !== 'text' && of.term.kind !== 'id')) continue
        const text = of.term.kind === 'text' ? [...distinct].join('\n') : value.text
        const found = this.#finding(column, of, { ...value, text }, anchor ?? null)
        if (found === undefined) continue
        row.set(column.pointer, found)
        this.terms.set(`${list.pointer}/${at}${column.pointer}`, of.term)
      }
      return row
    })
    if (rows.some((row) => row.size > 0)) this.lists.set(list.pointer, rows)
  }

  /** The place of a list's row on the pages: its most distinctive text, below the previous row. */
  #anchorOf(at: number, columns: ReadonlyMap<Field, TermMatch>, above: Found | undefined): Found | undefined {
    for (const id of anchorTerms) {
      const isAsked = [...columns.values()].some(({ term }) => term.id === id)
      const value = isAsked || id === 'BT-153' ? this.#byRow.get(`${id}/${at}`)?.[0] : undefined
      const found =
        value && value.text.length >= tellingCharactersMin
          ? findValue(this.pages, value.text, '', (place) => above === undefined || isBelow(place, above))
          : undefined
      if (found !== undefined) return found
    }
    return undefined
  }

  /** `row`: the place of the value's row; null if unknown; absent outside lists. */
  #finding(field: Field, match: TermMatch, value: InvoiceValue, row?: Found | null): Finding | undefined {
    const taken = termValue(field.plan, match.term, value.text)
    if (taken === undefined) return undefined
    const evidence: Evidence = {
      status: taken.status,
      input: this.#document.input,
      ...this.#placeIn(value, taken, row),
      element: value.element,
      quote: value.text,
      confidence: confidenceOf(match.score),
    }
    return { value: taken.value, evidence, isConfirmed: true }
  }

  #placeIn(value: InvoiceValue, { value: taken }: TermValue, row?: Found | null): Partial<Evidence> {
    if (value.span !== undefined) return { ...placeInXml(this.#document, value.span), span: value.span }
    if (isXmlFile(this.#document)) return {}
    const shown = typeof taken === 'string' || typeof taken === 'number' ? taken : value.text
    const isTelling = String(shown).replace(/[^\p{L}\p{N}]/gu, '').length >= tellingCharactersMin
    if (row === null || (row === undefined && !isTelling)) return {}
    const isHere = (found: Found): boolean => !found.otherSign && (row === undefined || isBeside(found, row))
    return placeOf(findValue(this.pages, shown, '', isHere) ?? findValue(this.pages, value.text, '', isHere))
  }
}

function addTo(map: Map<string, InvoiceValue[]>, key: string, value: InvoiceValue): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}

/** Terms that identify a row of a list. */
const anchorTerms = ['BT-153', 'BT-155', 'BT-157', 'BT-131', 'BT-117', 'BT-92', 'BT-99', 'BT-22', 'BT-25']

const severalConfidence = 0.6

/** The value is exact; only its assignment to the field may be wrong. */
const confidenceOf = (score: number): number => Math.round(Math.min(0.99, 0.5 + score / 2) * 100) / 100

const textReading = (text: string) => ({ start: 0, end: text.length, value: text, printed: text, fit: 1 })

export const isXmlFile = ({ document }: NamedDocument): boolean =>
  document.invoice !== undefined && document.invoice.file === undefined

const placeOf = (found: Found | undefined): Partial<Evidence> =>
  found === undefined ? {} : { page: found.page, bbox: found.box }

function placeInXml({ document }: NamedDocument, [start, end]: readonly [number, number]): Partial<Evidence> {
  const [page] = document.pages
  if (page === undefined) return {}
  const boxes: Box[] = []
  for (let at = firstFrom(page.words, start); at < page.words.length; at += 1) {
    const { span, box } = page.words[at] as Word
    if (span === undefined || span[0] >= end) break
    // The name of an element has an empty span.
    if (span[1] > span[0]) boxes.push(box)
  }
  if (boxes.length === 0) return {}
  const left = Math.min(...boxes.map(([x]) => x))
  const top = Math.min(...boxes.map(([, y]) => y))
  const right = Math.max(...boxes.map(([x, , w]) => x + w))
  const bottom = Math.max(...boxes.map(([, y, , h]) => y + h))
  const bbox: Box = [left, top, right - left, bottom - top]
  return { page: page.index, bbox }
}

/** The index of the first word that begins at `start` or later; the words of XML are ordered by their spans. */
function firstFrom(words: readonly Word[], start: number): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle]?.span?.[0] ?? 0) < start) low = middle + 1
    else high = middle
  }
  return low
}

const middleOf = ({ box }: Found): number => box[1] + box[3] / 2

const isBelow = (found: Found, above: Found): boolean =>
  found.page > above.page || (found.page === above.page && middleOf(found) > middleOf(above) + above.box[3] / 2)

const isBeside = (found: Found, row: Found): boolean =>
  found.page === row.page && Math.abs(middleOf(found) - middleOf(row)) <= Math.max(found.box[3], row.box[3])

/** A list with a description and no name means the item name in the terms of the standard. */
function withItemNames(columns: ReadonlyMap<Field, TermMatch>): ReadonlyMap<Field, TermMatch> {
  const name = invoiceTerms.find(({ id }) => id === 'BT-153')
  if (name === undefined || [...columns.values()].some(({ term }) => term.id === name.id)) return columns
  return new Map(
    [...columns].map(([column, match]) => [column, match.term.id === 'BT-154' ? { ...match, term: name } : match]),
  )
}
