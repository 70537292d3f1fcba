import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { type Concept, concepts, phrasesOf } from '../languages/concepts.ts'
import { customerBlockLabels, recipientBlockLabels, vendorBlockLabels } from '../languages/concepts-parties.ts'
import { namePhrase, phraseOf, tokensOf } from '../layout/text.ts'
import * as lexicon from './instruction-words.ts'

/** What an instruction may speak of beside the engine's own words. */
export interface InstructionScope {
  /** The schema of the answer; null: text, tables and facts are wanted. */
  readonly schema: JsonSchema | null
  /** Names of the inputs. */
  readonly inputs: readonly string[]
}

/** Whether rules can carry an instruction out. */
export type Explained =
  /** `named`: what is asked for by name where there is no schema, which the document has to label so. */
  | { readonly accepted: true; readonly named: readonly string[] }
  /** `because`: the part that is not accounted for, as it stands there. */
  | { readonly accepted: false; readonly because: string }

type Category =
  | 'verb'
  | 'choose'
  | 'forming'
  | 'aggregate'
  | 'collection'
  | 'dative'
  | 'kind'
  | 'polite'
  | 'opening'
  | 'wish'
  | 'determiner'
  | 'genitive'
  | 'qualifier'
  | 'preposition'
  | 'as'
  | 'and'
  | 'pronoun'
  | 'copula'
  | 'modal'
  | 'question'
  | 'text'
  | 'document'
  | 'data'
  | 'media'
  | 'form'
  | 'named'

/** Words of one meaning: the longest known phrase at a place of a sentence. */
interface Unit {
  readonly text: string
  readonly is: ReadonlySet<Category>
  /** A comma, or another mark of a list, stands before it. */
  readonly opensPart?: boolean
}

type Lexicon = ReadonlyMap<string, ReadonlySet<Category>>

interface Vocabulary {
  readonly general: Lexicon
  /** What the schema and the inputs name. */
  readonly own: ReadonlySet<string>
  readonly hasSchema: boolean
  readonly hasChoices: boolean
}

const phraseWordsMax = 7
/** A longer text is no instruction that rules could follow, whatever it says. */
const sentencesMax = 400
const charactersMax = 40_000
const sentenceWordsMax = 60
const shownCharactersMax = 80

let known: Lexicon | undefined

/** The words of all categories, made when the first instruction comes. */
function generalLexicon(): Lexicon {
  if (known) return known
  const entries = new Map<string, Set<Category>>()
  const add = (phrases: readonly string[], category: Category): void => {
    for (const phrase of phrases) {
      const folded = phraseOf(phrase)
      const categories = entries.get(folded)
      if (categories) categories.add(category)
      else entries.set(folded, new Set([category]))
    }
  }
  add(lexicon.readingVerbs, 'verb')
  add(lexicon.choosingVerbs, 'choose')
  add(lexicon.fillingPhrases, 'verb')
  add(lexicon.formingVerbs, 'forming')
  add(lexicon.datives, 'dative')
  add(lexicon.politeWords, 'polite')
  add(lexicon.openings, 'opening')
  add(lexicon.wishes, 'wish')
  add(lexicon.determiners, 'determiner')
  add(lexicon.genitives, 'genitive')
  add(lexicon.qualifiers, 'qualifier')
  add(lexicon.prepositions, 'preposition')
  add(lexicon.formPrepositions, 'as')
  add(lexicon.conjunctions, 'and')
  add(lexicon.pronouns, 'pronoun')
  add(lexicon.copulas, 'copula')
  add(lexicon.modals, 'modal')
  add(lexicon.questions, 'question')
  add(lexicon.textNouns, 'text')
  add(lexicon.documentNouns, 'document')
  add(lexicon.dataNouns, 'data')
  add(lexicon.mediaNouns, 'media')
  add(lexicon.formNouns, 'form')
  // What is a small word of some language says nothing as the label that it may be, too.
  const small = new Set(entries.keys())
  for (const { labels, weak } of concepts) {
    const phrases = [...phrasesOf(labels), ...phrasesOf(weak)].filter((phrase) => !isRequestToPay.test(phrase))
    const all = phrases.map(phraseOf).flatMap((phrase) => [phrase, pluralOf(phrase)])
    add(
      all.filter((phrase) => !small.has(phrase) && !endsOpen(phrase, entries)),
      'data',
    )
  }
  for (const label of lexicon.workLabels.map(phraseOf)) entries.get(label)?.delete('data')
  add(lexicon.aggregates, 'aggregate')
  add(lexicon.collections, 'collection')
  add(lexicon.kindNouns, 'kind')
  known = entries
  return known
}

