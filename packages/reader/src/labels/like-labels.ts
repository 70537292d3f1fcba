import { type MeantWord, meantWords } from '../languages/form-words.ts'
import type { PhraseTarget } from '../languages/phrase-book.ts'
import type { Cell, PageLayout } from '../layout/layout.ts'
import type { Field } from '../layout/sheet.ts'
import { spanFrom, spanOfCell, spanUntil } from '../layout/spans.ts'
import { partEnd } from '../layout/text.ts'
import { wordLikeness } from '../score/likeness.ts'
import type { LabelHit, LabelIndex } from './labels.ts'
import { saidLabels } from './said-labels.ts'

/** Less alike, a text is no label of a field. */
const likeMin = 0.78
/** The same for a field whose labels are known. */
const likeOfKnownMin = 0.93
/** The label of a field resembles it by this much more than any other field. */
const leadMin = 0.05
/** A label that resembles the field is less certain than its name. */
const likeWeight = 0.94
const describedWeight = 0.92
const describedWordsMax = 6

/** The words that a field may be labelled with, and their weight. */
interface Wording {
  readonly words: readonly MeantWord[]
  readonly weight: number
}

/** The wordings of a field: its name, with and without its parents, its title, and its description where that is short. */
export function wordingsOf({ pointer, plan: { schema } }: Field): Wording[] {
  const steps = pointer.split('/').filter((step) => step !== '' && !/^\d+$/.test(step))
  const isColumn = pointer.includes('/*/')
  const texts: [string, number][] = [
    [spaced(steps.at(-1) ?? ''), 1],
    [spaced(steps.slice(-2).join(' ')), 1],
  ]
  if (typeof schema['title'] === 'string') texts.push([schema['title'], 1])
  if (typeof schema['description'] === 'string')
    for (const text of alternatives(schema['description'])) texts.push([text, describedWeight])
  return texts.flatMap(([text, weight]) => {
    const words = meantWords(text)
    const isTelling = words.some((word) => word.weight === 1) || (weight === 1 && (steps.length === 1 || isColumn))
    return words.length === 0 || !isTelling || (weight < 1 && words.length > describedWordsMax)
      ? []
      : [{ words, weight }]
  })
}

/** The words of a name in a schema: `dueDate`, `due_date`. */
export const spaced = (name: string): string =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-./]+/gu, ' ')
    .replace(/\s(?:to|thru)$/iu, ' until')

/** `Number of the contract or order`: the number of the contract, the number of the order. */
function alternatives(described: string): string[] {
  const description = described.replace(/(?<=number) of (?:the|an?)(?= )/giu, '')
  const [first = '', ...others] = description.split(/\s(?:or|oder|ou|of|o)\s(?=\p{L}+\s*$)/u)
  if (others.length === 0) return [description]
  const lead = first.replace(/\p{L}+\s*$/u, '')
  return [first, ...others.map((other) => `${lead}${other}`)]
}

const alike = (one: MeantWord, other: MeantWord): number => {
  for (const meaning of one.meanings) if (other.meanings.has(meaning)) return 1
  return wordLikeness(one.word, other.word)
}

/** How much the words of a label and of a field agree, 0 to 1: the harmonic mean of both shares. */
export function agreement(label: readonly MeantWord[], wanted: readonly MeantWord[]): number {
  const [precision, recall] = [shareOf(label, wanted), shareOf(wanted, label)]
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
}

function shareOf(words: readonly MeantWord[], within: readonly MeantWord[]): number {
  let [sum, all] = [0, 0]
  for (const word of words) {
    let best = 0
    for (const other of within) {
      best = Math.max(best, alike(word, other))
      if (best === 1) break
    }
    all += word.weight
    sum += word.weight * best
  }
  return all === 0 ? 0 : sum / all
}

const phraseOfWords = (words: readonly MeantWord[] = []): string => words.map(({ word }) => word).join(' ')

const labelCharactersMax = 60
const labelWordsMax = 7

/** The part of a cell's text that may be a label: up to a colon or to the first figure, or all of it. */
export function labelPart(
  text: string,
): { readonly label: string; readonly end: number; readonly hasColon: boolean } | null {
  const lead = /^\s*(?:\(?\d{1,2}[a-z]?[.)]\s+)?/u.exec(text)?.[0].length ?? 0
  const colon = /[:：]/u.test(text) ? /^[^:：]{2,60}?\s?[:：](?!\/|\d)/u.exec(text.slice(lead))?.[0] : undefined
  if (colon !== undefined) return check(colon.replace(/[\s:：]+$/u, ''), lead + colon.length, true)
  const bare = text.slice(lead)
  const figure = /(?<!\p{L})[\p{Sc}]?\s?\d/u.exec(bare)
  const end = figure === null ? bare.length : figure.index
  return check(bare.slice(0, end), lead + end, false)
}

