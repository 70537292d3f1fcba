import { readFileSync } from 'node:fs'
import type { PageSigns } from './page-signs.ts'

/** Two pages with text that follow each other, and whether blank pages lie between them. */
export interface PagePair {
  readonly before: PageSigns
  readonly after: PageSigns
  readonly isBlankBetween: boolean
}

const yes = (is: boolean): number => (is ? 1 : 0)

/** The share of the second list's texts that the first has. */
const shared = (first: Iterable<string>, second: readonly string[] | ReadonlySet<string>): number => {
  const known = new Set(first)
  const all = [...second]
  return all.length === 0 ? 0 : all.filter((text) => known.has(text)).length / all.length
}

const differs = (a: number, b: number, share: number): number =>
  yes(Math.abs(a - b) > share * Math.max(Math.abs(a), Math.abs(b), 1e-9))

/** Measures of a turn from 0 to 1, each with whether it speaks for (1) or against (-1) a new document. */
const measures: Readonly<Record<string, readonly [1 | -1, (turn: PagePair) => number]>> = {
  numberGoesOn: [
    -1,
    ({ before: { number: a }, after: { number: b } }) =>
      yes(a !== null && b !== null && b.page === a.page + 1 && a.of === b.of),
  ],
  numberIsOne: [1, ({ after: { number } }) => yes(number?.page === 1)],
  numberIsLater: [-1, ({ after: { number } }) => yes(number !== null && number.page > 1)],
  numberBreaks: [
    1,
    ({ before: { number: a }, after: { number: b } }) =>
      yes(a !== null && b !== null && (b.page !== a.page + 1 || a.of !== b.of)),
  ],
  lastOfAll: [1, ({ before: { number } }) => yes(number !== null && number.page === number.of)],
  moreToCome: [-1, ({ before: { number } }) => yes(number?.of != null && number.page < number.of)],
  onlyOneNumbered: [
    1,
    ({ before: { number: a }, after: { number: b } }) => yes((a === null) !== (b === null) && b?.page !== 2),
  ],
  headRepeats: [-1, ({ before, after }) => shared(before.head, after.head)],
  footRepeats: [-1, ({ before, after }) => shared(before.foot, after.foot)],
  footChanges: [
    1,
    ({ before, after }) => yes(before.foot.length > 0 && after.foot.length > 0) * (1 - shared(before.foot, after.foot)),
  ],
  otherShape: [1, ({ before, after }) => differs(before.ratio, after.ratio, 0.03)],
  otherType: [1, ({ before, after }) => differs(before.type, after.type, 0.08)],
  otherMargin: [1, ({ before, after }) => yes(Math.abs(before.left - after.left) > 0.02)],
  blankBetween: [1, ({ isBlankBetween }) => yes(isBlankBetween)],
  numbersShared: [
    -1,
    ({ before, after }) => Math.min(1, [...after.numbers].filter((one) => before.numbers.has(one)).length / 3),
  ],
  keysAgree: [-1, ({ before, after }) => Math.min(1, keysThat(before, after, (a, b) => a === b) / 2)],
  keysDiffer: [1, ({ before, after }) => Math.min(1, keysThat(before, after, (a, b) => a !== b) / 2)],
  largeType: [1, ({ after }) => Math.min(1, Math.max(0, after.largest - 1.15))],
  largerThanBefore: [1, ({ before, after }) => yes(after.largest > before.largest + 0.25)],
  namesKind: [1, ({ after }) => yes(after.namesKind)],
  greets: [1, ({ after }) => yes(after.greets)],
  closed: [1, ({ before }) => yes(before.closes)],
  dated: [1, ({ after }) => yes(after.isDated)],
  labelled: [1, ({ after }) => Math.min(1, after.labels / 5)],
  summed: [1, ({ before }) => yes(before.hasTotal)],
  endsEarly: [1, ({ before }) => Math.max(0, 1 - before.end)],
  carried: [-1, ({ before, after }) => yes(before.carriesOn || after.isContinued)],
  rowsRepeat: [-1, ({ before, after }) => yes([...after.rows].some((row) => before.rows.has(row)))],
  startsWithin: [-1, ({ before, after }) => yes(after.startsWithin && !before.endsSentence)],
  wordsShared: [-1, ({ before, after }) => shared(before.words, after.words)],
}

function keysThat({ keyed: a }: PageSigns, { keyed: b }: PageSigns, holds: (a: string, b: string) => boolean): number {
  let count = 0
  for (const [key, value] of b) {
    const other = a.get(key)
    if (other !== undefined && holds(other, value)) count += 1
  }
  return count
}

/** The names of the measures and the direction that the weight of each may have. */
export const directions: readonly (readonly [string, 1 | -1])[] = Object.entries(measures).map(([name, [way]]) => [
  name,
  way,
])

/** The measures of a turn, in the order of `directions`. */
export const measure = (turn: PagePair): number[] => Object.values(measures).map(([, read]) => read(turn))

interface Weights {
  readonly bias: number
  readonly measures: Readonly<Record<string, number>>
}

let read: Weights | undefined

/** The weights of the measures, fitted to made packets. */
function weightsOf(): Weights {
  read ??= JSON.parse(readFileSync(new URL('./weights.json', import.meta.url), 'utf8')) as Weights
  return read
}

/** The probability that a new document starts after a turn. */
export function boundaryProbability(turn: PagePair): number {
  const weights = weightsOf()
  let sum = weights.bias
  for (const [name, [, value]] of Object.entries(measures)) sum += (weights.measures[name] ?? 0) * value(turn)
  return 1 / (1 + Math.exp(-sum))
}
