import type { Json } from '@skillrun/core/json.ts'
import type { Cell, PageLayout } from '../layout/layout.ts'
import { keptBy } from '../layout/remembered.ts'
import type { Field, Relation, Sheet } from '../layout/sheet.ts'
import { edgeNames } from './block-edges.ts'
import { FeatureRow, yes } from './feature-row.ts'
import { labelComparer, nameOfField } from './label-likeness.ts'
import { type IsLabelled, labelsBeside } from './labels-beside.ts'
import {
  besideOf,
  cuts,
  fieldFeatures,
  joints,
  kinds,
  type Labelled,
  placeFeatures,
  type Slot,
  slotOf,
  slots,
} from './place-features.ts'
import type { Span } from './read-span.ts'
import type { SpanCandidate } from './spans.ts'
import { surroundingsOf } from './surroundings.ts'
import { textEdgeNames } from './text-edges.ts'
import {
  groupOf,
  keyOf,
  labelFeatures,
  labelsOf,
  printedFeatures,
  repeatsOf,
  sumFeatures,
  sumsIn,
  valueFeatures,
} from './value-features.ts'
import { kindsAskedBy, valueKinds } from './value-kinds.ts'

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

/** What a text looks like by itself. */
export const lookNames = ['isWords', 'isLikePerson', 'isInstitution', 'isDuration'] as const

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
  ...['cellsOnLine', 'wordsOnLine', 'wordsInCell', 'isRecognised', 'isPlain', 'ocrConfidence', 'isRunning'],
  'labelness',
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
  ...textEdgeNames,
  'isNegative',
  ...valueKinds.map((kind) => `asks.${kind}`),
  ...lookNames,
]

/** Computes the features of the candidates of one request. */
export interface FeatureMaker {
  readonly isLabelled: IsLabelled
  of(field: Field, candidates: readonly SpanCandidate[], rule: RuleAnswer | null): Float32Array[]
}

export function featureMaker(sheet: Sheet, fields: readonly Field[]): FeatureMaker {
  const compare = labelComparer(fields)
  const around = keptBy(surroundingsOf)
  const beside = keptBy((span: Span) => besideOf(span, { sheet, around: around(span.cell), compare }))
  const texts = keptBy((printed: string) => printedFeatures(printed))
  return {
    isLabelled: labelsBeside(compare, around),
    of: (field, candidates, rule) => {
      const group = groupOf(field, candidates)
      const labelled = keptBy(
        (cell: Cell): Slot => slotOf(compare(cell.text), cell, Number.POSITIVE_INFINITY, { sheet, field }),
      )
      const values = new Float32Array(candidates.length * featureNames.length)
      const rows = candidates.map((_, order) => new FeatureRow(values, order, featureNames.length))
      const ofField = fieldFeatures(field)
      const each = candidates.map(({ span }, order) =>
        placeFeatures({ sheet, field, ofField, span, beside: beside(span), labelled }, rows[order] as FeatureRow),
      )
      const labels = labelsOf(
        each.map(({ own }) => own),
        group,
      )
      const likeliest = each.reduce((most, { likely }) => Math.max(most, likely), each[0]?.likely ?? 0)
      const repeats = repeatsOf(candidates, group.keys, around)
      const sums = sumsIn(candidates)
      const ruleKey = rule === null ? null : keyOf(rule.value)
      const asks = kindsAskedBy(nameOfField(field))
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
        row.addAll(beside(candidate.span).textEdges)
        row.add(yes(typeof candidate.value === 'number' && candidate.value < 0))
        row.addAll(asks)
        row.addAll(texts(candidate.printed).looks)
        return row.values
      })
    },
  }
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
