import type { JsonObject } from '@skillrun/core/json.ts'
import type { Concept, Kind, Party } from '../languages/concept.ts'
import { concepts, findConcept, phrasesOf } from '../languages/concepts.ts'
import { isWordOfForms, type MeantWord, meansOneOf, meantWords, namesSomebody } from '../languages/form-words.ts'
import { madeOnce } from '../layout/remembered.ts'
import { namePhrase, phraseOf } from '../layout/text.ts'
import { typesOf } from './schema-shape.ts'

/** The meaning of a field: the labels to search for and the kind of its value. */
export interface FieldMeaning {
  /** The known concept, if the field's names identify one. */
  readonly concept: Concept | null
  readonly kind: Kind
  /** Folded phrases that name the field in addition to its concept's labels, with weights from 0 to 1. */
  readonly phrases: ReadonlyMap<string, number>
  /** The folded name of the field including its parents. */
  readonly path: string
  /** True when the value is wanted as printed, not in normal form. */
  readonly asPrinted: boolean
  readonly party: Party | null
}

/** The facts that determine a field's meaning. */
export interface FieldFacts {
  readonly path: readonly string[]
  readonly schema: JsonObject
  readonly types: readonly string[]
  readonly inItem: boolean
}

const nameIndex = (column: boolean): Map<string, string> => {
  const index = new Map<string, string>()
  const add = (list: string | undefined, id: string): void => {
    for (const phrase of phrasesOf(list)) {
      const folded = phraseOf(phrase)
      if (!index.has(folded)) index.set(folded, id)
    }
  }
  const wanted = concepts.filter((concept) => (column ? concept.column === true : concept.column !== true))
  for (const concept of wanted) add(concept.id.replaceAll('_', ' '), concept.id)
  for (const concept of wanted) add(concept.names, concept.id)
  for (const concept of wanted) add(concept.labels, concept.id)
  for (const concept of wanted) add(concept.weak, concept.id)
  return index
}

const columnNames = madeOnce(() => nameIndex(true))
const documentNames = madeOnce(() => nameIndex(false))

const partyOfWord: ReadonlyMap<string, Party> = new Map<string, Party>([
  ...'vendor supplier seller merchant issuer biller sender from company provider payee store shop lieferant fournisseur proveedor fornitore leverancier fornecedor creditor'
    .split(' ')
    .map((word) => [word, 'vendor'] as const),
  ...'customer client buyer billing recipient purchaser payer debtor kunde cliente klant bill sold holder'
    .split(' ')
    .map((word) => [word, 'customer'] as const),
  ...'ship shipping delivery consignee deliver receiver'.split(' ').map((word) => [word, 'recipient'] as const),
])

/** The party that the names of the enclosing objects refer to. */
function partyOfPath(path: readonly string[]): Party | null {
  for (const name of path.toReversed()) {
    for (const word of namePhrase(name).split(' ')) {
      const party = partyOfWord.get(word)
      if (party !== undefined) return party
    }
  }
  return null
}

const fillers = new Set(
  'the of a an in on for by and de del der des la le el il da do di to as printed value field'.split(' '),
)

/** `received_by` asks for somebody, `received` does not. */
const withoutFillers = (phrase: string): string =>
  phrase
    .split(' ')
    .filter((word, at, all) => !fillers.has(word) || (word === 'by' && at === all.length - 1))
    .join(' ')

function lookUp(phrase: string, inItem: boolean): Concept | null {
  const indexes = inItem ? [columnNames(), documentNames()] : [documentNames(), columnNames()]
  for (const text of [phrase, withoutFillers(phrase)]) {
    for (const index of indexes) {
      const id = index.get(text)
      if (id !== undefined) return findConcept(id) ?? null
    }
  }
  return null
}

