import { pointerSteps } from '@skillrun/core/json.ts'
import type { Kind } from '../languages/concept.ts'
import type { Field } from '../layout/sheet.ts'
import type { InvoiceGroup } from '../media/invoice/invoice-data.ts'
import { addressTerms, type InvoiceTerm, invoiceTerms, type TermOwner } from '../media/invoice/terms.ts'
import type { ListField } from '../schema/fields.ts'
import { sayingsOf } from './invoice-words.ts'

/** The term that a field asks for, with a likelihood from 0 to 1. */
export interface TermMatch {
  readonly term: InvoiceTerm
  readonly score: number
}

/** A complete address, which the standard stores in parts. */
export interface AddressMatch {
  readonly owner: TermOwner
  readonly score: number
}

/** A lower likelihood is no match. */
const scoreMin = 0.6
/** Weights of the words of surrounding objects and of the description, compared with the field's name. */
const aroundWeight = 0.95
const describedWeight = 0.6
/** A field whose name says nothing is identified by its title or description. */
const titleWeight = 0.95
const descriptionWeight = 0.85
/** Of two equally likely terms, more matching words of the name win. */
const lengthBonus = 0.001
/** A word that no term knows asks for something more specific: the number of a passport, a weight. */
const unknownWeight = 2
/** Each later form of a term is slightly less plain. */
const formStep = 0.005
/** A longer description is prose, so its words do not count as a name. */
const descriptionWordsMax = 8

const owners: ReadonlySet<string> = new Set([
  'seller',
  'buyer',
  'payee',
  'representative',
  'delivery',
  'allowance',
  'charge',
  'preceding',
  'attachment',
])

/** Words that may appear in the name of an owner's term without another meaning. */
const beside: Readonly<Record<TermOwner, string>> = {
  invoice: 'invoice document total amount payment bank account',
  seller: 'party invoice issue',
  buyer: 'party invoice',
  payee: 'party invoice payment',
  representative: 'party seller tax invoice',
  delivery: 'party invoice address location',
  line: 'line invoice product',
  vat: 'tax breakdown invoice total category rate',
  allowance: 'invoice document',
  charge: 'invoice document',
  attachment: 'document invoice',
  preceding: 'invoice document reference',
}

/** Words that would say that another kind of value is asked for: the value of a contract is not its number. */
const otherKinds = (kind: InvoiceTerm['kind']): readonly string[] =>
  kind === 'amount' ? ['bank', 'account'] : ['total', 'amount']

const addressParts: ReadonlySet<string> = new Set(
  Object.values(addressTerms).flatMap(({ lines, city, postcode, region, country }) => [
    ...lines,
    city,
    postcode,
    region,
    country,
  ]),
)

/** A term with its forms as sets of meanings. */
interface Prepared {
  readonly term: InvoiceTerm
  readonly forms: readonly (readonly string[])[]
  readonly beside: ReadonlySet<string>
}

/** Owners that the name of a field, or of a surrounding object, must mention. */
const saidOwners: ReadonlySet<TermOwner> = new Set([
  'seller',
  'buyer',
  'payee',
  'representative',
  'delivery',
  'allowance',
  'charge',
  'attachment',
])

const prepared: readonly Prepared[] = invoiceTerms.map((term) => {
  const isOwned = saidOwners.has(term.owner)
  // An account to pay to belongs to the seller.
  const others = otherKinds(term.kind)
  const extra = addressParts.has(term.id) ? ' address name' : term.group === 'BG-16' ? ' seller payee party' : ''
  return {
    term,
    forms: term.says.split('|').map((form) => {
      const words = form.split(' ')
      return isOwned && !words.includes(term.owner) ? [term.owner, ...words] : words
    }),
    beside: new Set(`${beside[term.owner]}${extra}`.split(' ').filter((word) => !others.includes(word))),
  }
})

/** The words of a field about itself. */
interface Asked {
  readonly own: readonly string[]
  readonly unknown: number
  readonly around: ReadonlySet<string>
  readonly described: ReadonlySet<string>
  /** Distinguishing words of a short description, such as a `total` described as one without tax. */
  readonly specified: ReadonlySet<string>
  readonly weight: number
}

const tellingWords: ReadonlySet<string> = new Set([
  'net',
  'gross',
  'due',
  'paid',
  'rounding',
  'line',
  'allowance',
  'charge',
])

