import { readFileSync } from 'node:fs'
import type { FieldsByTarget } from '../../languages/request-book.ts'
import { madeOnce } from '../../layout/remembered.ts'
import type { Field, Sheet } from '../../layout/sheet.ts'
import type { Span } from '../../layout/spans.ts'
import { labelComparer, type TextLikeness } from '../../score/label-likeness.ts'
import { type Forest, type PackedForest, packed, probabilityOf } from '../../score/trees.ts'
import { readCellAs } from '../../values/parsed-values.ts'
import type { Heading } from '../headers.ts'
import { readCell } from '../read-cell.ts'
import type { Table } from '../table.ts'
import { headingWeights } from './heading-weights.ts'

/** The fields of a list's items, and what compares headings with them. */
export interface AskedColumns {
  readonly fields: readonly Field[]
  readonly byTarget: FieldsByTarget<Field>
  readonly compare: (text: string) => TextLikeness
}

/** A table as far as a score needs it. */
export type ScoredTable = Pick<Table, 'columns' | 'rows'>

/** A number for each column and field. */
type Grid = readonly (readonly number[])[]

/** Rows that are looked at. */
const rowsMax = 30
/** And those for the fit of the first rows: prose that follows a table is no part of it. */
const firstRows = 3
const lettersMax = 40

const kinds: readonly (readonly [name: string, kinds: RegExp])[] = [
  ['text', /^(?:text|name|address)$/],
  ['id', /^id$/],
  ['money', /^money$/],
  ['number', /^(?:number|percent)$/],
  ['integer', /^integer$/],
  ['date', /^(?:date|datetime|time)$/],
]

/** Parts that are also compared with the other fields of the column (`.row`) and with the other columns of the field (`.column`). */
const compared = ['target', 'name', 'meaning', 'likely', 'fit'] as const
const ofColumn = ['filled', 'digits', 'letters', 'distinct', 'counts', 'days', 'bare'] as const

/** The features of a column as a field, in the order of the weights. */
const columnFeatureNames: readonly string[] = [
  ...compared.flatMap((name) => [name, `${name}.row`, `${name}.column`]),
  ...['description', 'first.fit'],
  ...ofColumn,
  ...['place', 'place.apart', 'columns', 'fields', 'columns.spare'],
  ...kinds.map(([name]) => `kind.${name}`),
  ...['kind.choice', 'known'],
]

/** The features of each column of a table as each field of a list. */
export function columnFeatures(asked: AskedColumns, { columns, rows }: ScoredTable, sheet: Sheet): Float32Array[][] {
  const { fields, byTarget, compare } = asked
  const sample = rows.slice(0, rowsMax)
  const cells = columns.map((_, at) => sample.flatMap((row) => row.cells[at] ?? []))
  const likeness = columns.map(({ heading }) => compare(heading.text))
  const weights = columns.map(({ heading }) => headingWeights(heading, byTarget))
  const gridOf = (of: (field: Field, at: number) => number): Grid =>
    columns.map((_, at) => fields.map((field) => of(field, at)))
  const fitOf = (field: Field, spans: readonly Span[]): number =>
    mean(spans.map((span) => fitsOf(field, span, sheet))) ?? unknownFit
  const parts: Record<(typeof compared)[number], Grid> = {
    target: gridOf((field, at) => weights[at]?.get(field) ?? 0),
    name: gridOf((field, at) => likeness[at]?.name(field) ?? 0),
    meaning: gridOf((field, at) => likeness[at]?.meaning(field) ?? 0),
    likely: gridOf((field, at) => likeness[at]?.likely(field) ?? 0),
    fit: gridOf((field, at) => fitOf(field, cells[at] ?? [])),
  }
  const own = columns.map(({ heading }, at) => ofTexts(cells[at] ?? [], { heading, rows: sample.length, sheet }))
  const shareOf = (at: number, count: number): number => (count > 1 ? at / (count - 1) : 0)
  return columns.map((_, at) =>
    fields.map((field, of) => {
      const place = shareOf(at, columns.length) - shareOf(of, fields.length)
      const { kind, concept } = field.plan.meaning
      return new Float32Array([
        ...compared.flatMap((name) => {
          const grid = parts[name]
          const value = grid[at]?.[of] ?? 0
          const inRow = most(grid[at]?.filter((__, other) => other !== of))
          return [
            value,
            value - inRow,
            value - most(grid.flatMap((row, other) => (other === at ? [] : (row[of] ?? 0)))),
          ]
        }),
        likeness[at]?.description(field) ?? 0,
        fitOf(field, (cells[at] ?? []).slice(0, firstRows)),
        ...(own[at] ?? []),
        ...[place, Math.abs(place), columns.length, fields.length, columns.length - fields.length],
        ...kinds.map(([, pattern]) => Number(pattern.test(kind))),
        ...[Number(field.plan.choices.length > 0), Number(concept !== null)],
      ])
    }),
  )
}

