import type { Json } from '@skillrun/core/json.ts'
import type { LabelIndex } from '../labels/labels.ts'
import { findConcept } from '../languages/concepts.ts'
import type { Cell, Line, PageLayout } from '../layout/layout.ts'
import { keptBy } from '../layout/remembered.ts'
import { type Field, inTable, type Relation, type Sheet } from '../layout/sheet.ts'
import { phraseOf } from '../layout/text.ts'
import { bottomOf, cellBelow, edgeNames, edgesOf } from './block-edges.ts'
import { labelComparer, type TextLikeness } from './label-likeness.ts'
import type { Cut, Span, SpanCandidate } from './spans.ts'

/** The rules' answer for a field. */
export interface RuleAnswer {
  readonly value: Json
  /** Its confidence, 0 to 1. */
  readonly confidence: number
  readonly relation: Relation | null
  /** Found and then withdrawn, because other values contradict it. */
  readonly isWithdrawn: boolean
  readonly isConfirmed: boolean
  readonly isNamed: boolean
}

const slots = ['prefix', 'left', 'left2', 'above', 'above2', 'before', 'suffix', 'heading', 'section', 'below'] as const
/** Labels that a heading or the words beside a value complete: `Supplier` over `Address`, `Net` beside a column `Total`. */
const joints = ['section', 'heading', 'above'] as const
const kinds = ['date', 'money', 'number', 'integer', 'percent', 'id', 'name', 'address', 'text', 'currency', 'time']
const cuts: readonly Cut[] = ['cell', 'after-colon', 'after-label', 'block', 'name-in-prose', 'rules']
const relations: readonly Relation[] = [
  'same-cell',
  'right',
  'below',
  'block',
  'unlabelled',
  'column',
  'sum',
  'sentence',
]

/** The names of the features, in their order. */
export const featureNames: readonly string[] = [
  ...slots.flatMap((slot) =>
    ['name', 'description', 'own', 'other', 'otherField', 'meaning', 'likely'].map((part) => `${slot}.${part}`),
  ),
  ...joints.map((joint) => `${joint}.joint`),
  ...['name', 'description', 'own', 'otherField', 'meaning', 'otherMeaning', 'joint'].map((part) => `best.${part}`),
  ...['left.gap', 'above.gap', 'prefix.length', 'prefix.colon', 'left.colon', 'left.digits', 'above.digits'],
  ...kinds.map((kind) => `kind.${kind}`),
  ...['kind.contact', 'field.known', 'field.start', 'field.end'],
  ...cuts.map((cut) => `cut.${cut}`),
  ...['fit', 'lines', 'derived', 'page', 'pages', 'isLastPage', 'x', 'y', 'width', 'height', 'inTable'],
  ...['cellsOnLine', 'wordsOnLine', 'wordsInCell', 'isRecognised', 'isPlain', 'ocrConfidence', 'labelness'],
  ...['inCell.index', 'inCell.count', 'inCell.afterDash', 'inCell.beforeDash'],
  ...['sameValue', 'sameShare', 'rankOfValue', 'isLargest', 'isLatest', 'isEarliest', 'countOfCandidates'],
  ...['letters', 'digits', 'capitals', 'words', 'characters', 'startsCell', 'endsCell', 'isCompany', 'commas'],
  ...['lineNumber', 'order'],
  ...['rule.same', 'rule.confidence', 'rule.none', 'rule.withdrawn', 'rule.confirmed', 'rule.named'],
  ...relations.map((relation) => `rule.${relation}`),
  ...['sum.isSum', 'sum.isAddend', 'sum.isRepeated', 'hasCurrency', 'hasCents', 'repeats'],
  ...[
    'label',
    'label.lead',
    'label.rivals',
    'label.ofField',
    'label.isWhole',
    'label.mentions',
    'label.place',
    'label.twin',
    'label.repeats',
    'wordsPerLine',
    'asksFor',
  ],
  ...edgeNames,
  ...['own', 'lead', 'behind', 'most'].map((part) => `likely.${part}`),
]