interface Named {
  /** What a schema may call it. */
  readonly names: readonly string[]
  readonly labels: readonly string[]
}

/** What the parties of a document are called over their blocks. */
const partyBlocks: readonly Pick<Concept, 'id' | 'names' | 'labels' | 'weak'>[] = [
  { id: 'vendor', labels: vendorBlockLabels },
  { id: 'customer', labels: customerBlockLabels },
  { id: 'recipient', labels: recipientBlockLabels },
]

let conceptNames: readonly Named[] | undefined

/** Every concept with its names and its labels, folded. */
const namedConcepts = (): readonly Named[] => {
  conceptNames ??= [...concepts, ...partyBlocks].map(({ id, names, labels, weak }) => {
    const printed = [...phrasesOf(labels), ...phrasesOf(weak)].map(phraseOf)
    return {
      names: [namePhrase(id), ...phrasesOf(names).map(phraseOf), ...phrasesOf(labels).map(phraseOf)],
      labels: printed,
    }
  })
  return conceptNames
}

/** Labels such as "please pay this amount" are sentences of the document's own. */
const isRequestToPay = /^(?:please|pay|remit)\b/i

/** "Invoice to" is a label, but of a request the beginning of what follows. */
const endsOpen = (phrase: string, entries: Lexicon): boolean => {
  const last = entries.get(phrase.split(' ').at(-1) ?? '')
  return phrase.includes(' ') && (last?.has('preposition') === true || last?.has('as') === true)
}

/** Words that would say nothing as names. */
const smallCategories: readonly Category[] = ['determiner', 'preposition', 'and', 'as', 'copula', 'pronoun', 'question']
const isSmall = (phrase: string): boolean =>
  smallCategories.some((category) => generalLexicon().get(phrase)?.has(category)) || isRequestToPay.test(phrase)

/** Every word and phrase that the names, titles and allowed values of a schema are made of, and the labels of what they mean. */
function ownWords({ schema, inputs }: InstructionScope): { own: Set<string>; hasChoices: boolean } {
  const own = new Set<string>()
  const fields = new Set<string>()
  let hasChoices = false
  const add = (name: string): void => {
    const phrase = namePhrase(name)
    if (phrase === '') return
    for (const one of [phrase, ...phrase.split(' ')]) own.add(one).add(pluralOf(one))
  }
  for (const input of inputs) add(input)
  const pending: { node: Json; within: string }[] = schema === null ? [] : [{ node: schema, within: '' }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, within } = next
    if (Array.isArray(node)) for (const item of node) pending.push({ node: item, within })
    if (!isJsonObject(node)) continue
    const { properties, title, enum: choices, ...rest } = node
    if (isJsonObject(properties))
      for (const [name, property] of Object.entries(properties)) {
        add(name)
        const phrase = namePhrase(name)
        fields.add(phrase).add(`${within} ${phrase}`.trim())
        pending.push({ node: property, within: phrase })
      }
    if (typeof title === 'string') add(title)
    if (Array.isArray(choices)) {
      hasChoices = true
      for (const choice of choices) if (typeof choice === 'string') add(choice)
    }
    for (const value of Object.values(rest)) pending.push({ node: value, within })
  }
  // A field goes by every label of what it means.
  for (const { names, labels } of namedConcepts())
    if (names.some((name) => fields.has(name)))
      for (const label of labels) if (!isSmall(label) && !endsOpen(label, generalLexicon())) own.add(label)
  return { own, hasChoices }
}

