import type { CalibratedSource, Curve, Threshold } from '../../src/score/model.ts'
import { type Forest, packed, probabilityOf } from '../../src/score/trees.ts'
import { cellFeatureNames } from '../../src/tables/cells/cell-features.ts'
import type { CellModel } from '../../src/tables/cells/decide-cells.ts'
import { type BoostOptions, boost } from '../score/boost.ts'
import { wrongBound } from '../score/bounds.ts'
import { isotonic, probabilityAt, rates } from '../score/fit.ts'
import { kindOf } from '../score/sets.ts'
import type { LabelledCells } from './list-cells.ts'

const boosting: BoostOptions = {
  ...{ trees: 60, depth: 4, rate: 0.1, leafMin: 20, bins: 32, lambda: 4 },
  ...{ rowShare: 0.6, featureShare: 0.4 },
}
/** Generated documents are alike, and so are the lists that a page does not have. */
const madeWeight = 0.3
const strangeWeight = 0.5

/** A cell with what forests say of it that were trained without its family of sets. */
interface Scored {
  readonly list: LabelledCells
  readonly isRight: boolean
  readonly score: number
  /** Cells of a column are right together: a column weighs by the root of its length. */
  readonly weight: number
}

const sourceOf = ({ recognised }: LabelledCells): CalibratedSource => (recognised ? 'recognised' : 'text')

function weightsOf({ set, isStrange, cells }: LabelledCells): number[] {
  const sizes = new Map<string, number>()
  for (const { pointer } of cells) sizes.set(pointer, (sizes.get(pointer) ?? 0) + 1)
  const weight = isStrange ? strangeWeight : /made/.test(set) ? madeWeight : 1
  return cells.map(({ pointer }) => weight / Math.sqrt(sizes.get(pointer) ?? 1))
}

function grow(lists: readonly LabelledCells[]): Forest {
  const width = cellFeatureNames.length
  const cells = lists.flatMap((list) => list.cells)
  const rows = new Float32Array(cells.length * width)
  for (const [at, { features }] of cells.entries()) rows.set(features, at * width)
  const labels = Uint8Array.from(cells, ({ isRight }) => Number(isRight))
  return boost({ width, rows, labels, weights: Float32Array.from(lists.flatMap(weightsOf)) }, boosting)
}

/** The cells of lists by forests that learned from the lists of other families. */
function scoredWithout(lists: readonly LabelledCells[], learned = lists): Scored[] {
  return [...Map.groupBy(lists, ({ set }) => kindOf(set))].flatMap(([family, own]) => {
    const forest = packed(grow(learned.filter(({ set }) => kindOf(set) !== family)))
    return own.flatMap((list) => {
      const weights = weightsOf(list)
      return list.cells.map(({ features, isRight }, at) => {
        return { list, isRight, score: probabilityOf(forest, features), weight: weights[at] ?? 1 }
      })
    })
  })
}

/** Lists that a page has: how often a schema asks for others is not known. */
const isAsked = ({ list }: Scored): boolean => !list.isStrange

const calibrated = (scored: readonly Scored[], source: CalibratedSource): Curve =>
  isotonic(
    scored
      .filter((one) => isAsked(one) && sourceOf(one.list) === source)
      .map(({ score, isRight, weight }) => ({ x: score, y: Number(isRight), weight })),
  )

/** The kinds of documents on each of which the share itself keeps to a rate: generated ones are many and alike. */
const deciding: readonly ((set: string) => boolean)[] = [(set) => !/made/.test(set), (set) => set.startsWith('printed')]

/**
 * For each rate the least probability above which the share of wrong cells stays below it: over all lists with its bound, as for single
 * fields, and the weighed share itself without generated ones.
 */
