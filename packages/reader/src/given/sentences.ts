import { groupBy } from '@skillrun/core/group-by.ts'
import { phrasesOf } from '../languages/concepts.ts'
import { isUnitFor } from '../languages/units.ts'
import type { Cell, Line, PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Candidate, type Field, inTable, type Sheet, wordConfidence } from '../layout/sheet.ts'
import { type Span, spanOfCells, wordsWithin } from '../layout/spans.ts'
import { phraseOf } from '../layout/text.ts'
import { monthOf } from '../values/dates.ts'
import { currencyNamed, readExactValue, type Shown } from '../values/exact-value.ts'
import { shownNumberStyle } from '../values/numbers.ts'
import type { ParsedValue } from '../values/parsed-values.ts'
import { fits } from '../values/values.ts'

/** The score of a value that a sentence states. */
const statedScore = 0.85
/** Longer sentences state more than one thing. */
const sentenceCharactersMax = 300
/** Longer paragraphs are cut, and longer lines are not running text. */
const paragraphCharactersMax = 20_000
/** The maximum distance between lines of one paragraph, in text heights. */
const lineHeights = 1.7

/** Kinds of values that their form alone separates from the surrounding words; names and texts are not among them. */
const spokenKinds = new Set(['money', 'number', 'integer', 'percent', 'date', 'datetime', 'time', 'id', 'enum'])

const determiners =
  'the|your|our|its|this|my|his|her|der|die|das|ihre?|unsere?|le|la|les|votre|notre|ce|cette|el|los|las|su|nuestr[oa]|il|lo|het|de|uw|ons|onze|o|a|os|as'
const verbs =
  "is|was|are|comes to|came to|amounts to|amounted to|equals|stands at|stood at|ist|war|beträgt|betrug|lautet|beläuft sich auf|est(?: de)?|était(?: de)?|s['’]élève à|es(?: de)?|fue(?: de)?|asciende a|è(?: di)?|ammonta a|bedraagt|é(?: de)?"
const clausePattern = new RegExp(
  `^(?:(?:${determiners})\\s+|l['’])*(?<label>\\p{L}[\\p{L}\\p{N}'’#°º/ -]{0,48}?)\\s+(?:${verbs})\\s+(?<value>\\S.*)$`,
  'diu',
)
/** Separators of clauses. A number after one belongs to the value before it: `80 euros and 50 cents`. */
const jointPattern = /(?:,\s+(?:(?:and|und|et|y|e|en)\s+)?|;\s+|\s+(?:and|und|et|y|e|en)\s+)(?!\d)/giu
/** Words that make a sentence less than a statement. */
const doubtPattern =
  /(?<!\p{L})(?:if|when|unless|whether|suppose|assuming|would|could|should|wenn|falls|würde|si|quand|cuando|se|quando|als|indien)(?!\p{L})/iu
const verbPattern = new RegExp(`(?<!\\p{L})(?:${verbs})\\s`, 'iu')
/** Starts of clauses that refer to an earlier statement: `but is now 89 euros`, `that is wrong`. */
const again =
  'it|this|that|these|those|which|they|he|she|but|however|now|er|sie|es|das|dies|aber|doch|jetzt|nun|il|elle|ce|cela|mais|maintenant|esto|eso|pero|ahora|questo|ma|ora|dit|dat|maar|nu|isso|mas|agora'
const againPattern = new RegExp(`^(?:${again})(?!\\p{L})`, 'iu')
/** A sentence that replaces an earlier figure: `It is 89 euros now.` */
const correctionPattern = new RegExp(
  `^\\s*(?:(?:${again})\\s+)+(?:${verbs})\\s+(?:(?:${again})\\s+)?(?:\\p{Sc}|[A-Z]{3}\\s)?\\s?[-–−]?\\d`,
  'iu',
)
/** Words around a name that limit it to one point in time: `your new total`, `today the balance`. */
const timePattern = new RegExp(
  `^(?:.+\\s(?:${determiners})|new|current|present|latest|updated|revised|corrected|adjusted|final|actual|neuer?|aktueller?|heutiger?|korrigierter?|nouveau|nouvelle|actuel|actuelle|nuevo|nueva|nuovo|nuova|attuale|nieuwe?|huidige?|novo|nova|atual)\\s(?<rest>.+)$`,
  'iu',
)
/** Negations in front of a value. */
const deniedPattern = /^(?:not|never|no longer|no|nicht|nie|kein\p{L}*|pas|jamais|non|niet|geen|não|nunca)(?!\p{L})/iu
const figurePattern = /^(?:\p{Sc}|[A-Z]{3}\s)?\s?[-–−]?\d/u