function check(label: string, end: number, hasColon: boolean) {
  const words = label.trim().split(/\s+/u)
  if (label.length > labelCharactersMax || words.length > labelWordsMax || !/\p{L}{2}|[#№]/u.test(label)) return null
  return { label, end, hasColon }
}

/** A field that a label resembles, and by how much, 0 to 1. */
interface LikeField {
  readonly field: Field
  readonly weight: number
}

/** Finds the field that a label means by what its words mean, if it resembles one more than any other. */
function likeFieldFinder(fields: readonly Field[]): (label: string) => LikeField | null {
  const wanted = fields.map((field) => ({
    field,
    wordings: wordingsOf(field).map((one) => ({ ...one, phrase: phraseOfWords(one.words) })),
  }))
  const known = new Map<string, LikeField | null>()
  return (label) => {
    const seen = known.get(label)
    if (seen !== undefined) return seen
    const bare = label.replace(/\([^)]*\)?/gu, ' ')
    const readings = (bare === label ? [label] : [label, bare]).map(meantWords)
    const own = phraseOfWords(readings[0])
    const ranked = wanted
      .map(({ field, wordings }) => ({
        field,
        isOwn: wordings.some(({ words, phrase }) => words.length > 0 && phrase === own),
        weight: Math.max(
          ...readings.flatMap((words) => wordings.map((one) => one.weight * agreement(words, one.words))),
          0,
        ),
      }))
      .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.weight - a.weight)
    const [first, second] = ranked
    // `Fecha de alta` is the day of `fecha_alta`, though `fecha_ingreso` may mean the same.
    const isAlone = first?.isOwn === true && second?.isOwn !== true
    const { concept = null, kind } = first?.field.plan.meaning ?? {}
    // The labels of known sums differ by a word: `Subtotale` and `Totale netto`.
    const isKnownSum = concept !== null && kind === 'money' && concept.column !== true
    const least = concept === null ? likeMin : likeOfKnownMin
    const found =
      first !== undefined &&
      !isKnownSum &&
      first.weight >= least &&
      (isAlone || first.weight - (second?.weight ?? 0) >= leadMin)
        ? first
        : null
    known.set(label, found)
    return found
  }
}

/** What the heading of a column may mean by its words: a column of each list. */
export function likeColumnsOf(lists: readonly (readonly Field[])[]): (heading: string) => PhraseTarget[] {
  const finders = lists.map(likeFieldFinder)
  return (heading) => {
    const found = finders.flatMap((find) => find(heading) ?? [])
    return found.map(({ field, weight }) => lighter({ target: `f:${field.id}`, weight }))
  }
}

/** The labels of a page, and with them the texts that resemble the names of fields by what their words mean. */
export function withLikeLabels(labels: LabelIndex, pages: readonly PageLayout[], fields: readonly Field[]): LabelIndex {
  if (fields.length === 0) return labels
  const all = new Map(labels)
  const fieldOf = likeFieldFinder(fields)
  for (const page of pages)
    for (const line of page.lines)
      for (const cell of line.cells) {
        const hit = likeLabel(cell, fieldOf, all.get(cell) ?? [])
        const said = saidLabels(cell, fieldOf).map((one) => ({ ...one, targets: one.targets.map(lighter) }))
        const found = [...(hit === null ? [] : [hit]), ...said.filter((one) => !isKnown(one, all.get(cell) ?? []))]
        if (found.length > 0) all.set(cell, [...found, ...(all.get(cell) ?? [])])
      }
  return all
}

function likeLabel(
  cell: Cell,
  fieldOf: (label: string) => LikeField | null,
  hits: readonly LabelHit[],
): LabelHit | null {
  const part = labelPart(cell.text)
  const found = part === null ? null : fieldOf(part.label)
  if (part === null || found === null) return null
  const next = hits.find((hit) => hit.hasColon && hit.start >= part.end)
  const span = spanOfCell(cell)
  const rest = spanFrom(spanUntil(span, next?.start ?? partEnd(cell.text, part.end)), part.end)
  const isWhole = next === undefined && !/[\p{L}\p{N}]/u.test(rest.text)
  const like = {
    targets: [lighter({ target: `f:${found.field.id}`, weight: found.weight })],
    cell,
    start: 0,
    end: part.end,
    rest,
    coverage: 1,
    startsCell: true,
    isWhole,
    hasColon: part.hasColon,
  }
  return isKnown(like, hits) ? null : like
}

const lighter = ({ target, weight }: PhraseTarget): PhraseTarget => ({ target, weight: weight * likeWeight })

/** Whether another label of a cell means the same at least as surely. */
const isKnown = ({ targets: [own] }: LabelHit, hits: readonly LabelHit[]): boolean =>
  hits.some(
    (hit) =>
      hit.startsCell &&
      hit.targets.some((one) => one.target === own?.target && one.weight * hit.coverage >= own.weight),
  )