const companyPattern =
  /\b(?:inc|llc|ltd|limited|corp|corporation|company|co|plc|gmbh|ag|kg|ohg|sa|sas|sarl|srl|spa|bv|nv|sdn|bhd|lp|llp|pty|oy|ab|as|lda|eireli|ltda|pac|committee|foundation|university|restaurant|store|enterprise|trading)\b\.?/iu

const startPattern =
  /\b(?:from|start|starts|begin|begins|beginning|first|since|opening|von|ab|anfang|beginn|debut|du|desde|inicio|dal|inizio|van|vanaf)\b/
const endPattern =
  /\b(?:to|until|till|end|ends|ending|last|through|closing|bis|ende|fin|au|hasta|al|fine|tot|einde|ate|fim)\b/

const dashPattern = /^\s*(?:[-–—]|to|thru|through|until|bis|au|al|a|tot|ate|até)\s*$/iu

/** Lines above a cell that are searched for a label, and for a heading. */
const aboveMax = 4
const headingMax = 25

/** Features shared by all candidates of a cell. */
interface Surroundings {
  readonly left: Cell | undefined
  readonly left2: Cell | undefined
  readonly above: Cell | undefined
  readonly above2: Cell | undefined
  readonly before: string
  readonly heading: Cell | undefined
  readonly section: Cell | undefined
  readonly wordsOnLine: number
}

/** Computes the features of the candidates of one request. */
export interface FeatureMaker {
  of(field: Field, candidates: readonly SpanCandidate[], rule: RuleAnswer | null): Float32Array[]
}

/** A normal form, equal for values that are the same answer. */
export const keyOf = (value: Json): string =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : phraseOf(String(value))

export function featureMaker(sheet: Sheet, fields: readonly Field[]): FeatureMaker {
  const compare = labelComparer(fields)
  const around = keptBy(surroundingsOf)
  const beside = keptBy((span: Span) => besideOf(span, { sheet, around: around(span.cell), compare }))
  const texts = keptBy((printed: string) => printedFeatures(printed))
  return {
    of: (field, candidates, rule) => {
      const group = groupOf(field, candidates)
      const labelled = keptBy(
        (cell: Cell): Slot => slotOf(compare(cell.text), cell, Number.POSITIVE_INFINITY, { sheet, field }),
      )
      const values = new Float32Array(candidates.length * featureNames.length)
      const rows = candidates.map((_, order) => new FeatureRow(values, order))
      const each = candidates.map(({ span }, order) =>
        placeFeatures({ sheet, field, span, beside: beside(span), labelled }, rows[order] as FeatureRow),
      )
      const labels = labelsOf(
        each.map(({ own }) => own),
        group,
      )
      const likeliest = each.reduce((most, { likely }) => Math.max(most, likely), each[0]?.likely ?? 0)
      const repeats = repeatsOf(candidates, group.keys, around)
      const sums = sumsIn(candidates)
      const ruleKey = rule === null ? null : keyOf(rule.value)
      return candidates.map((candidate, order) => {
        const row = rows[order] as FeatureRow
        valueFeatures(candidate, { order, group, texts: texts(candidate.printed) }, row)
        ruleFeatures(group.keys[order] === ruleKey, rule, row)
        sumFeatures(candidate, sums, row)
        labelFeatures(order, labels, row)
        row.add(repeats[order] ?? 0)
        row.add(wordsPerLine(candidate.cell.line.page))
        row.add(fields.length)
        row.addAll(beside(candidate.span).edges)
        const { likely, likelyLead } = each[order] as Labelled
        row.addAll([likely, likelyLead, likely - likeliest, likeliest])
        return row.values
      })
    },
  }
}

/** The features of a candidate, written one after the other. Rows share their memory: an array for each takes longer. */
class FeatureRow {
  readonly values: Float32Array
  #at = 0

  constructor(all: Float32Array, order: number) {
    this.values = all.subarray(order * featureNames.length, (order + 1) * featureNames.length)
  }