/** What is assumed of a column without values. */
const unknownFit = 0.3

const most = (values: readonly number[] = []): number => values.reduce((top, value) => Math.max(top, value), 0)

const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

const fits = new WeakMap<Span, Map<Field, number>>()

/** How well a cell is a value of a field, computed once: a row is read under several headings. */
function fitsOf(field: Field, span: Span, sheet: Sheet): number {
  const known = fits.get(span) ?? new Map<Field, number>()
  fits.set(span, known)
  const fit = known.get(field) ?? readCell(field, span, sheet)?.fit ?? 0
  known.set(field, fit)
  return fit
}

/** `ofColumn`: shares of rows and cells, the mean number of letters, whether the cells count the rows, are days, have no heading. */
function ofTexts(cells: readonly Span[], of: { heading: Heading; rows: number; sheet: Sheet }): number[] {
  const texts = cells.map(({ text }) => text)
  const share = (count: number, all: number): number => count / Math.max(1, all)
  const letters = mean(texts.map((text) => text.match(/\p{L}/gu)?.length ?? 0)) ?? 0
  return [
    share(texts.length, of.rows),
    share(texts.filter((text) => /\d/.test(text)).length, texts.length),
    Math.min(lettersMax, letters),
    share(new Set(texts).size, texts.length),
    Number(countsUp(texts)),
    share(texts.filter((text) => isDay(text, of.sheet)).length, texts.length),
    Number(of.heading.text === ''),
  ]
}

/** The minimum number of rows to distinguish row counters from quantities. */
const countedMin = 3

/** True when the numbers of a column increase by one per row: they count the rows. */
export function countsUp(texts: readonly string[]): boolean {
  const values = texts.map((text) => (/^\d{1,5}\.?$/.test(text) ? Number.parseInt(text, 10) : Number.NaN))
  const step = (values[1] ?? 0) - (values[0] ?? 0)
  const steps = values.slice(1).filter((value, index) => value - (values[index] ?? 0) === step)
  return values.length >= countedMin && step > 0 && steps.length >= (values.length - 1) * 0.8
}

/** A date without a year in the documents' period, which might also be an amount: `01.12`. */
const isDay = (text: string, { conventions }: Sheet): boolean =>
  /^\d{1,2}[./-]\d{1,2}\.?$/.test(text) && readCellAs('date', text, conventions).length > 0

/** A column at least this likely is taken to be a field's when the others are compared with it. */
const takenMin = 0.5

/** What is compared of a column and a field once the likeliest pairs are known, behind the features above. */
const ofRivals = [
  ...['alone', 'alone.row', 'alone.column', 'column.free', 'field.free', 'columns.free', 'fields.free'],
  ...['rank.row', 'rank.column', 'ordered', 'in.order', 'beside'],
] as const

export const rivalFeatureNames: readonly string[] = [...columnFeatureNames, ...ofRivals]

/**
 * The features of each column and field together with how likely the others are: a column that is nobody's, between two that are, is
 * probably that of the field between theirs.
 */