const pluralOf = (word: string): string =>
  word.endsWith('s') ? word.slice(0, -1) : word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`

/**
 * Whether everything in an instruction is accounted for by what rules do: read text, tables and data out of documents, into a
 * schema where there is one. Sentence by sentence, each word has to be one of reading, of documents, or of the schema's own
 * names, and they have to stand so that no noun is a verb ("total the amounts"). What is left unexplained is a language model's work.
 */
export function explainInstruction(text: string, scope: InstructionScope): Explained {
  if (text.trim() === '') return { accepted: true, named: [] }
  const { own, hasChoices } = ownWords(scope)
  const vocabulary = { general: generalLexicon(), own, hasSchema: scope.schema !== null, hasChoices }
  const sentences = sentencesOf(text)
  if (sentences.length > sentencesMax || text.length > charactersMax) return refused(text)
  const named: string[] = []
  let isRequest = scope.schema !== null
  for (const sentence of sentences) {
    const explained = explainSentence(sentence, vocabulary)
    if (!explained.accepted) return explained
    named.push(...explained.named)
    isRequest ||= explained.isRequest === true
  }
  // "Hello" asks for nothing that could be read.
  return isRequest ? { accepted: true, named: [...new Set(named)] } : refused(text)
}

const refused = (because: string): Explained => {
  const line = because.replace(/\s+/gu, ' ').trim()
  return { accepted: false, because: line.length > shownCharactersMax ? `${line.slice(0, shownCharactersMax)}…` : line }
}

interface Sentence {
  readonly text: string
  readonly isQuestion: boolean
}

/** The sentences and list items of a text, without the marks of Markdown around them. */
function sentencesOf(text: string): Sentence[] {
  return text
    .split(/\n/u)
    .map((line) =>
      line
        .replace(/^\s*(?:#{1,6}\s+|>\s*|[-*•–]\s+|\d{1,3}[.)]\s+)+/u, '')
        .replace(/[*_]{1,3}(?=[\p{L}])|(?<=[\p{L}.:,])[*_]{1,3}/gu, ' '),
    )
    .flatMap((line) => line.split(/(?<=[.!?;:])(?=\s|$)/u))
    .map((part) => ({ text: part.trim(), isQuestion: /\?\s*$/u.test(part) }))
    .filter((part) => /[^\s.,;:!?¡¿-]/u.test(part.text))
}

/** Marks that say nothing. Any other one, such as a sum's plus or an arrow, is part of what is asked. */
const silentMarks = /[\s\p{L}\p{M}\p{N}.,;:!?¡¿'’`()[\]/&#%_–—-]/u
const listMark = /[,;:()[\]/&]|\s[–—-]\s/u

/** `isRequest`: it asks for something, and is not only polite or a promise. */
function explainSentence({ text, isQuestion }: Sentence, vocabulary: Vocabulary): Explained & { isRequest?: true } {
  if ([...text].some((letter) => !silentMarks.test(letter))) return refused(text)
  const tokens = tokensOf(text)
  const words = tokens.map((token) => token.text)
  if (words.length > sentenceWordsMax) return refused(text)
  const isPromise = isAssurance(words) || isRole(words, vocabulary) || isAboutNull(words, vocabulary)
  if (isPromise || isForbidden(text, words, vocabulary)) return accepted
  const units: Unit[] = []
  for (let at = 0; at < words.length; ) {
    const unit = unitAt(words, at, vocabulary)
    const token = tokens[at]
    if (unit === undefined || token === undefined) return refused(token ? text.slice(token.start, token.end) : text)
    const before = tokens[at - 1]
    units.push({ ...unit, opensPart: before !== undefined && listMark.test(text.slice(before.end, token.start)) })
    at += unit.text.split(' ').length
  }
  const named = explainUnits(units, { isQuestion, vocabulary })
  if (!named) return refused(text)
  const isRequest = units.some(({ is }) => !is.has('polite'))
  return { accepted: true, named, ...(isRequest ? { isRequest: true } : {}) }
}

/** The longest known phrase that begins at a word, with every meaning that it has. */
function unitAt(words: readonly string[], at: number, { general, own }: Vocabulary): Unit | undefined {
  for (let length = Math.min(phraseWordsMax, words.length - at); length > 0; length--) {
    const text = words.slice(at, at + length).join(' ')
    const categories = general.get(text)
    if (!categories && !own.has(text)) continue
    return { text, is: own.has(text) ? new Set([...(categories ?? []), 'named']) : (categories ?? new Set()) }
  }
  return undefined
}

