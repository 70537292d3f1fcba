import type { LabelIndex } from '../labels/labels.ts'
import { findConcept } from '../languages/concepts.ts'
import type { Cell } from '../layout/layout.ts'
import { runningTextOf } from '../layout/running-text.ts'
import { type Field, inTable, type Sheet } from '../layout/sheet.ts'
import { bottomOf, cellBelow, edgesOf } from './block-edges.ts'
import { type FeatureRow, yes } from './feature-row.ts'
import type { TextLikeness } from './label-likeness.ts'
import { suffixMax } from './labels-beside.ts'
import { type Cut, type Span, wordsBetween } from './read-span.ts'
import type { Surroundings } from './surroundings.ts'
import { textEdgesOf } from './text-edges.ts'

export const slots = [
  'prefix',
  'left',
  'left2',
  'above',
  'above2',
  'before',
  'suffix',
  'heading',
  'section',
  'below',
  'front',
  'behind',
  'topic',
] as const
/** Labels that a heading or the words beside a value complete: `Supplier` over `Address`, `Net` beside a column `Total`. */
export const joints = ['section', 'heading', 'above'] as const
export const kinds = [
  'date',
  'money',
  'number',
  'integer',
  'percent',
  'id',
  'name',
  'address',
  'text',
  'currency',
  'time',
]
export const cuts: readonly Cut[] = ['cell', 'after-colon', 'after-label', 'block', 'name-in-prose', 'rules', 'part']

const startPattern =
  /\b(?:from|start|starts|begin|begins|beginning|first|since|opening|von|ab|anfang|beginn|debut|du|desde|inicio|dal|inizio|van|vanaf)\b/
const endPattern =
  /\b(?:to|until|till|end|ends|ending|last|through|closing|bis|ende|fin|au|hasta|al|fine|tot|einde|ate|fim)\b/