interface Sentence {
  readonly span: Span
  readonly start: number
  readonly end: number
  readonly page: PageLayout
}

/** A clause that states a value. */
interface Clause {
  readonly sentence: Sentence
  readonly label: string
  readonly labelWords: readonly PlacedWord[]
  readonly value: string
  /** Offset of the value in the text of the sentence's span. */
  readonly start: number
}

const isClose = (above: Line, below: Line): boolean => below.y0 - above.y0 <= lineHeights * above.height

/** True when a line ended because it was full, not because its sentence ended. */
function isWrapped(above: Cell, below: Cell, right: number): boolean {
  const [first] = below.words
  if (first === undefined) return false
  return !/^\p{Lu}/u.test(below.text) || above.x1 + above.line.height * 0.3 + (first.x1 - first.x0) > right
}

/** Lines that continue on the next one, as lists of cells. A line with several cells is not running text; each cell stands alone. */
function* paragraphs(page: PageLayout): Generator<Cell[]> {
  let cells: Cell[] = []
  let length = 0
  const right = page.lines.reduce((most, line) => Math.max(most, line.cells.at(-1)?.x1 ?? 0), 0)
  for (const line of page.lines) {
    const last = cells.at(-1)
    const [only] = line.cells
    const goesOn =
      last !== undefined &&
      only !== undefined &&
      line.cells.length === 1 &&
      length + only.text.length <= paragraphCharactersMax &&
      isClose(last.line, line) &&
      !/[.!?:;]$/.test(last.text) &&
      isWrapped(last, only, right)
    if (goesOn) {
      cells.push(only)
      length += only.text.length
      continue
    }
    if (cells.length > 0) yield cells
    cells = line.cells.length === 1 ? [...line.cells] : []
    length = cells[0]?.text.length ?? 0
    if (line.cells.length > 1) for (const cell of line.cells) yield [cell]
  }
  if (cells.length > 0) yield cells
}

/** The complete sentences of a paragraph: ended by a full stop or by the end of the paragraph. */
function* sentencesOf(cells: readonly Cell[], page: PageLayout): Generator<Sentence> {
  const span = spanOfCells(cells)
  let start = 0
  for (const match of span.text.matchAll(/[.!?](?=\s|$)|$/g)) {
    const after = /^\.\s+(\p{L}+)/u.exec(span.text.slice(match.index))?.[1]
    // `5. Mai 2026`
    if (after !== undefined && /\d/.test(span.text[match.index - 1] ?? '') && monthOf(after) > 0) continue
    const isStatement = match[0] !== '?' && match.index - start <= sentenceCharactersMax
    if (isStatement && match.index > start) yield { span, start, end: match.index, page }
    start = match.index + match[0].length
  }
}

/** The clauses of a sentence when each of them states a value, else none. */
function clausesOf(sentence: Sentence): Clause[] {
  const { span, start, end } = sentence
  const text = span.text.slice(start, end)
  if (!verbPattern.test(text) || doubtPattern.test(text)) return []
  const joints = [...text.matchAll(jointPattern)]
  const starts = [0, ...joints.map((joint) => joint.index + joint[0].length)]
  const ends = [...joints.map((joint) => joint.index), text.length]
  const clauses: Clause[] = []
  for (const [index, from] of starts.entries()) {
    const raw = text.slice(from, ends[index])
    const lead = raw.length - raw.trimStart().length
    const match = clausePattern.exec(raw.trim())
    const [labelAt, valueAt] = [match?.indices?.groups?.['label'], match?.indices?.groups?.['value']]
    if (match === null || labelAt === undefined || valueAt === undefined) return []
    const label = phraseOf(match.groups?.['label'] ?? '')
    if (againPattern.test(label)) return []
    const base = start + from + lead
    clauses.push({
      sentence,
      label,
      labelWords: wordsWithin(span, base + labelAt[0], base + labelAt[1]),
      value: match.groups?.['value'] ?? '',
      start: base + valueAt[0],
    })
  }
  return clauses
}