function thresholdsOf(scored: readonly Scored[], curve: Curve, source: CalibratedSource): Threshold[] {
  const own = scored.filter((one) => isAsked(one) && sourceOf(one.list) === source)
  const byProbability = Map.groupBy(own, ({ score }) => probabilityAt(curve, score))
  const kinds = [() => true, ...deciding].map((isIn: (set: string) => boolean) => ({ isIn, weight: 0, wrong: 0 }))
  const lists = new Map<string, { answers: number; wrong: number }>()
  let [answers, wrong] = [0, 0]
  const steps = [...byProbability]
    .toSorted(([a], [b]) => b - a)
    .map(([probability, cells]) => {
      for (const { list, isRight, weight } of cells) {
        const isWrong = Number(!isRight)
        const before = lists.get(list.document) ?? { answers: 0, wrong: 0 }
        lists.set(list.document, { answers: before.answers + 1, wrong: before.wrong + isWrong })
        answers++
        wrong += isWrong
        for (const kind of kinds.filter(({ isIn }) => isIn(list.set))) {
          kind.weight += weight
          kind.wrong += weight * isWrong
        }
      }
      const [share = 0, ...shares] = kinds.map((kind) => kind.wrong / Math.max(1, kind.weight))
      return { probability, answers, wrong, share: Math.max(wrongBound([...lists.values()], share), ...shares) }
    })
  return rates.map((maxWrongRate) => {
    const found = steps.findLast(({ share }) => share <= maxWrongRate)
    const { probability = 1, answers = 0, wrong = 0 } = found ?? {}
    return { maxWrongRate, probability, answers, wrong }
  })
}

const calibrationOn = (scored: readonly Scored[]): Pick<CellModel, 'calibration' | 'thresholds'> => {
  const calibration = { text: calibrated(scored, 'text'), recognised: calibrated(scored, 'recognised') }
  const of = (source: CalibratedSource): Threshold[] => thresholdsOf(scored, calibration[source], source)
  return { calibration, thresholds: { text: of('text'), recognised: of('recognised') } }
}

const groupOf = ({ set, recognised, isStrange }: LabelledCells): string => {
  const kind = set.startsWith('printed') ? 'printed pages' : kindOf(set)
  return isStrange ? 'lists of other printed pages' : recognised ? `scanned ${kind}` : kind
}

/** How many cells are below the threshold of a rate, and how many of the others are wrong: by forests, calibration and thresholds that know none of the family. */
export function tableOf(scored: readonly Scored[], rate: number): Record<string, Record<string, number | string>> {
  const judged = [...Map.groupBy(scored, ({ list }) => kindOf(list.set))].flatMap(([family, own]) => {
    const known = calibrationOn(scored.filter(({ list }) => kindOf(list.set) !== family))
    return own.map((one) => {
      const source = sourceOf(one.list)
      const least = known.thresholds[source].find(({ maxWrongRate }) => maxWrongRate === rate)?.probability ?? 1
      return { ...one, isSure: probabilityAt(known.calibration[source], one.score) >= least }
    })
  })
  const rows = [...Map.groupBy(judged, ({ list }) => groupOf(list))].map(([name, own]) => {
    const sure = own.filter(({ isSure }) => isSure)
    const lists = [...Map.groupBy(sure, ({ list }) => list.document).values()].map((cells) => ({
      ...{ answers: cells.length, wrong: cells.filter(({ isRight }) => !isRight).length },
    }))
    const wrong = lists.reduce((sum, list) => sum + list.wrong, 0)
    const share = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`
    return [
      name,
      {
        ...{ lists: new Set(own.map(({ list }) => list.document)).size, cells: own.length },
        ...{ wrong: own.filter(({ isRight }) => !isRight).length, marked: share(own.length - sure.length, own.length) },
        ...{ 'wrong of others': `${wrong} of ${sure.length}`, share: share(wrong, sure.length) },
        bound: sure.length === 0 ? '–' : `${(100 * wrongBound(lists)).toFixed(1)} %`,
      },
    ] as const
  })
  return Object.fromEntries(rows)
}

/** The forest of all cells that are learned from, calibrated by those of lists with forests that were trained without a cell's family. */
export function fitCells(
  lists: readonly LabelledCells[],
  learned = lists,
): { model: CellModel; scored: readonly Scored[] } {
  const scored = scoredWithout(lists, learned)
  return { model: { features: cellFeatureNames, cells: grow(learned), ...calibrationOn(scored) }, scored }
}