/** How much the text in one place is like the labels of a field, and what its known labels mean. */
export interface Slot {
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

export function slotOf(
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
  readonly ofPrefix: TextLikeness
  readonly ofBefore: TextLikeness
  readonly ofSuffix: TextLikeness
  readonly ofPrinted: TextLikeness
  /** The words in front of it and behind it, also over the ends of lines of running text. */
  readonly ofFront: TextLikeness
  readonly ofBehind: TextLikeness
  /** The heading of its paragraph. */
  readonly ofTopic: TextLikeness
  /** Whether it stands in running text. */
  readonly isRunning: number
  /** For each of `joints`, the words over the text with those in front of it. */
  readonly joint: readonly (TextLikeness | undefined)[]
  readonly edges: readonly number[]
  readonly textEdges: readonly number[]
  /** The features of what is left of it and over it, and of its place. */
  readonly near: readonly number[]
  readonly place: readonly number[]
}

interface Placing {
  readonly sheet: Sheet
  readonly around: Surroundings
  readonly compare: (text: string) => TextLikeness
}

export function besideOf(span: Span, { sheet, around, compare }: Placing): Beside {
  const { cell, start, end, words } = span
  const { line, text } = cell
  const { page } = line
  const { left, above, heading, section } = around
  const prefix = text.slice(0, start)
  const front = /\p{L}{2}/u.test(prefix) ? prefix : (left?.text ?? '')
  const height = Math.max(line.height, 1e-9)
  const { before, after, isRunning } = wordsAround(span)
  const suffix = text.slice(end, end + suffixMax)
  return {
    around,
    below: cellBelow(cell, bottomOf(cell, words)),
    ofPrefix: compare(prefix),
    ofBefore: compare(cell.index === 0 && prefix.length < 30 ? around.before : ''),
    ofSuffix: compare(suffix),
    ofPrinted: compare(span.printed),
    ofFront: compare(before === '' ? prefix : `${before} ${prefix}`),
    ofBehind: compare(after === '' || suffix.length === suffixMax ? suffix : `${suffix} ${after}`.slice(0, suffixMax)),
    ofTopic: compare(around.topic),
    isRunning: yes(isRunning),
    joint: [section, heading, above].map((over) =>
      over === undefined || front === '' ? undefined : compare(`${wordsIn(over.text)} ${wordsIn(front)}`),
    ),
    edges: edgesOf(span, above, sheet.labels),
    textEdges: textEdgesOf(before, after, span),
    near: [
      left === undefined ? -1 : (cell.x0 - left.x1) / height,
      above === undefined ? -1 : (line.y0 - above.line.y1) / height,
      Math.min(60, prefix.length),
      yes(prefix.trimEnd().endsWith(':')),
      yes(left?.text.trimEnd().endsWith(':')),
      yes(left !== undefined && /\d/.test(left.text)),
      yes(above !== undefined && /\d/.test(above.text)),
    ],
    place: [
      ...cuts.map((cut) => yes(span.cut === cut)),
      span.fit,
      span.lines,
      yes(span.derived),
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

/** Words in front of a text that are compared; where its cell has them, no others are looked for. */
const wordsCompared = 8

/** The words of running text on the lines before and after the cell of a text, where the cell does not have enough. */
function wordsAround({ cell, start, end, words, lines }: Span) {
  const { above, before, below } = runningTextOf(cell)
  const isEnough = before === '' || cell.text.slice(0, start).split(' ').length > wordsCompared
  // Words of the next line that are part of the text itself.
  const taken = lines === 1 ? 0 : words.length - wordsBetween(cell, start, end).length
  const after = below?.words.slice(taken, taken + wordsCompared).map(({ word }) => word.text)
  return {
    before: isEnough ? '' : before,
    after: after?.join(' ') ?? '',
    isRunning: above.length > 0 || below !== undefined,
  }
}

/** The features of a field, whatever the candidate. */
export function fieldFeatures({ plan: { meaning } }: Field): number[] {
  const { kind, concept, path } = meaning
  return [
    ...kinds.map((one) => yes(kind === one)),
    yes(!kinds.includes(kind)),
    yes(concept !== null),
    yes(startPattern.test(path)),
    yes(endPattern.test(path)),
  ]
}

interface Placed {
  readonly sheet: Sheet
  readonly field: Field
  readonly ofField: readonly number[]
  readonly span: Span
  readonly beside: Beside
  readonly labelled: (cell: Cell) => Slot
}

/** How well a candidate is labelled. */
export interface Labelled {
  /** By the field's name, or by known words of the languages: 0 to 1. */
  readonly own: number
  /** By the vectors of the words in front of it or over it (0 if none of them is known), and by how much more than as another field. */
  readonly likely: number
  readonly likelyLead: number
}

/** The first of the slots: the places where labels stand. */
const labelSlots = 5

/** Writes the features of the place of a candidate. */
export function placeFeatures({ sheet, field, ofField, span, beside, labelled }: Placed, row: FeatureRow): Labelled {
  const { cell, start } = span
  const { around, below, joint } = beside
  const { left, left2, above, above2, heading, section } = around
  const ofCell = (one: Cell | undefined): Slot => (one === undefined ? emptySlot : labelled(one))
  let [name, description, own, other, meaning, otherMeaning] = [0, 0, 0, 0, 0, 0]
  let nearest = emptySlot
  const ofPrefix = slotOf(beside.ofPrefix, cell, start, { sheet, field })
  const ofSuffix = slotOf(beside.ofSuffix, undefined, 0, { sheet, field })
  const bySlot = [
    ofPrefix,
    ofCell(left),
    ofCell(left2),
    ofCell(above),
    ofCell(above2),
    slotOf(beside.ofBefore, undefined, 0, { sheet, field }),
    ofSuffix,
    ofCell(heading),
    ofCell(section),
    ofCell(below),
    beside.ofFront === beside.ofPrefix ? ofPrefix : slotOf(beside.ofFront, cell, start, { sheet, field }),
    beside.ofBehind === beside.ofSuffix ? ofSuffix : slotOf(beside.ofBehind, undefined, 0, { sheet, field }),
    slotOf(beside.ofTopic, undefined, 0, { sheet, field }),
  ]
  for (let at = 0; at < bySlot.length; at++) {
    const slot = bySlot[at] as Slot
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
  row.add(name)
  row.add(description)
  row.add(own)
  row.add(other)
  row.add(meaning)
  row.add(otherMeaning)
  row.add(most)
  row.addAll(beside.near)
  row.addAll(ofField)
  row.addAll(beside.place)
  row.add(beside.isRunning)
  row.add(Math.max(beside.ofPrinted.name(field), beside.ofPrinted.otherName(field)))
  return { own: Math.max(name, own, meaning), likely: nearest.likely, likelyLead: nearest.likelyLead }
}

/** A text without figures and colons, which end a label. */
const wordsIn = (text: string): string => text.replace(/[\d:：]+/gu, ' ')

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