/**
 * The fields by the phrases that surely name them. A phrase that several fields share names none, except the field with
 * exactly that name.
 */
function fieldsByPhrase(fields: readonly Field[]): Map<string, Field> {
  const named = new Map<string, Set<Field>>()
  const called = new Map<string, Set<Field>>()
  const add = (map: Map<string, Set<Field>>, phrase: string, field: Field): void => {
    map.set(phrase, (map.get(phrase) ?? new Set()).add(field))
  }
  for (const field of fields) {
    const { concept, phrases, path } = field.plan.meaning
    if (!spokenKinds.has(field.plan.meaning.kind)) continue
    add(called, path, field)
    for (const [phrase, weight] of phrases) if (weight >= 0.9) add(named, phrase, field)
    for (const phrase of phrasesOf(concept?.labels)) add(named, phraseOf(phrase), field)
  }
  const found = new Map<string, Field>()
  for (const map of [named, called]) {
    for (const [phrase, [field, ...more]] of map) {
      if (field !== undefined && more.length === 0) found.set(phrase, field)
      else found.delete(phrase)
    }
  }
  return found
}

/** Words in front of a date in a sentence: `ist der 5. Mai 2026`. */
const beforeDay = /^(?:the|on|der|den|am|le|el|il|op|de)\s+/iu

function readClause(field: Field, { value, start }: Clause, shown: Shown): ParsedValue | null {
  const { plan } = field
  const isDay = plan.meaning.kind === 'date' || plan.meaning.kind === 'datetime'
  const skipped = isDay ? (beforeDay.exec(value)?.[0].length ?? 0) : 0
  const reading = readExactValue(plan, value.slice(skipped), shown, (unit) => isUnitFor(plan, unit))
  if (reading === null || !fits(plan, reading)) return null
  return { ...reading, start: start + skipped + reading.start, end: start + skipped + reading.end }
}

