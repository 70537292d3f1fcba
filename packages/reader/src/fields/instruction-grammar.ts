import { meantWords, namesSomebody } from '../languages/form-words.ts'
import { type Called, isGenericName, isOfList, isPartOf, isWithin, type Names, topOf } from './instruction-names.ts'
import {
  type Ask,
  any,
  asking,
  listMark,
  literal,
  many,
  maybe,
  named,
  phrasesAt,
  type Rule,
  type Sentence,
  seq,
  where,
  word,
} from './instruction-rules.ts'
import { plays } from './instruction-words.ts'

const hasSchema = (names: Names): boolean => names.hasSchema
const hasNoSchema = (names: Names): boolean => !names.hasSchema
const hasChoices = (names: Names): boolean => names.hasChoices

const comma = literal(listMark)
const separator = any(seq(comma, maybe(word('and'))), word('and'))
const polite = many(any(word('polite'), comma))
/** "Una los documentos" is no article: it is a verb. */
const determiner: Rule = (sentence, at) =>
  plays('indefinite', sentence.plain[at] ?? '') && plays('determiner', sentence.plain[at + 1] ?? '')
    ? new Map()
    : word('determiner')(sentence, at)
/** Words in front of a noun. */
const lead = many(any(seq(determiner, maybe(word('verbalAdjective'))), word('adjective')))
const determined = seq(determiner, maybe(word('verbalAdjective')), lead)
/** Nothing, or words in front of a particular noun. */
const optionallyDefinite: Rule = (sentence, at) =>
  plays('indefinite', sentence.plain[at] ?? '') ? new Map() : lead(sentence, at)
const definite: Rule = (sentence, at) =>
  plays('indefinite', sentence.plain[at] ?? '') ? new Map() : determined(sentence, at)
const stated = maybe(word('stated'))

const isPaper = named((names, phrase) => names.isDocument(phrase), [{ what: 'all', phrase: '' }])
/** Somebody a paper or data is about, in front of it: "the patient form". */
const about = where(
  hasSchema,
  named((_, phrase) => !phrase.includes(' ') && namesSomebody(meantWords(phrase))),
)
const paper = any(asking('all', 'paper'), isPaper, seq(about, maybe(about), asking('all', 'paper')))
const papers = any(paper, asking('all', 'papers'))
const onePlace = any(word('paper', 'carrier', 'text', 'table'), isPaper)
const places = seq(any(onePlace, word('papers', 'carriers')), maybe(any(onePlace, word('papers', 'carriers'))))
/** Matches without requesting anything: text after "of" only says where. */
const quiet =
  (rule: Rule): Rule =>
  (sentence, at) =>
    new Map([...rule(sentence, at).keys()].map((end) => [end, []]))

/** "Of an invoice" says whose; "in an invoice" would be where to write. */
const preposition = any(seq(word('of'), lead), seq(word('placeOf'), optionallyDefinite), seq(word('inside'), definite))
const placed = (place: Rule): Rule => quiet(any(seq(stated, preposition, place), ofIt))
const ofIt = seq(word('of', 'placeOf', 'inside'), word('it'))
const inPlace = placed(places)
/** A single label of a picture, a text or a table may be a description, a count or a sum. */
const insideOnePlace = quiet(
  any(
    seq(
      stated,
      any(seq(word('source', 'placeOf'), optionallyDefinite), seq(word('inside'), definite)),
      seq(onePlace, maybe(onePlace)),
    ),
    ofIt,
  ),
)
const ofOneDocument = quiet(
  seq(stated, word('of'), lead, any(paper, word('carrier')), maybe(any(paper, word('carrier')))),
)
const inOnePlace = placed(seq(onePlace, maybe(onePlace)))
const formLead = many(word('determiner', 'adjective', 'formAdjective'))
/** "According to schema", "into the schema", "as JSON schema"; not "into a schema". */
const inSchema = any(
  seq(word('following'), optionallyDefinite, word('schemaForm')),
  seq(word('as', 'inside'), definite, word('schemaForm')),
)
const inForm = any(seq(word('as'), formLead, word('form')), inSchema)

interface Label {
  readonly phrase: string
  readonly end: number
  readonly fields: readonly Called[]
  /** Many are wanted of what the schema has once: "the customers". */
  readonly isTooMany: boolean
}

/** "Des Kunden" is one: the ending "-n" marks other cases, too. */
const isGermanSingular = (before = '', phrase: string): boolean => phrase.endsWith('n') && plays('singular', before)

/** Whether a plural names one field that the schema has once. Several fields of a kind are many: "the dates". */
const wantsMany = (fields: readonly Called[]): boolean =>
  fields.every(({ field, isPlural }) => isPlural && !isOfList(field)) &&
  new Set(fields.map(({ field }) => topOf(field))).size === 1

