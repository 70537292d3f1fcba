import { type Called, isPartOf, isWithin, type Names } from './instruction-names.ts'
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
const lead = many(word('determiner', 'adjective'))
const stated = maybe(word('stated'))

const isPaper = named((names, phrase) => names.isDocument(phrase), [{ what: 'all', phrase: '' }])
const paper = any(asking('all', 'paper'), isPaper)
const papers = any(paper, asking('all', 'papers'))
const onePlace = any(word('paper', 'carrier', 'text', 'table'), isPaper)
const places = seq(any(onePlace, word('papers', 'carriers')), maybe(any(onePlace, word('papers', 'carriers'))))
/** Matches without requesting anything: text after "of" only says where. */
const quiet =
  (rule: Rule): Rule =>
  (sentence, at) =>
    new Map([...rule(sentence, at).keys()].map((end) => [end, []]))

const placed = (place: Rule): Rule =>
  quiet(any(seq(stated, any(seq(word('of'), lead), seq(word('inside'), word('determiner'), lead)), place), ofIt))
const ofIt = seq(word('of', 'inside'), word('it'))
const inPlace = placed(places)
const inOnePlace = placed(seq(onePlace, maybe(onePlace)))
const inForm = seq(word('as'), many(word('determiner', 'adjective', 'formAdjective')), word('form'))

interface Label {
  readonly phrase: string
  readonly end: number
  readonly fields: readonly Called[]
}

/** Labels that start at a position. A bare "no" is a negation, even though it means number in "invoice no". */
const labelsAt = ({ plain, folded, names }: Sentence, at: number): Label[] =>
  phrasesAt(folded, at)
    .map(([phrase, end]) => ({ phrase, end, fields: names.fields(phrase) }))
    .filter(({ end, fields }) => fields.length > 0 && (end > at + 1 || !['no', 'n'].includes(plain[at] ?? '')))

/** A label and what may follow it. */
const labelThen =
  (rest: (label: Label) => Rule): Rule =>
  (sentence, at) => {
    const ends = new Map<number, readonly Ask[]>()
    for (const label of labelsAt(sentence, at))
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
    return new Map(labelsAt(sentence, at).flatMap(({ fields, end }) => (accepts(fields, oneByOne) ? [[end, []]] : [])))
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
const labelInPlace = labelThen(({ fields }) => (fields.some(({ isPlural }) => isPlural) ? inPlace : inOnePlace))

/** "The line items with their prices": the parts of a list or object. */
const labelWithParts = labelThen(({ fields }) =>
  seq(
    word('with'),
    lead,
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

/** Fields by their labels, or everything. */
const fields = seq(
  any(
    seq(textOrTables, maybe(inPlace)),
    seq(maybe(quiet(paper)), asking('all', 'data'), many(any(inPlace, withParts, seq(word('stated'), inForm)))),
    label,
    labelOfLabel,
    labelInPlace,
    labelWithParts,
    where(hasSchema, seq(quiet(onePlace), literal('s'), label)),
  ),
  maybe(inForm),
)
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
const bare = any(seq(lead, fields), seq(word('determiner'), lead, any(papers, ofPaper), documentTail))
const first = any(
  where(hasSchema, bare),
  seq(word('determiner'), lead, fields),
  seq(lead, textOrTables, maybe(inPlace)),
)
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
  where(hasSchema, seq(word('fill'), many(any(inPlace, withParts, inForm)))),
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
const question = where(
  hasSchema,
  seq(word('question'), maybe(word('copula')), asked, maybe(seq(word('copula'), maybe(any(inPlace, word('stated')))))),
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