const isNoun = ({ is }: Unit): boolean =>
  is.has('text') || is.has('document') || is.has('data') || is.has('media') || is.has('form') || is.has('named')

/** What a sentence names, or undefined where its words do not stand as a request to read stands. */
function explainUnits(
  all: readonly Unit[],
  { isQuestion, vocabulary }: { isQuestion: boolean; vocabulary: Vocabulary },
): readonly string[] | undefined {
  const plain = all.filter(({ is }) => !is.has('polite'))
  const units = plain[0]?.is.has('opening') ? plain.slice(1) : plain
  const [first] = units
  if (first === undefined) return []
  if (first.is.has('copula') && !isNoun(first)) return undefined
  const hasVerb = units.some(({ is }) => is.has('verb'))
  const asks = units.some(({ is }) => is.has('question') && !is.has('verb')) || (isQuestion && !hasVerb)
  if (asks && !hasVerb && !isAnswered(units, vocabulary)) return undefined
  const named: string[] = []
  for (const part of partsOf(units)) {
    const found = explainPart(part, vocabulary)
    if (!found) return undefined
    named.push(...found)
  }
  return named
}

/** Whether a question, or a part of one, is answered by fields of the schema alone. */
function isAnswered(units: readonly Unit[], { hasSchema, hasChoices }: Vocabulary): boolean {
  const isField = ({ is }: Unit): boolean => is.has('named') || is.has('media') || (is.has('kind') && hasChoices)
  const isOther = (unit: Unit): boolean =>
    unit.is.has('data') && !isField(unit) && !unit.is.has('document') && !unit.is.has('form')
  return hasSchema && units.some(isField) && !units.some(isOther)
}

/** The parts of a sentence: at each comma and each "and". */
function partsOf(units: readonly Unit[]): Unit[][] {
  const parts: Unit[][] = [[]]
  for (const unit of units) {
    if (unit.opensPart) parts.push([])
    const joins = unit.is.has('and') && !(unit.is.has('preposition') && unit.text !== 'en') && !unit.is.has('named')
    if (joins) parts.push([])
    else parts.at(-1)?.push(unit)
  }
  return parts.filter((part) => part.length > 0)
}

/** "Give it a title": a pronoun that something is given to. */
const isGivenTo = (unit: Unit): boolean =>
  unit.is.has('pronoun') && !unit.is.has('determiner') && !unit.is.has('copula') && !isNoun(unit)

const functionWords: readonly Category[] = [
  'determiner',
  'genitive',
  'qualifier',
  'preposition',
  'as',
  'pronoun',
  'copula',
  'modal',
  'question',
  'dative',
]