function askedBy(field: Field, path: readonly string[]): Asked[] {
  const { title, description } = field.plan.schema
  const around = new Set(path.slice(0, -1).flatMap((name) => sayingsOf(name).meanings))
  const texts = [title, description].filter((text) => typeof text === 'string')
  const described = new Set(texts.flatMap((text) => sayingsOf(text).meanings))
  const isShort = typeof description === 'string' && description.split(/\s+/).length <= descriptionWordsMax
  const ownWords = isShort ? sayingsOf(description).meanings : []
  const specified = new Set(ownWords.filter((word) => tellingWords.has(word)))
  const asked = (text: string, weight: number): Asked => {
    const { meanings, unknown } = sayingsOf(text)
    return { own: meanings, unknown, around, described, specified, weight }
  }
  return [
    asked(path.at(-1) ?? '', 1),
    ...(typeof title === 'string' ? [asked(title, titleWeight)] : []),
    ...(isShort ? [asked(description, descriptionWeight)] : []),
  ]
}

/**
 * True for a field of something that invoices do not know: the number in an object `passport`. A field that itself names the invoice or one
 * of its parties does not depend on the object around it.
 */
function isOfOther(field: Field, path: readonly string[]): boolean {
  const { title, description } = field.plan.schema
  const texts = [path.at(-1), title, description].filter((text) => typeof text === 'string')
  const own = texts.flatMap((text) => sayingsOf(text).meanings)
  if (own.some((word) => word === 'invoice' || owners.has(word))) return false
  return path.slice(0, -1).some((name) => {
    const { meanings, unknown } = sayingsOf(name)
    return meanings.length === 0 && unknown > 0
  })
}

/** How well a field matches one form of a term. */
function fitOf(asked: Asked, form: readonly string[], besides: ReadonlySet<string>): number {
  const { own, unknown, around, described, specified } = asked
  if (own.length === 0) return 0
  let covered = 0
  for (const word of form) {
    if (own.includes(word)) covered += 1
    else if (around.has(word)) covered += aroundWeight
    else if (described.has(word)) covered += describedWeight
  }
  if (!form.some((word) => own.includes(word))) return 0
  const recall = covered / form.length
  const others = [...specified].filter((word) => !form.includes(word)).length
  const known = own.filter((word) => form.includes(word) || besides.has(word)).length
  const precision = known / (own.length + unknown * unknownWeight)
  const strays = [...around].filter((word) => owners.has(word) && !form.includes(word) && !besides.has(word)).length
  return asked.weight * recall ** 2 * precision * 0.5 ** strays * 0.8 ** others + own.length * lengthBonus
}

const kinds: Readonly<Record<InvoiceTerm['kind'], ReadonlySet<Kind>>> = {
  text: new Set(['text', 'name', 'address', 'id', 'url', 'enum']),
  id: new Set(['text', 'id', 'iban', 'vat', 'email', 'phone', 'name', 'url', 'number', 'integer']),
  code: new Set(['text', 'id', 'enum', 'currency', 'name', 'boolean', 'number', 'integer', 'percent', 'date']),
  date: new Set(['date', 'datetime', 'text']),
  amount: new Set(['money', 'number', 'integer', 'text']),
  number: new Set(['money', 'number', 'integer', 'text']),
  percent: new Set(['percent', 'number', 'integer', 'money', 'text']),
}

/** Whether a place of the answer can hold values of a term: its declared type decides, and a text can hold all of them. */
function canHold({ plan }: Field, { kind }: Pick<InvoiceTerm, 'kind'>): boolean {
  const { types, schema, choices } = plan
  const format = schema['format']
  if (format === 'date' || format === 'date-time') return kind === 'date'
  const isNumber = types.length > 0 && types.every((type) => type === 'number' || type === 'integer')
  if (isNumber) return kind === 'amount' || kind === 'number' || kind === 'percent' || kind === 'id' || kind === 'code'
  if (types.includes('boolean')) return false
  if (choices.length > 0) return kind === 'code' || kind === 'percent' || kind === 'text'
  return kinds[kind].has(plan.meaning.kind) || types.includes('string') || types.length === 0
}

/** The identifier of the standard in a name or a description: `BT-112`. */
function namedTerm(field: Field, path: readonly string[]): InvoiceTerm | undefined {
  const { title, description } = field.plan.schema
  for (const text of [path.at(-1), title, description]) {
    const number = typeof text === 'string' ? /(?<![a-z])bt[-_ ]?(\d{1,3})(?!\d)/i.exec(text)?.[1] : undefined
    const term = number && invoiceTerms.find(({ id }) => id === `BT-${Number(number)}`)
    if (term) return term
  }
  return undefined
}