const partPartyField: ReadonlyMap<Kind, string> = new Map<Kind, string>([
  ['name', 'name'],
  ['address', 'address'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['vat', 'vat'],
])

/** `vendor: { email }`: the concept of the last name, for the party of its parents. */
function partyConcept(party: Party, last: string): Concept | null {
  if (/^(?:(?:full |company |legal |business )?name)$/.test(last)) return findConcept(`${party}_name`) ?? null
  const plain = lookUp(last, false)
  const part = plain === null ? undefined : partPartyField.get(plain.kind)
  if (plain === null || part === undefined || plain.party === undefined) return null
  return findConcept(`${party}_${part}`) ?? null
}

/**
 * A number named `vat` is an amount of tax, not the number of a tax payer. A text named `port` is a harbour: only labels of amounts mean
 * postage by it.
 */
function conceptOf(facts: FieldFacts): Concept | null {
  const concept = conceptByName(facts)
  if (concept === null) return null
  const types = typesOf(facts.schema).filter((type) => type !== 'null')
  const isAmount = types.length > 0 && types.every((type) => type === 'number')
  if (concept.kind === 'vat' && isAmount) return findConcept('tax') ?? null
  const isText = types.length > 0 && types.every((type) => type === 'string')
  return isText && isNumeric(concept.kind) && meansNoAmount(facts.path.at(-1) ?? '') ? null : concept
}

/** Meanings of words for quantities. */
const quantities = new Set(
  'amount advance age balance bonus cash change charges count credit debit deduction deposit discount each excluding fee gross hours including income instalment interest loan minutes net outstanding paid payable payment payout pension percent perhour premium previousbalance price proceeds quantity rent rounding salary servicecharge share shipping subtotal tax taxbase tendered tip total vatrate volume weight'.split(
    ' ',
  ),
)

/** True for a name whose words are all known and mean no quantity. */
const meansNoAmount = (name: string): boolean => {
  const words = meantWords(namePhrase(name))
  return words.length > 0 && words.every((word) => isWordOfForms(word.word) && !meansOneOf(word, quantities))
}

function conceptByName(facts: FieldFacts): Concept | null {
  const names = facts.path.map(namePhrase)
  const last = names.at(-1) ?? ''
  if (facts.inItem) {
    const own = lookUp(last, true)
    const isAccount = /\b(?:transactions?|movements?|entries|postings?|bookings?|operations?)\b/.test(names.join(' '))
    if (own?.id === 'line_amount' && isAccount) return findConcept('movement') ?? own
    if (own !== null) return own
  }
  const party = facts.inItem ? null : partyOfPath(facts.path.slice(0, -1))
  if (party !== null) {
    const moved = partyConcept(party, last)
    if (moved !== null) return moved
  }
  for (let from = Math.max(0, names.length - 3); from < names.length; from++) {
    const phrase = names.slice(from).join(' ')
    const found = lookUp(phrase, facts.inItem)
    if (found !== null && !(from === names.length - 1 && isTooGeneral(last, facts))) return found
  }
  const title = facts.schema['title']
  return typeof title === 'string' ? lookUp(namePhrase(title), facts.inItem) : null
}

/** A bare `name` or `number` within an unknown object needs the object's name. */
const isTooGeneral = (last: string, facts: FieldFacts): boolean =>
  /^(?:name|number|no|type|code|id|title|value)$/.test(last) || (facts.path.length > 1 && /^(?:date|label)$/.test(last))

const kindOfFormat: Readonly<Record<string, Kind>> = {
  date: 'date',
  'date-time': 'datetime',
  time: 'time',
  email: 'email',
  'idn-email': 'email',
  uri: 'url',
  url: 'url',
  iri: 'url',
}

const kindOfLastWord: readonly (readonly [RegExp, Kind])[] = [
  [/\b(?:date|dob|datum|fecha|data|day)$/, 'date'],
  [/\b(?:on|at)$/, 'date'],
  [/\b(?:email|mail)$/, 'email'],
  [/\b(?:phone|telephone|tel|fax|mobile|cell)$/, 'phone'],
  [/\b(?:website|url|homepage|link)$/, 'url'],
  [/\baddress$/, 'address'],
  [/\biban$/, 'iban'],
  [/\bcurrency(?: code)?$/, 'currency'],
  [/\b(?:percent|percentage|pct)$/, 'percent'],
  [/\b(?:amount|total|price|cost|fee|fees|charge|charges|balance|sum|tax|salary|premium|payment|discount)$/, 'money'],
  [/\b(?:number|no|nr|num|id|code|ref|reference|sku|serial|key)$/, 'id'],
]

function kindOf(facts: FieldFacts, concept: Concept | null): Kind {
  const { schema, types } = facts
  const format = typeof schema['format'] === 'string' ? kindOfFormat[schema['format']] : undefined
  const last = namePhrase(facts.path.at(-1) ?? '')
  if (concept?.kind === 'currency') return 'currency'
  if (Array.isArray(schema['enum']) || 'const' in schema) return 'enum'
  if (format !== undefined) return format
  if (types.includes('boolean')) return 'boolean'
  const numeric = types.length > 0 && types.every((type) => type === 'number' || type === 'integer')
  if (concept !== null && !(numeric && !isNumeric(concept.kind) && concept.kind !== 'id')) {
    if (concept.kind !== 'enum') return concept.kind
  }
  const guess = kindOfLastWord.find(([pattern]) => pattern.test(last))?.[1] ?? kindOfRate(last)
  if (numeric) {
    if (types.every((type) => type === 'integer')) return 'integer'
    return guess === 'money' || guess === 'percent' ? guess : 'number'
  }
  return guess ?? kindOfHead(last) ?? 'text'
}

/** Meanings of words whose rate is a share: a rate of exchange, of a day or of a heart is a number. */
const ofShares = new Set('charges discount growth interest tax vatrate'.split(' '))

/** The kind of `interest_rate` or `exchange_rate`; undefined for other names. */
function kindOfRate(name: string): Kind | undefined {
  if (!/\brate$/.test(name)) return undefined
  return meantWords(name).some((word) => word.word !== 'rate' && meansOneOf(word, ofShares)) ? 'percent' : 'number'
}

/** Kinds of value that words mean. */
const kindOfMeaning: readonly (readonly [Kind, ReadonlySet<string>])[] = [
  ['time', new Set(['time', 'arrivaltime', 'departuretime', 'starttime', 'endtime'])],
  ['email', new Set(['email'])],
  ['phone', new Set(['phone', 'fax'])],
  [
    'id',
    new Set(
      'no taxcode identity passport plate serial chassis postcode bankcode barcode imono microchip customerno orderno jobno certificateno licenceno registrationno paymentreference drivinglicence residencepermit'.split(
        ' ',
      ),
    ),
  ],
  ['address', new Set(['address'])],
]

/** The kind by the word that a name is about, in any language: the last, or the first, as in `numero_certificat`. */
function kindOfHead(name: string): Kind | undefined {
  const words = meantWords(name)
  if (asksByWhom(name, words)) return 'name'
  for (const word of [words.at(-1), words[0]]) {
    if (word === undefined) continue
    const kind = kindOfMeaning.find(([, own]) => meansOneOf(word, own))?.[0]
    if (kind !== undefined) return kind
  }
  return namesSomebody(words) ? 'name' : undefined
}

/** Meanings of words with which `by` asks when. */
const deadlines = new Set('due payable required returned notice date'.split(' '))

/** True for `approved_by`, `behandeld_door`. */
const asksByWhom = (name: string, words: readonly MeantWord[]): boolean => {
  const last = / (\S+)$/.exec(name)?.[1]
  return (
    last !== undefined &&
    meantWords(last).some(({ meanings }) => meanings.has('by')) &&
    !words.some((word) => meansOneOf(word, deadlines))
  )
}

const isNumeric = (kind: Kind): boolean => /^(?:money|number|integer|percent)$/.test(kind)

/** Longer descriptions are prose, not names. */
const descriptionWordsMax = 5

const sharedEndings: readonly (readonly [RegExp, readonly string[]])[] = [
  [/ (?:number|no|nr|num|id|code)$/, [' number', ' no', ' nr', ' id', ' num', ' code', '']],
  [/ date$/, [' date', ' on', ' am', '']],
  [/ (?:amount|total)$/, [' amount', ' total', '']],
  [/ (?:on|at)$/, [' on', ' at', ' date', '']],
  [/ (?:name)$/, [' name', '']],
]

/** The names of a field and variants of them, with weights. */
function phrasesOfField(facts: FieldFacts): Map<string, number> {
  const phrases = new Map<string, number>()
  const add = (phrase: string, weight: number): void => {
    const known = phrases.get(phrase) ?? 0
    if (phrase !== '' && weight > known) phrases.set(phrase, weight)
  }
  const names = facts.path.map(namePhrase)
  const last = names.at(-1) ?? ''
  const { title, description } = facts.schema
  const bases: [string, number][] = [[last, 1]]
  if (names.length > 1) bases.push([names.slice(-2).join(' '), 1])
  if (typeof title === 'string') bases.push([namePhrase(title), 1])
  if (typeof description === 'string') {
    const short = withoutFillers(phraseOf(description))
    if (short !== '' && short.split(' ').length <= descriptionWordsMax)
      bases.push([short, 0.9], [phraseOf(description), 0.95])
    for (const match of description.matchAll(/["'“‘`]([^"'”’`]{2,40})["'”’`]/gu))
      bases.push([phraseOf(match[1] ?? ''), 1])
  }
  for (const [base, weight] of bases) {
    add(base, weight)
    if (base.includes(' ')) add(base.split(' ').reverse().join(' '), weight * 0.7)
    for (const [ending, forms] of sharedEndings) {
      if (!ending.test(base)) continue
      const stem = base.replace(ending, '')
      for (const form of forms) add(stem + form, form === '' ? weight * 0.75 : weight * 0.95)
    }
    const dated = / date$/.test(base) ? base.replace(/ date$/, '') : null
    if (dated !== null) add(`date ${dated}`, weight * 0.9)
    if (dated !== null) add(`date of ${dated}`, weight * 0.95)
  }
  return phrases
}

function wantsPrinted(schema: JsonObject): boolean {
  const { description, examples } = schema
  if (
    typeof description === 'string' &&
    /as (?:it is )?(?:printed|shown|written|stated|is)\b|verbatim|original form/i.test(description)
  )
    return true
  const example = Array.isArray(examples) ? examples[0] : schema['example']
  return typeof example === 'string' && /\d{1,2}[/. -](?:\d{1,2}|\p{L}{3,})[/. -]\d{2,4}/u.test(example)
}

/** Determines a field's meaning from its names, title, description, type and format. */
export function meaningOf(facts: FieldFacts): FieldMeaning {
  const concept = conceptOf(facts)
  return {
    concept,
    kind: kindOf(facts, concept),
    phrases: phrasesOfField(facts),
    path: facts.path.map(namePhrase).join(' '),
    asPrinted: wantsPrinted(facts.schema),
    party: concept?.party ?? partyOfPath(facts.path.slice(0, -1)),
  }
}