/** What one part names where it stands as a request to read, or undefined. */
function explainPart(part: readonly Unit[], vocabulary: Vocabulary): readonly string[] | undefined {
  const { hasSchema, hasChoices } = vocabulary
  const last = part.at(-1)
  const formsAnswer = part.some(({ is }) => is.has('as')) && last?.is.has('form') === true
  const isVerb = ({ is }: Unit): boolean =>
    is.has('verb') || is.has('wish') || (is.has('choose') && hasChoices) || (is.has('forming') && formsAnswer)
  const hasVerb = part.some(isVerb)
  const asks = part[0]?.is.has('question') === true && !part[0].is.has('verb')
  if (asks && part.some(isNoun) && !isAnswered(part, vocabulary)) return undefined
  const named: string[] = []
  let before: Unit | undefined
  let sum: Unit | undefined
  for (const [index, unit] of part.entries()) {
    const { is } = unit
    const noun = isNoun(unit)
    if (!noun && !isVerb(unit) && !functionWords.some((category) => is.has(category))) return undefined
    const determines = is.has('determiner') && !is.has('as') && !is.has('genitive') && !is.has('preposition') && !noun
    // A noun right before an article is a verb: "total the amounts".
    if (determines && before && isNoun(before) && !isVerb(before)) return undefined
    // "Give the customer …": what is given to somebody is not read.
    if (is.has('dative') && !before?.is.has('preposition')) return undefined
    if (determines && before && isGivenTo(before)) return undefined
    // "The sum of the items" is to be worked out; "the total of the invoice" is printed.
    if (noun && sum && is.has('collection')) return undefined
    if (is.has('aggregate')) sum = unit
    // "Sum them", and "order it": a thing that was named before is worked on.
    if (is.has('pronoun') && !is.has('determiner') && !noun && !hasVerb && !asks) return undefined
    if ((is.has('copula') || is.has('modal')) && !noun && index === 0) return undefined
    if (is.has('modal') && asks) return undefined
    // Two nouns without a verb before them are one thing only where the first says of which document it is.
    const isPair = noun && before !== undefined && isNoun(before) && !hasVerb && !asks
    if (isPair && !before?.is.has('document') && !before?.is.has('named') && !is.has('form')) return undefined
    if (noun && is.has('media') && !hasSchema && is.size === 1) return undefined
    if (noun && !hasSchema && !is.has('text') && !is.has('document') && !is.has('form') && !isVerb(unit))
      named.push(unit.text)
    const isForm = before?.is.has('as') && !before.is.has('preposition')
    if (isForm && !is.has('form') && !is.has('named') && !functionWords.some((one) => is.has(one))) return undefined
    if (is.has('as') && !is.has('preposition') && last && !last.is.has('form') && !last.is.has('named'))
      return undefined
    before = unit
  }
  return hasVerb || part.some(isNoun) || part.every(({ is }) => is.has('qualifier') || is.has('question'))
    ? named
    : undefined
}

const accepted: Explained = { accepted: true, named: [] }

const foldedSet = (list: readonly string[]): ReadonlySet<string> => new Set(list.map(phraseOf))
const assurances = foldedSet(lexicon.assurances)
const forbidders = foldedSet(lexicon.forbidders)
const forbidden = foldedSet(lexicon.forbidden)
const nullWords = foldedSet(lexicon.nullWords)
const nullConditions = foldedSet(lexicon.nullConditions)
const roleWords = foldedSet(lexicon.roleWords)
const nulls = new Set(['null', 'empty', 'blank', 'leer', 'vide', 'vacio', 'vuoto', 'leeg'])
const roleOpenings = new Set(['you', 'act', 'du', 'sie', 'tu', 'vous', 'eres', 'sei'])

const isAssurance = (words: readonly string[]): boolean => assurances.has(words.join(' '))

const isKnown = (word: string, { general, own }: Vocabulary): boolean => general.has(word) || own.has(word)

/** "You are an expert in reading invoices." */
const isRole = (words: readonly string[], vocabulary: Vocabulary): boolean =>
  roleOpenings.has(words[0] ?? '') &&
  roleWords.has(words[1] ?? '') &&
  words.every((word) => roleWords.has(word) || isKnown(word, vocabulary))

/** "Use null where a field is missing." */
const isAboutNull = (words: readonly string[], vocabulary: Vocabulary): boolean =>
  words.some((word) => nulls.has(word)) &&
  words.some((word) => nullConditions.has(word)) &&
  words.every((word) => nullWords.has(word) || isKnown(word, vocabulary))

/** "Do not guess": what is forbidden is nothing that the engine does. */
function isForbidden(text: string, words: readonly string[], vocabulary: Vocabulary): boolean {
  const joined = ` ${words.join(' ')} `
  if (![...forbidders].some((phrase) => joined.includes(` ${phrase} `))) return false
  const rest = words.filter((word) => !forbidden.has(word))
  if (rest.length === words.length) return false
  const isOf = (word: string, categories: readonly Category[]): boolean =>
    categories.some((category) => vocabulary.general.get(word)?.has(category))
  const small = new Set(['do', 'don', 't', 'not', 'never', 'pas', 'nicht', ...forbidders])
  const bare: readonly Category[] = ['and', 'qualifier']
  const objects: readonly Category[] = [...bare, 'determiner', 'preposition', 'pronoun', 'text', 'document', 'data']
  // Behind a comma another request may stand.
  const allowed = text.includes(',') ? bare : objects
  return rest.every((word) => small.has(word) || (isOf(word, allowed) && !isOf(word, ['verb'])))
}