/** Labels that start at a position. A bare "no" is a negation, even though it means number in "invoice no". */
const labelsAt = ({ plain, folded, names }: Sentence, at: number): Label[] =>
  phrasesAt(folded, at)
    .map(([phrase, end]) => {
      const fields = names.fields(phrase)
      return { phrase, end, fields, isTooMany: wantsMany(fields) && !isGermanSingular(plain[at - 1], phrase) }
    })
    .filter(({ end, fields }) => fields.length > 0 && (end > at + 1 || !['no', 'n'].includes(plain[at] ?? '')))

/** A label and what may follow it. */
const labelThen =
  (rest: (label: Label) => Rule): Rule =>
  (sentence, at) => {
    const ends = new Map<number, readonly Ask[]>()
    for (const label of labelsAt(sentence, at).filter(({ isTooMany }) => !isTooMany))
      for (const [end] of rest(label)(sentence, label.end))
        if (!ends.has(end)) ends.set(end, [{ what: 'label', phrase: label.phrase }])
    return ends
  }

const label = labelThen(() => stated)

/** A label whose fields satisfy a condition. */
const labelWhere =
  (accepts: (fields: readonly Called[], oneByOne: boolean) => boolean): Rule =>
  (sentence, at) => {
    const before = sentence.plain
      .slice(0, at)
      .findLastIndex((one) => !plays('determiner', one) && !plays('adjective', one))
    const oneByOne = sentence.plain.slice(before + 1, at).some((one) => plays('each', one))
    return new Map(
      labelsAt(sentence, at).flatMap(({ fields, end, isTooMany }) =>
        !isTooMany && accepts(fields, oneByOne) ? [[end, []]] : [],
      ),
    )
  }

/** "The name of the vendor", "the vendor's name": one label is a part of the other. */
const labelOfLabel = where(
  hasSchema,
  any(
    labelThen(({ fields }) =>
      seq(
        word('of'),
        lead,
        labelWhere((whole, oneByOne) => isPartOf(fields, whole, oneByOne)),
        maybe(inOnePlace),
      ),
    ),
    labelThen(({ fields }) =>
      seq(
        literal('s'),
        labelWhere((part) => isPartOf(part, fields, false)),
      ),
    ),
  ),
)

/** A single thing across many documents is a sum or a count: "the total of all invoices", "the number of invoices". */
const labelInPlace = labelThen(({ phrase, fields }) => {
  if (fields.some(({ isPlural }) => isPlural)) return inPlace
  return fields.some(({ field }) => isOfDocument(field, phrase)) ? any(ofOneDocument, insideOnePlace) : insideOnePlace
})

/** Whether a document has one of it. Generic names, such as "name", are of the document only at the top of the schema. */
const isOfDocument = (field: Called['field'], phrase: string): boolean =>
  !isOfList(field) && (field.parent === null || !isGenericName(phrase))

/** "The line items with their prices": the parts of a list or object. */
const labelWithParts = labelThen(({ fields }) =>
  seq(
    word('with'),
    optionallyDefinite,
    labelWhere((parts) => isWithin(parts, fields)),
    maybe(inOnePlace),
  ),
)

const withParts = seq(
  word('with'),
  lead,
  any(
    labelWhere((fields) => fields.some(({ field }) => field.hasParts)),
    word('data'),
  ),
)
const textOrTables = where(hasNoSchema, any(asking('all', 'text', 'content'), asking('tables', 'table')))

const fieldsThemselves = any(
  seq(textOrTables, maybe(inPlace)),
  seq(
    maybe(quiet(any(paper, about))),
    asking('all', 'data'),
    many(any(inPlace, withParts, seq(word('stated'), inForm))),
  ),
  label,
  labelOfLabel,
  labelInPlace,
  where(hasSchema, seq(quiet(onePlace), literal('s'), label)),
)
/** Fields by their labels, or everything. */
const fields = seq(any(fieldsThemselves, labelWithParts), maybe(inForm))
/** "The invoice total". Without a verb and an article, "order items" would be a request to order. */
const ofPaper = where(hasSchema, seq(quiet(paper), label, maybe(inForm)))
const documentTail = seq(many(any(inPlace, withParts)), maybe(inForm))
const document = seq(papers, maybe(papers), documentTail)
/** "The inputs for an invoice". */
const forPaper = maybe(seq(word('for'), lead, quiet(papers)))
const carrier = seq(asking('all', 'carrier', 'carriers'), maybe(papers), forPaper, documentTail)