/** The currency that follows a figure of a sentence, for a currency field. */
function currencyOf({ value, start }: Clause): ParsedValue | null {
  const match = /^[\d.,'’ ]*\d\s?(?<name>\p{L}[\p{L} .]*|\p{Sc})$/u.exec(value)
  const name = match?.groups?.['name'] ?? ''
  const code = currencyNamed(name)?.code ?? null
  if (code === null) return null
  const from = start + value.length - name.length
  return { start: from, end: from + name.length, value: code, printed: name, fit: 1, derived: name !== code }
}

/** What sentences state about the fields, and the words that name fields without a single value. */
interface Statements {
  readonly candidates: readonly Candidate[]
  readonly unclear: ReadonlyMap<Field, readonly PlacedWord[]>
}

/** The clauses of a paragraph, without those that the next sentence revokes. */
function standing(cells: readonly Cell[], page: PageLayout): Clause[] {
  const sentences = [...sentencesOf(cells, page)]
  const isCorrected = (next: Sentence | undefined): boolean =>
    next !== undefined && correctionPattern.test(next.span.text.slice(next.start, next.end))
  return sentences.flatMap((sentence, at) => (isCorrected(sentences[at + 1]) ? [] : clausesOf(sentence)))
}

function saidBy(sheet: Sheet, fields: readonly Field[]): Statements {
  const known = fieldsByPhrase(fields)
  const currencies = fields.filter((field) => field.plan.meaning.kind === 'currency')
  const texts = sheet.pages.flatMap((page) => page.lines.flatMap((line) => line.cells.map((cell) => cell.text)))
  const shown: Shown = { dates: sheet.conventions.dates, numbers: shownNumberStyle(texts) }
  const found: Candidate[] = []
  const others: { field: Field; clause: Clause; reading: ParsedValue | null }[] = []
  for (const page of sheet.pages) {
    // A misread letter may invert a sentence.
    if (page.page.source === 'ocr') continue
    for (const cells of paragraphs(page)) {
      if (cells.some((cell) => cell.text.length > paragraphCharactersMax || inTable(sheet, cell))) continue
      for (const clause of standing(cells, page)) {
        const named = known.get(clause.label)
        const field = named ?? known.get(timePattern.exec(clause.label)?.groups?.['rest'] ?? '')
        const reading = field === undefined ? null : readClause(field, clause, shown)
        if (named !== undefined) found.push(...candidateOf(named, clause, reading))
        if (field !== undefined && (named === undefined || reading === null)) others.push({ field, clause, reading })
        for (const other of currencies) found.push(...candidateOf(other, clause, currencyOf(clause)))
      }
    }
  }
  return { candidates: found, unclear: unclearFields(found, others) }
}

/** Fields with two stated values, or with one that is unreadable or negated, and the words that name them. */
function unclearFields(
  found: readonly Candidate[],
  others: readonly { readonly field: Field; readonly clause: Clause; readonly reading: ParsedValue | null }[],
): Map<Field, PlacedWord[]> {
  const unclear = new Map<Field, PlacedWord[]>()
  for (const field of new Set([...found, ...others].map((one) => one.field))) {
    const own = found.filter((one) => one.field === field)
    const more = others.filter((one) => one.field === field)
    const values = new Set([
      ...own.map(({ reading }) => reading.value),
      ...more.flatMap(({ reading }) => reading?.value ?? []),
    ])
    const isOpen = more.some(
      ({ clause: { value }, reading }) =>
        reading === null && (deniedPattern.test(value) || (own.length > 0 && figurePattern.test(value))),
    )
    if (values.size < 2 && !isOpen) continue
    unclear.set(field, [...own.flatMap(({ label }) => label), ...more.flatMap(({ clause }) => clause.labelWords)])
  }
  return unclear
}

function candidateOf(field: Field, clause: Clause, reading: ParsedValue | null): Candidate[] {
  if (reading === null || !fits(field.plan, reading)) return []
  const { sentence, labelWords } = clause
  const words = wordsWithin(sentence.span, reading.start, reading.end)
  const score = statedScore * (0.6 + 0.4 * wordConfidence(words))
  return [{ field, reading, words, page: sentence.page, label: labelWords, relation: 'sentence', score }]
}

/**
 * Adds values that sentences state (`The total is 99 euros and the due date is 5 May 2026.`) to labelled candidates,
 * replacing candidates read from the same words. A field with two stated values, or with one stated and another
 * elsewhere, gets none from a sentence.
 */
export function withSentences(sheet: Sheet, fields: readonly Field[], labelled: readonly Candidate[]): Candidate[] {
  const { candidates: said, unclear } = saidBy(sheet, fields)
  const sure = [...groupBy(said, ({ field }) => field)].flatMap(([field, own]) => {
    if (unclear.has(field)) return []
    const values = new Set(own.map(({ reading }) => reading.value))
    const ofSentences = new Set(own.flatMap(({ label }) => label))
    const rivals = labelled.filter(
      (other) => other.field === field && !other.label.some((word) => ofSentences.has(word)),
    )
    return rivals.every(({ reading }) => values.has(reading.value)) ? own : []
  })
  const labels = new Map([...unclear].map(([field, words]) => [field, new Set(words)]))
  for (const { field, label } of sure) {
    const known = labels.get(field) ?? new Set()
    for (const word of label) known.add(word)
    labels.set(field, known)
  }
  const isReplaced = ({ field, label }: Candidate): boolean =>
    label.some((word) => labels.get(field)?.has(word) === true)
  return [...labelled.filter((candidate) => !isReplaced(candidate)), ...sure]
}