/** A field outside lists asks for terms that occur once rather than in each of several groups. */
const groupedWeight = 0.95

/** The terms that a field outside lists may ask for, the likeliest first. */
export function termsForSingle(field: Field, path: readonly string[]): TermMatch[] {
  if (namedTerm(field, path) === undefined && isOfOther(field, path)) return []
  return termsFor(field, path, ({ group }) => group !== 'BG-25')
    .map((match) =>
      match.term.group === undefined || match.term.group === 'BG-16'
        ? match
        : { ...match, score: match.score * groupedWeight },
    )
    .toSorted((a, b) => b.score - a.score)
}

/** The terms that a field may ask for, the likeliest first. `isOffered`: whether its place can hold a term. */
function termsFor(field: Field, path: readonly string[], isOffered: (term: InvoiceTerm) => boolean): TermMatch[] {
  const named = namedTerm(field, path)
  if (named !== undefined && isOffered(named)) return [{ term: named, score: 1 }]
  const asked = askedBy(field, path)
  return prepared
    .flatMap(({ term, forms, beside: besides }): TermMatch[] => {
      if (!isOffered(term) || !canHold(field, term)) return []
      const fits = asked.flatMap((one) => forms.map((form, at) => fitOf(one, form, besides) - at * formStep))
      const score = Math.max(...fits)
      return score >= scoreMin ? [{ term, score }] : []
    })
    .toSorted((a, b) => b.score - a.score)
}

/** The party whose complete address a field asks for. */
export function addressFor(field: Field, path: readonly string[]): AddressMatch | undefined {
  if (field.plan.types.length > 0 && !field.plan.types.includes('string')) return undefined
  if (isOfOther(field, path)) return undefined
  const asked = askedBy(field, path)
  const found = (Object.keys(addressTerms) as TermOwner[]).map((owner) => {
    const score = Math.max(
      ...asked.map((one) => fitOf(one, [owner, 'address'], new Set(['party', 'invoice', 'location']))),
    )
    return { owner, score }
  })
  const best = found.toSorted((a, b) => b.score - a.score)[0]
  return best !== undefined && best.score >= scoreMin ? best : undefined
}

const groupWords: Readonly<Record<InvoiceGroup, readonly string[]>> = {
  'BG-1': ['note'],
  'BG-3': ['preceding invoice', 'preceding'],
  'BG-16': ['payment', 'payment method', 'account', 'bank account'],
  'BG-20': ['allowance'],
  'BG-21': ['charge'],
  'BG-23': ['tax', 'tax breakdown', 'tax rate', 'tax subtotal', 'breakdown', 'tax total'],
  'BG-24': ['attachment'],
  'BG-25': ['line', 'product', 'invoice line'],
}

/** The terms of a list: a group of the standard, and a term for each matching column. */
export interface GroupMatch {
  readonly group: InvoiceGroup
  readonly columns: ReadonlyMap<Field, TermMatch>
}

/** The group that matches the columns of a list; undefined if none does. */
export function groupFor(list: ListField, has: (group: InvoiceGroup) => boolean): GroupMatch | undefined {
  const path = pointerSteps(list.pointer)
  const own = sayingsOf(path.at(-1) ?? '').meanings
  const groups = (Object.keys(groupWords) as InvoiceGroup[]).filter(has).map((group) => {
    const named = Math.max(
      0,
      ...groupWords[group].map((form) => {
        const words = form.split(' ')
        const known = words.filter((word) => own.includes(word)).length
        return known === words.length ? known / own.length : 0
      }),
    )
    const columns = new Map<Field, TermMatch>()
    for (const column of list.columns) {
      // A list of texts that is named like the lines asks for their names.
      const isOfNames = column.pointer === '' && group === 'BG-25' && named === 1 && canHold(column, { kind: 'text' })
      const steps = [...path, ...(isOfNames ? ['name'] : pointerSteps(column.pointer))]
      const [best] = termsFor(column, steps, (term) => term.group === group)
      if (best) columns.set(column, best)
    }
    const sum = [...columns.values()].reduce((total, { score }) => total + score, 0)
    return { group, columns, weight: named + sum / Math.max(1, list.columns.length) }
  })
  const best = groups.filter(({ columns }) => columns.size > 0).toSorted((a, b) => b.weight - a.weight)[0]
  return best !== undefined && best.weight >= 1 ? best : undefined
}