const taken = seq(lead, any(document, fields, ofPaper))
const given = seq(lead, any(fields, ofPaper))
/** A list item without a verb. A document type, or a label that may be a verb, needs an article. */
const bare = any(seq(lead, fields), seq(determined, any(papers, ofPaper), documentTail))
const first = any(where(hasSchema, bare), seq(determined, fields), seq(lead, textOrTables, maybe(inPlace)))
const it = seq(word('it'), many(any(inPlace, inForm)))
const answerInForm = seq(any(word('answer'), word('it')), inForm)
const justForm = where(
  hasSchema,
  seq(
    many(word('determiner', 'adjective', 'formAdjective')),
    maybe(word('as')),
    any(word('json'), answerInForm),
    maybe(word('formAdjective')),
    maybe(inForm),
  ),
)

const adverbs = many(any(word('adverb'), word('polite')))
const verbPhrase = any(
  seq(word('take', 'read'), adverbs, taken, adverbs),
  seq(asking('all', 'take', 'read'), adverbs, maybe(it), adverbs),
  seq(word('read'), adverbs, lead, carrier, adverbs),
  where(hasSchema, seq(word('process'), lead, any(document, carrier))),
  seq(word('give'), adverbs, any(given, justForm), adverbs),
  seq(word('provide'), adverbs, any(seq(lead, any(fieldsThemselves, ofPaper), maybe(inForm)), justForm), adverbs),
  where(hasSchema, seq(word('fill'), many(any(inPlace, withParts, inForm)))),
  where(hasSchema, seq(word('fillFields'), maybe(seq(word('source'), optionallyDefinite, places)))),
  where(hasSchema, seq(word('convert'), lead, any(document, carrier, fields, word('it')), inForm)),
  // "Bitte die Rechnung auslesen".
  seq(taken, word('take', 'read')),
  seq(given, word('give')),
)

const choice = seq(
  lead,
  named((names, phrase) => names.isChoice(phrase)),
)
const choices = seq(choice, many(seq(separator, choice)))
const choosing = where(
  hasChoices,
  any(
    seq(word('choose'), lead, any(places, word('it')), maybe(seq(word('as'), choices))),
    seq(word('question'), word('kind'), word('of'), lead, places, maybe(word('copula')), maybe(word('it'))),
  ),
)

const asked = seq(lead, any(label, labelOfLabel, labelInPlace, ofPaper))
const printed = maybe(seq(word('copula'), maybe(any(inPlace, word('stated')))))
/** "How much is the total?" Of a list it would be a sum, of a text its length. */
const oneNumber = labelWhere((all) => all.some(({ field, isPlural }) => field.isNumber && !field.isList && !isPlural))
const question = where(
  hasSchema,
  any(
    seq(word('question'), maybe(word('copula')), asked, printed),
    seq(word('measure'), maybe(word('copula')), lead, oneNumber, maybe(any(ofOneDocument, insideOnePlace)), printed),
  ),
)

/** "Amounts are numbers": requests nothing, as values have that form anyway. */
const formOfValues = where(
  hasSchema,
  seq(lead, any(word('valueKind'), label), word('copula', 'modal'), maybe(word('as')), lead, word('form', 'valueForm')),
)

const request = seq(maybe(word('opening')), polite, any(verbPhrase, choosing))
const clause = (items: Rule): Rule => seq(any(request, question, formOfValues, items), adverbs)

/** A sentence that requests reading. */
export const reading = seq(
  many(any(separator, word('polite'))),
  clause(first),
  many(seq(separator, polite, clause(bare))),
  polite,
)

export const greeting = seq(word('polite'), polite)

/** The name of a document alone, as in a heading, requests nothing. */
export const heading = quiet(seq(lead, papers))

const role = many(word('determiner', 'role'))
/** "You are an expert in reading invoices." */
export const roleOf = seq(
  word('youAre'),
  role,
  word('role'),
  maybe(
    any(
      seq(word('of', 'inside', 'for'), maybe(word('take', 'read')), any(taken, seq(lead, carrier))),
      seq(word('who'), verbPhrase, many(seq(separator, any(verbPhrase, bare)))),
    ),
  ),
)

const orNot = seq(many(comma), word('or'), maybe(word('not')))
const forbidden = seq(word('forbidden'), many(any(orNot, word('forbidden'))))
const object = seq(lead, any(word('anything', 'data', 'text', 'it', 'paper', 'papers'), label))
/** "Do not guess": forbids only what the engine never does. */
export const promise = any(
  seq(word('not'), forbidden, maybe(word('not')), maybe(object)),
  seq(maybe(object), word('forbidden'), word('not')),
)

const ofNull = word('nullWord', 'null', 'missing', 'found', 'not', 'determiner', 'of', 'data')
/** Words that say when a field is null. At most one field, since no field depends on another. */
export const nullRule = many(any(ofNull, comma, label))