  add(value: number): void {
    this.values[this.#at++] = value
  }

  addAll(values: readonly number[]): void {
    this.values.set(values, this.#at)
    this.#at += values.length
  }
}

/** How much the text in one place is like the labels of a field, and what its known labels mean. */
interface Slot {
  readonly name: number
  readonly description: number
  readonly own: number
  readonly other: number
  readonly otherField: number
  readonly meaning: number
  readonly otherMeaning: number
  readonly likely: number
  readonly likelyLead: number
}

const emptySlot: Slot = {
  ...{ name: 0, description: 0, own: 0, other: 0, otherField: 0, meaning: 0, otherMeaning: 0 },
  ...{ likely: 0, likelyLead: 0 },
}

function slotOf(
  like: TextLikeness,
  cell: Cell | undefined,
  end: number,
  { sheet, field }: { readonly sheet: Sheet; readonly field: Field },
): Slot {
  const meant = meantBy(sheet.labels, cell, end, field)
  if (isOfOtherSum(sheet.labels, cell, end, field)) return { ...emptySlot, ...meant }
  return {
    likely: like.likely(field),
    likelyLead: like.likelyLead(field),
    name: like.name(field),
    description: like.description(field),
    own: meant.own,
    other: meant.other,
    otherField: like.otherName(field),
    meaning: like.meaning(field),
    otherMeaning: like.otherMeaning(field),
  }
}

/** What stands beside a text, whatever the field. */
interface Beside {
  readonly around: Surroundings
  readonly below: Cell | undefined
  readonly prefix: string
  readonly ofPrefix: TextLikeness
  readonly ofBefore: TextLikeness
  readonly ofSuffix: TextLikeness
  readonly ofPrinted: TextLikeness
  /** For each of `joints`, the words over the text with those in front of it. */
  readonly joint: readonly (TextLikeness | undefined)[]
  readonly edges: readonly number[]
  /** The features of its place. */
  readonly place: readonly number[]
}

interface Placing {
  readonly sheet: Sheet
  readonly around: Surroundings
  readonly compare: (text: string) => TextLikeness
}

function besideOf(span: Span, { sheet, around, compare }: Placing): Beside {
  const { cell, start, end, words } = span
  const { line, text } = cell
  const { page } = line
  const { left, above, heading, section } = around
  const prefix = text.slice(0, start)
  const front = /\p{L}{2}/u.test(prefix) ? prefix : (left?.text ?? '')
  const height = Math.max(line.height, 1e-9)
  return {
    around,
    below: cellBelow(cell, bottomOf(cell, words)),
    prefix,
    ofPrefix: compare(prefix),
    ofBefore: compare(cell.index === 0 && prefix.length < 30 ? around.before : ''),
    ofSuffix: compare(text.slice(end, end + 40)),
    ofPrinted: compare(span.printed),
    joint: [section, heading, above].map((over) =>
      over === undefined || front === '' ? undefined : compare(`${wordsIn(over.text)} ${wordsIn(front)}`),
    ),
    edges: edgesOf(span, above, sheet.labels),
    place: [
      page.page.index,
      sheet.pages.length,
      yes(page === sheet.pages.at(-1)),
      (words[0]?.x0 ?? cell.x0) / page.width,
      line.y0 / page.height,
      (cell.x1 - cell.x0) / page.width,
      height / Math.max(page.wordHeight, 1e-9),
      yes(inTable(sheet, cell)),
      line.cells.length,
      around.wordsOnLine,
      cell.words.length,
      yes(page.page.source === 'ocr'),
      yes(page.page.source === 'plain'),
      words.reduce((least, { word }) => Math.min(least, word.confidence), 1),
    ],
  }
}

interface Placed {
  readonly sheet: Sheet
  readonly field: Field
  readonly span: Span
  readonly beside: Beside
  readonly labelled: (cell: Cell) => Slot
}

/** How well a candidate is labelled. */
interface Labelled {
  /** By the field's name, or by known words of the languages: 0 to 1. */
  readonly own: number
  /** By the vectors of the words in front of it or over it (0 if none of them is known), and by how much more than as another field. */
  readonly likely: number
  readonly likelyLead: number
}

/** The first of the slots: the places where labels stand. */
const labelSlots = 5

/** Writes the features of the place of a candidate. */
function placeFeatures({ sheet, field, span, beside, labelled }: Placed, row: FeatureRow): Labelled {
  const { cell, start } = span
  const { line } = cell
  const { around, below, prefix, joint } = beside
  const { left, left2, above, above2, heading, section } = around
  const ofCell = (one: Cell | undefined): Slot => (one === undefined ? emptySlot : labelled(one))
  let [name, description, own, other, meaning, otherMeaning] = [0, 0, 0, 0, 0, 0]
  let nearest = emptySlot
  for (const [at, slot] of [
    slotOf(beside.ofPrefix, cell, start, { sheet, field }),
    ofCell(left),
    ofCell(left2),
    ofCell(above),
    ofCell(above2),
    slotOf(beside.ofBefore, undefined, 0, { sheet, field }),
    slotOf(beside.ofSuffix, undefined, 0, { sheet, field }),
    ofCell(heading),
    ofCell(section),
    ofCell(below),
  ].entries()) {
    row.add(slot.name)
    row.add(slot.description)
    row.add(slot.own)
    row.add(slot.other)
    row.add(slot.otherField)
    row.add(slot.meaning)
    row.add(slot.likely)
    if (at < labelSlots && slot.likely !== 0 && (nearest.likely === 0 || slot.likely > nearest.likely)) nearest = slot
    meaning = Math.max(meaning, slot.meaning)
    otherMeaning = Math.max(otherMeaning, slot.otherMeaning)
    name = Math.max(name, slot.name)
    description = Math.max(description, slot.description)
    own = Math.max(own, slot.own)
    other = Math.max(other, slot.otherField)
  }
  let most = 0
  for (const like of joint) {
    const meant = like?.meaning(field) ?? 0
    row.add(meant)
    most = Math.max(most, meant)
  }
  const { kind, concept, path } = field.plan.meaning
  const height = Math.max(line.height, 1e-9)
  row.add(name)
  row.add(description)
  row.add(own)
  row.add(other)
  row.add(meaning)
  row.add(otherMeaning)
  row.add(most)
  row.add(left === undefined ? -1 : (cell.x0 - left.x1) / height)
  row.add(above === undefined ? -1 : (line.y0 - above.line.y1) / height)
  row.add(Math.min(60, prefix.length))
  row.add(yes(prefix.trimEnd().endsWith(':')))
  row.add(yes(left?.text.trimEnd().endsWith(':')))
  row.add(yes(left !== undefined && /\d/.test(left.text)))
  row.add(yes(above !== undefined && /\d/.test(above.text)))
  for (const one of kinds) row.add(yes(kind === one))
  row.add(yes(!kinds.includes(kind)))
  row.add(yes(concept !== null))
  row.add(yes(startPattern.test(path)))
  row.add(yes(endPattern.test(path)))
  for (const one of cuts) row.add(yes(span.cut === one))
  row.add(span.fit)
  row.add(span.lines)
  row.add(yes(span.derived))
  row.addAll(beside.place)
  row.add(Math.max(beside.ofPrinted.name(field), beside.ofPrinted.otherName(field)))
  return { own: Math.max(name, own, meaning), likely: nearest.likely, likelyLead: nearest.likelyLead }
}

/** A text without figures and colons, which end a label. */
const wordsIn = (text: string): string => text.replace(/[\d:：]+/gu, ' ')

/** Features shared by the candidates of one field. */
interface Group {
  readonly keys: readonly string[]
  readonly counts: ReadonlyMap<string, number>
  /** Rank of each number among the distinct ones, the largest first. */
  readonly ranks: ReadonlyMap<number, number>
  readonly isDate: boolean
  readonly first: string
  readonly last: string
  readonly candidates: readonly SpanCandidate[]
}

function groupOf(field: Field, candidates: readonly SpanCandidate[]): Group {
  const keys = candidates.map(({ value }) => keyOf(value))
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  const numbers = new Set(candidates.flatMap(({ value }) => (typeof value === 'number' ? [value] : [])))
  const ranks = new Map([...numbers].toSorted((a, b) => b - a).map((value, rank) => [value, rank]))
  const isDate = field.plan.meaning.kind === 'date'
  const sorted = isDate ? keys.toSorted() : []
  return { keys, counts, ranks, isDate, first: sorted[0] ?? '', last: sorted.at(-1) ?? '', candidates }
}

/** What a text is made of, whatever the field. */
interface TextFeatures {
  readonly form: readonly number[]
  readonly isCompany: number
  readonly commas: number
}

function printedFeatures(printed: string): TextFeatures {
  const letters = count(printed, /\p{L}/gu)
  const form = [
    letters / Math.max(1, printed.length),
    count(printed, /\d/gu) / Math.max(1, printed.length),
    count(printed, /\p{Lu}/gu) / Math.max(1, letters),
    printed.split(' ').length,
    printed.length,
  ]
  return { form, isCompany: yes(companyPattern.test(printed)), commas: count(printed, /,/gu) }
}

function valueFeatures(
  { value, start, end, cell }: SpanCandidate,
  { order, group, texts }: { readonly order: number; readonly group: Group; readonly texts: TextFeatures },
  row: FeatureRow,
): void {
  const { keys, counts, ranks, candidates, isDate } = group
  const key = keys[order] ?? ''
  let from = order
  while (candidates[from - 1]?.cell === cell) from--
  let to = order
  while (candidates[to + 1]?.cell === cell) to++
  const previous = from < order ? candidates[order - 1] : undefined
  const next = to > order ? candidates[order + 1] : undefined
  const rank = typeof value === 'number' ? (ranks.get(value) ?? -1) : -1
  row.add(order - from)
  row.add(to - from + 1)
  row.add(yes(previous !== undefined && dashPattern.test(cell.text.slice(previous.end, start))))
  row.add(yes(next !== undefined && dashPattern.test(cell.text.slice(end, next.start))))
  row.add(counts.get(key) ?? 0)
  row.add((counts.get(key) ?? 0) / Math.max(1, candidates.length))
  row.add(rank)
  row.add(yes(rank === 0))
  row.add(yes(isDate && key === group.last))
  row.add(yes(isDate && key === group.first))
  row.add(Math.min(12, Math.log1p(candidates.length)))
  row.addAll(texts.form)
  row.add(yes(start === 0))
  row.add(yes(end >= cell.text.length))
  row.add(texts.isCompany)
  row.add(texts.commas)
  row.add(cell.line.index)
  row.add(order / Math.max(1, candidates.length))
}

/** How well the candidates of a field are labelled: by its name, or by known words of the languages. */
interface Labels {
  readonly each: readonly number[]
  readonly best: number
  /** The best candidate with another value than the best one. */
  readonly second: number
  /** The best label of each distinct value, the best first. */
  readonly falling: Float64Array
  /** The candidates that may count beside one with a label. */
  readonly labelled: readonly number[]
  readonly group: Group
}

function labelsOf(each: readonly number[], group: Group): Labels {
  const byKey = new Map<string, number>()
  for (const [at, key] of group.keys.entries()) byKey.set(key, Math.max(byKey.get(key) ?? 0, each[at] ?? 0))
  let [best, second] = [0, 0]
  for (const value of byKey.values()) {
    if (value > best) [best, second] = [value, best]
    else second = Math.max(second, value)
  }
  const falling = Float64Array.from(byKey.values()).sort().reverse()
  const labelled = [...each.keys()].filter((at) => (each[at] ?? 0) >= labelMin - labelSlack)
  return { each, best, second, falling, labelled, group }
}

/** Labels this close to each other count as equal. */
const labelSlack = 0.1

/** Below this, a text is hardly a label. */
const labelMin = 0.3

/** Amounts this close to each other are the same amount before and after rounding. */
const twinMax = 0.05

/** How many of falling numbers are at least `least`. */
function atLeast(least: number, falling: Float64Array): number {
  let [from, to] = [0, falling.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((falling[middle] ?? 0) >= least) from = middle + 1
    else to = middle
  }
  return from
}

function labelFeatures(order: number, { each, best, second, falling, labelled, group }: Labels, row: FeatureRow): void {
  const own = each[order] ?? 0
  const { keys, candidates } = group
  const value = candidates[order]?.value
  const rivals = atLeast(own - labelSlack, falling) - 1
  let [mentions, before, equals, twin] = [0, 0, 0, 0]
  for (const at of own < labelMin ? [] : labelled) {
    if ((each[at] ?? 0) < own - labelSlack) continue
    equals++
    if (at < order) before++
    if (keys[at] === keys[order]) mentions++
    const other = candidates[at]?.value
    if (typeof value !== 'number' || typeof other !== 'number' || other === value) continue
    if (Math.abs(other - value) < twinMax + 1e-9) twin = at < order ? 1 : -1
  }
  row.add(own)
  row.add(own - (own === best ? second : best))
  row.add(Math.min(30, rivals))
  row.add(best)
  row.add(yes(own >= 0.95))
  row.add(Math.min(9, mentions))
  row.add(equals <= 1 ? -1 : before / (equals - 1))
  row.add(twin)
}

/** For each candidate, the number of other values after the same words: `Number:` of the seller and of the buyer. */
function repeatsOf(
  candidates: readonly SpanCandidate[],
  keys: readonly string[],
  around: (cell: Cell) => Surroundings,
): number[] {
  const labels = candidates.map(({ cell, start }) => {
    const prefix = cell.text.slice(0, start).trim()
    return (prefix === '' ? (around(cell).left?.text ?? '') : prefix.slice(-40)).toLowerCase()
  })
  const byLabel = new Map<string, Set<string>>()
  for (const [at, label] of labels.entries()) byLabel.set(label, (byLabel.get(label) ?? new Set()).add(keys[at] ?? ''))
  return labels.map((label) => (label === '' ? -1 : Math.min(20, (byLabel.get(label)?.size ?? 1) - 1)))
}

/** Amounts that add up, in cents. */
interface Sums {
  readonly totals: ReadonlySet<number>
  readonly addends: ReadonlySet<number>
  readonly counts: ReadonlyMap<number, number>
}

const amountsMax = 150
const centsOf = (value: number): number => Math.round(value * 100)

/** Which numbers of a field are the sum of two others, and which are part of one. */
function sumsIn(candidates: readonly SpanCandidate[]): Sums {
  const counts = new Map<number, number>()
  for (const { value, printed } of candidates) {
    if (typeof value !== 'number' || !centsPattern.test(printed) || counts.size > amountsMax) continue
    const cents = centsOf(value)
    if (cents > 0) counts.set(cents, (counts.get(cents) ?? 0) + 1)
  }
  const totals = new Set<number>()
  const addends = new Set<number>()
  const amounts = [...counts.keys()].toSorted((a, b) => a - b)
  for (const [at, a] of amounts.entries())
    for (const b of amounts.slice(at + 1)) {
      if (!counts.has(a + b)) continue
      totals.add(a + b)
      addends.add(a).add(b)
    }
  return { totals, addends, counts }
}

const centsPattern = /[.,]\d{2}(?!\d)/
const currencyPattern = /\p{Sc}|\b(?:EUR|USD|GBP|CHF|RM|MYR|CAD|AUD|SEK|NOK|DKK|PLN|CZK)\b/u

function sumFeatures(
  { value, printed, cell, start, end }: SpanCandidate,
  { totals, addends, counts }: Sums,
  row: FeatureRow,
): void {
  const cents = typeof value === 'number' ? centsOf(value) : 0
  row.add(yes(totals.has(cents)))
  row.add(yes(addends.has(cents)))
  row.add(yes((counts.get(cents) ?? 0) > 1))
  row.add(yes(currencyPattern.test(cell.text.slice(Math.max(0, start - 4), end + 4))))
  row.add(yes(centsPattern.test(printed)))
  row.add(Math.min(9, counts.get(cents) ?? 0))
}

const densities = new WeakMap<PageLayout, number>()

/** The mean number of words per line of a page: high for prose. */
function wordsPerLine(page: PageLayout): number {
  const known = densities.get(page)
  if (known !== undefined) return known
  const found = page.page.words.length / Math.max(1, page.lines.length)
  densities.set(page, found)
  return found
}

function ruleFeatures(same: boolean, rule: RuleAnswer | null, row: FeatureRow): void {
  const given = rule !== null && !rule.isWithdrawn
  row.add(yes(same && given))
  row.add(given ? rule.confidence : 0)
  row.add(yes(!given))
  row.add(yes(same && rule?.isWithdrawn))
  row.add(yes(given && rule.isConfirmed))
  row.add(yes(given && rule.isNamed))
  for (const one of relations) row.add(yes(given && rule.relation === one))
}

const yes = (is: boolean | undefined): number => (is === true ? 1 : 0)

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** How certainly the labels before a place in a cell mean the concept of the field, and how certainly another one. */
function meantBy(labels: LabelIndex, cell: Cell | undefined, before: number, field: Field) {
  const { concept } = field.plan.meaning
  let own = 0
  let other = 0
  for (const hit of cell === undefined ? [] : (labels.get(cell) ?? [])) {
    if (hit.end > before) continue
    for (const { target, weight } of hit.targets) {
      if (!target.startsWith('c:')) continue
      const id = target.slice(2)
      const isOwn = id === concept?.id || (concept?.family !== undefined && findConcept(id)?.family === concept.family)
      if (isOwn) own = Math.max(own, weight * hit.coverage)
      else other = Math.max(other, weight * hit.coverage)
    }
  }
  return { own, other }
}

/** True for the label of a sum that no field asks for, such as `Page total`. */
const isOfOtherSum = (
  labels: LabelIndex,
  cell: Cell | undefined,
  before: number,
  { plan: { meaning } }: Field,
): boolean =>
  cell !== undefined &&
  meaning.concept !== null &&
  meaning.kind === 'money' &&
  (labels.get(cell) ?? []).some((hit) => hit.targets.length === 0 && hit.end <= before)

function surroundingsOf(cell: Cell): Surroundings {
  const { line } = cell
  const above = cellAbove(cell)
  return {
    left: line.cells[cell.index - 1],
    left2: line.cells[cell.index - 2],
    above,
    above2: above === undefined ? undefined : cellAbove(above),
    before: line.page.lines[line.index - 1]?.cells.at(-1)?.text ?? '',
    heading: headingOf(line.page, line),
    section: sectionOf(line.page, line),
    wordsOnLine: line.cells.reduce((sum, one) => sum + one.words.length, 0),
  }
}

/** The cell directly above another, within a few lines. */
function cellAbove(cell: Cell): Cell | undefined {
  const { line } = cell
  for (let at = line.index - 1; at >= Math.max(0, line.index - aboveMax); at--) {
    const above = line.page.lines[at]
    if (above === undefined || line.y0 - above.y1 > line.height * 5) return undefined
    const found = above.cells.find((one) => Math.min(one.x1, cell.x1) > Math.max(one.x0, cell.x0))
    if (found !== undefined) return found
  }
  return undefined
}

/** The nearest line above with few words and no value: `Seller` above the lines about the seller. */
function sectionOf(page: PageLayout, line: Line): Cell | undefined {
  for (let at = line.index - 1; at >= Math.max(0, line.index - headingMax); at--) {
    const above = page.lines[at]
    const only = above?.cells.length === 1 ? above.cells[0] : undefined
    if (only !== undefined && only.words.length <= 4 && /^[^\d:;,.]{3,40}$/u.test(only.text)) return only
  }
  return undefined
}

/** The nearest line above that is alone in larger or capital letters. */
function headingOf(page: PageLayout, line: Line): Cell | undefined {
  for (let at = line.index - 1; at >= Math.max(0, line.index - headingMax); at--) {
    const above = page.lines[at]
    const only = above?.cells.length === 1 ? above.cells[0] : undefined
    if (above === undefined || only === undefined || only.words.length > 6) continue
    if (above.height > line.height * 1.15 || /^[\p{Lu}\s\d&.,:-]{4,}$/u.test(only.text)) return only
  }
  return undefined
}