export function rivalFeatures(features: readonly (readonly Float32Array[])[], alone: Grid): Float32Array[][] {
  const pairs = likeliestPairs(alone, takenMin)
  const fieldOf = new Map(pairs.map(({ at, of }) => [at, of]))
  const columnOf = new Map(pairs.map(({ at, of }) => [of, at]))
  const fields = alone[0]?.length ?? 0
  const free = { columns: alone.length - pairs.length, fields: fields - pairs.length }
  const inOrder = shareInOrder(pairs)
  return features.map((row, at) =>
    row.map((own, of) => {
      const value = alone[at]?.[of] ?? 0
      const inRow = (alone[at] ?? []).filter((_, other) => other !== of)
      const inColumn = alone.flatMap((one, other) => (other === at ? [] : (one[of] ?? 0)))
      const others = pairs.filter((pair) => pair.at !== at && pair.of !== of)
      const isInOrder = (pair: Pair): boolean => pair.at < at === pair.of < of
      const beside = [fieldOf.get(at - 1) === of - 1 && of > 0, fieldOf.get(at + 1) === of + 1]
      const all = new Float32Array(rivalFeatureNames.length)
      all.set(own)
      const rivals = [
        ...[value, value - most(inRow), value - most(inColumn)],
        ...[Number(!fieldOf.has(at)), Number(!columnOf.has(of)), free.columns, free.fields],
        ...[inRow, inColumn].map((others) => others.filter((other) => other > value).length),
        ...[inOrder, others.length === 0 ? 0.5 : others.filter(isInOrder).length / others.length],
        beside.filter(Boolean).length,
      ]
      all.set(rivals, own.length)
      return all
    }),
  )
}

/** A column and a field by their places. */
interface Pair {
  readonly at: number
  readonly of: number
  readonly probability: number
}

/** The likeliest pairs first, each column and each field once. */
export function likeliestPairs(probabilities: Grid, least: number): Pair[] {
  const all = probabilities
    .flatMap((row, at) => row.map((probability, of) => ({ at, of, probability })))
    .filter(({ probability }) => probability >= least)
    .toSorted((a, b) => b.probability - a.probability || a.at - b.at)
  const pairs: Pair[] = []
  for (const pair of all) if (!pairs.some(({ at, of }) => at === pair.at || of === pair.of)) pairs.push(pair)
  return pairs
}

/** The share of pairs whose fields stand in the order of their columns. */
function shareInOrder(pairs: readonly Pair[]): number {
  const ordered = pairs.toSorted((a, b) => a.at - b.at)
  const steps = ordered.slice(1).map(({ of }, at) => Number(of > (ordered[at]?.of ?? 0)))
  return mean(steps) ?? 0.5
}

/** What the training script writes: `npm run reader:columns`. */
export interface ColumnModel {
  readonly features: readonly string[]
  /** Of each column and field alone, and with what the first says of the others. */
  readonly alone: Forest
  readonly among: Forest
}

type Forests = Pick<ColumnModel, 'alone' | 'among'>

const packedForests = ({ alone, among }: Forests) => ({ alone: packed(alone), among: packed(among) })

const shipped = madeOnce(() => {
  const file = readFileSync(new URL('./column-model.json', import.meta.url), 'utf8')
  return packedForests(JSON.parse(file) as ColumnModel)
})

let others: ReturnType<typeof packedForests> | undefined

/** Reads with other forests than the shipped ones, from now on: the training script measures those that do not know a document. */
export const scoreColumnsBy = (forests: Forests): void => {
  others = packedForests(forests)
}

const scored = (forest: PackedForest, features: readonly (readonly Float32Array[])[]): number[][] =>
  features.map((row) => row.map((one) => probabilityOf(forest, one)))

/** How likely each column of a table has the values of each field of a list. */
export function columnProbabilities(asked: AskedColumns, table: ScoredTable, sheet: Sheet): number[][] {
  const { alone, among } = others ?? shipped()
  const features = columnFeatures(asked, table, sheet)
  return scored(among, rivalFeatures(features, scored(alone, features)))
}

/** What compares headings with the fields of a list. */
export const askedColumns = (fields: readonly Field[], byTarget: FieldsByTarget<Field>): AskedColumns => ({
  ...{ fields, byTarget },
  compare: labelComparer(fields),
})
