import { phraseOf } from '../layout/text.ts'
import type { LeafPlan } from '../schema/plan.ts'
import { concepts, findConcept, phrasesOf } from './concepts.ts'
import {
  addresseeBlockLabels,
  customerBlockLabels,
  issuerBlockLabels,
  recipientBlockLabels,
  vendorBlockLabels,
} from './concepts-parties.ts'
import { addPhrase, newPhraseBook, type PhraseBook, type PhraseTarget } from './phrase-book.ts'

/** The weight of a label that may mean a concept but often means another. */
const weakWeight = 0.72

/** A field with the index under which its own phrases are stored. */
export interface NumberedField {
  readonly id: number
  readonly plan: LeafPlan
}

const blockLabels: readonly (readonly [string, string])[] = [
  ['b:vendor', vendorBlockLabels],
  ['b:customer', customerBlockLabels],
  ['b:recipient', recipientBlockLabels],
  ['b:issuer', issuerBlockLabels],
  ['b:addressee', addresseeBlockLabels],
]

/** Words that name nothing when alone in the schema of a known concept. */
const bare = /^(?:name|number|no|id|code|type|address|email|phone|date|amount|value|title|company)$/

let known: PhraseBook | undefined

/** The labels of every known concept (`c:` and its id) and of party blocks (`b:` and the party); built when first asked for. */
export function knownBook(): PhraseBook {
  known ??= bookOfKnown()
  return known
}

function bookOfKnown(): PhraseBook {
  const book = newPhraseBook()
  for (const concept of concepts) {
    const target = `c:${concept.id}`
    for (const phrase of phrasesOf(concept.labels)) addPhrase(book, phraseOf(phrase), { target, weight: 1 })
    for (const phrase of phrasesOf(concept.weak)) addPhrase(book, phraseOf(phrase), { target, weight: weakWeight })
  }
  for (const [target, labels] of blockLabels) {
    for (const phrase of phrasesOf(labels)) addPhrase(book, phraseOf(phrase), { target, weight: 1 })
  }
  return book
}

/** The phrases to search for: the known ones and the names of the request's fields (`f:` and the field's index). */
export function bookOf(fields: readonly NumberedField[]): PhraseBook {
  const book = newPhraseBook(knownBook())
  for (const { id, plan } of fields) {
    for (const [phrase, weight] of plan.meaning.phrases) {
      if (plan.meaning.concept !== null && bare.test(phrase)) continue
      addPhrase(book, phrase, { target: `f:${id}`, weight })
    }
  }
  return book
}

const orderOfConcept = new Map(concepts.map((concept, index) => [concept.id, index]))

/** The fields by the targets that mean them. */
export type FieldsByTarget<F extends NumberedField> = ReadonlyMap<string, readonly F[]>

/** Concepts for the number of the document itself, of which a request asks for one. */
const numbersOfDocument = ['invoice_number', 'purchase_order_number', 'statement_number', 'receipt_number']
/** Concepts for the date of the document itself. */
const datesOfDocument = ['invoice_date', 'order_date', 'statement_date', 'receipt_date']

/** Labels of concepts that are not requested and then mean the requested number or date. */
function standIns(asked: ReadonlySet<string>): Map<string, string> {
  const map = new Map<string, string>()
  const number = numbersOfDocument.find((id) => asked.has(id))
  const date = datesOfDocument.find((id) => asked.has(id))
  if (number !== undefined) map.set('p:number', number)
  if (date !== undefined) map.set('p:date', date)
  const isOrder = number === 'purchase_order_number' && date === 'order_date'
  if (isOrder) {
    for (const id of ['invoice_date', 'receipt_date', 'statement_date']) if (!asked.has(id)) map.set(`c:${id}`, date)
    map.set('p:order', number)
    if (!asked.has('receipt_number')) map.set('c:receipt_number', number)
  }
  if (!asked.has('order_number') && asked.has('purchase_order_number'))
    map.set('c:order_number', 'purchase_order_number')
  return map
}

/** Marks a target that stands in for another concept. */
const standIn = '~'
/** A substitute label is slightly less certain. */
const standInWeight = 0.95

/** Groups fields by the targets of the book that mean them. */
export function fieldsByTarget<F extends NumberedField>(fields: readonly F[]): FieldsByTarget<F> {
  const map = new Map<string, F[]>()
  for (const field of fields) {
    map.set(`f:${field.id}`, [field])
    const id = field.plan.meaning.concept?.id
    if (id === undefined) continue
    const same = map.get(`c:${id}`)
    if (same === undefined) map.set(`c:${id}`, [field])
    else same.push(field)
  }
  const asked = new Set(fields.flatMap(({ plan }) => plan.meaning.concept?.id ?? []))
  for (const [target, id] of standIns(asked)) map.set(`${standIn}${target}`, map.get(`c:${id}`) ?? [])
  return map
}

/**
 * The fields that a label means, with weights. A label with several meanings takes the one with full weight, else the
 * first that was requested.
 */
export function claims<F extends NumberedField>(
  targets: readonly PhraseTarget[],
  fields: FieldsByTarget<F>,
): { readonly field: F; readonly weight: number }[] {
  const best = new Map<F, number>()
  let sure = false
  let first = Number.POSITIVE_INFINITY
  for (const { target, weight } of targets) {
    if (!fields.has(target)) continue
    if (weight >= 0.9) sure = true
    else if (target.startsWith('c:')) first = Math.min(first, orderOfConcept.get(target.slice(2)) ?? first)
  }
  for (const { target, weight } of targets) {
    const isWeak = target.startsWith('c:') && weight < 0.9
    if (isWeak && (sure || (orderOfConcept.get(target.slice(2)) ?? 0) > first)) continue
    for (const field of fields.get(target) ?? []) best.set(field, Math.max(best.get(field) ?? 0, weight))
  }
  for (const { target, weight } of targets) {
    for (const field of fields.get(`${standIn}${target}`) ?? [])
      best.set(field, Math.max(best.get(field) ?? 0, weight * standInWeight))
  }
  return [...best].map(([field, weight]) => ({ field, weight }))
}

/** True for targets that are concepts of an amount below a table. */
export const isSumTarget = (target: string): boolean => {
  const concept = target.startsWith('c:') ? findConcept(target.slice(2)) : undefined
  return concept !== undefined && concept.column !== true && concept.kind === 'money'
}
