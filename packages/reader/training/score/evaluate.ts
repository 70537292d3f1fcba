import type { CalibratedSource, Threshold } from '../../src/score/model.ts'
import { wrongBound } from './bounds.ts'
import {
  type Choice,
  calibrationOn,
  familyOfChoice,
  foldOf,
  folds,
  isAskedAsIs,
  isPrinted,
  isReal,
  probabilityAt,
  type Scored,
  scoreBy,
  scoreStrange,
} from './fit.ts'

/** A held-out choice with its calibrated probability, and the thresholds that it is held against. */
export interface Judged {
  readonly choice: Choice
  readonly isRight: boolean
  readonly probability: number
  readonly thresholds: readonly Threshold[]
}

const judgedOn = (calibrating: readonly Scored[], own: readonly Scored[]): Judged[] => {
  const { calibration, thresholds } = calibrationOn(calibrating)
  return own.map(({ choice, score, isRight }) => {
    const source: CalibratedSource = choice.group.source
    return { choice, isRight, probability: probabilityAt(calibration[source], score), thresholds: thresholds[source] }
  })
}

/** Choices of documents of known sets; all that decides on them was trained and calibrated on the documents of other folds. */
export async function judgeByFold(held: readonly Choice[], strange: readonly Choice[]): Promise<Judged[]> {
  const parts = Array.from({ length: folds }, async (_, fold) => {
    const others = strange.filter(({ group }) => foldOf(group) !== fold)
    const own = held.filter(({ group }) => foldOf(group) === fold)
    return judgedOn(await scoreStrange(others), await scoreBy(others, own))
  })
  return (await Promise.all(parts)).flat()
}

/** Families of sets are left out in so many parts: each pair of parts needs a forest of its own. */
const partsMax = 7

/**
 * Choices of documents of each family of sets; all that decides on them was trained and calibrated on families of other parts. That is a
 * little less than the shipped weights know of strange families, where only one is left out.
 */
export async function judgeStrange(strange: readonly Choice[]): Promise<Judged[]> {
  const families = [...Map.groupBy(strange, familyOfChoice).keys()]
  const partOf = new Map(families.map((family, at) => [family, at % partsMax]))
  const parts = [...Map.groupBy(strange, (choice) => partOf.get(familyOfChoice(choice)) ?? 0)]
  // A forest that knows neither of two parts scores both.
  const scored = new Map<string, Promise<Scored[]>>()
  for (const [at, [one]] of parts.entries())
    for (const [other] of parts.slice(at)) {
      const isOut = (part: number): boolean => part === one || part === other
      const known = parts.flatMap(([part, own]) => (isOut(part) ? [] : own))
      const asked = parts.flatMap(([part, own]) => (isOut(part) ? own.filter(isAskedAsIs) : []))
      const both = scoreBy(known, asked)
      scored.set(`${one}/${other}`, both)
      scored.set(`${other}/${one}`, both)
    }
  const scoresOf = async (part: number, without: number): Promise<Scored[]> =>
    ((await scored.get(`${part}/${without}`)) ?? []).filter(({ choice }) => partOf.get(familyOfChoice(choice)) === part)
  const judged = parts.map(async ([part]) => {
    const others = parts.filter(([other]) => other !== part)
    const calibrating = await Promise.all(others.map(([other]) => scoresOf(other, part)))
    return judgedOn(calibrating.flat(), await scoresOf(part, part))
  })
  return (await Promise.all(judged)).flat()
}

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : ((100 * part) / whole).toFixed(1))

/** Right, wrong and abstained answers by set, of the rules and of the score at some rates of wrong answers. */
export function table(judged: readonly Judged[], rates: readonly number[]): string {
  const head = ['set', 'documents', 'fields', 'rules right %', 'rules wrong %', 'likeliest right %']
  for (const rate of rates) head.push(`right % at ${rate}`, `wrong of given at ${rate}`, 'in %')
  head.push('calibration error')
  const lines = bySet(judged).map(([set, all]) => row(set, all, rates))
  const kinds = { 'real sets': isReal, 'printed pages': isPrinted }
  for (const [name, isIn] of Object.entries(kinds)) {
    const own = judged.filter(({ choice }) => isIn(choice.group))
    if (own.length > 0) lines.push(row(name, own, rates))
  }
  lines.push(row('all', judged, rates))
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const bySet = (judged: readonly Judged[]): [string, Judged[]][] =>
  [...Map.groupBy(judged, ({ choice }) => choice.group.set)].toSorted(([a], [b]) => (a < b ? -1 : 1))

function row(set: string, all: readonly Judged[], rates: readonly number[]): string[] {
  const there = all.filter(({ choice }) => choice.group.isThere)
  const byRules = all.filter(({ choice }) => choice.group.ruleKey !== null)
  const rightByRules = there.filter(({ choice }) => choice.group.rule === 'right').length
  const cells = [
    set,
    String(new Set(all.map(({ choice }) => choice.group.document)).size),
    String(there.length),
    percent(rightByRules, there.length),
    percent(byRules.length - rightByRules, byRules.length),
    percent(there.filter(({ isRight }) => isRight).length, there.length),
  ]
  for (const rate of rates) {
    const given = all.filter(({ probability, thresholds }) => {
      const found = thresholds.find(({ maxWrongRate }) => maxWrongRate === rate)
      return found !== undefined && probability >= found.probability
    })
    const right = given.filter(({ isRight }) => isRight).length
    const documents = [...Map.groupBy(given, ({ choice }) => choice.group.document).values()].map((own) => ({
      answers: own.length,
      wrong: own.filter(({ isRight }) => !isRight).length,
    }))
    const bound = given.length === 0 ? '' : ` (≤ ${(100 * wrongBound(documents)).toFixed(1)})`
    cells.push(percent(right, there.length), `${given.length - right} of ${given.length}`)
    cells.push(`${percent(given.length - right, given.length)}${bound}`)
  }
  return [...cells, calibrationError(all).toFixed(3)]
}

/** The mean distance of probability and share of right answers in ten bins, by their sizes. */
function calibrationError(all: readonly Judged[]): number {
  return binned(all).reduce((sum, { mean, right, count }) => sum + Math.abs(mean - right) * count, 0) / all.length
}

interface Bin {
  readonly mean: number
  readonly right: number
  readonly count: number
}

function binned(all: readonly Judged[]): Bin[] {
  const bins = Map.groupBy(all, ({ probability }) => Math.min(9, Math.floor(probability * 10)))
  return [...bins]
    .toSorted(([a], [b]) => a - b)
    .map(([, own]) => ({
      mean: own.reduce((total, { probability }) => total + probability, 0) / own.length,
      right: own.filter(({ isRight }) => isRight).length / own.length,
      count: own.length,
    }))
}

const panel = { width: 150, height: 175, side: 120, across: 5 }

/** A diagram for each set: what the probability said, and the share that was right; the larger a point, the more answers. */
export function diagram(title: string, judged: readonly Judged[]): string {
  const sets = bySet(judged)
  const rows = Math.ceil(sets.length / panel.across)
  const [width, height] = [panel.width * panel.across + 30, panel.height * rows + 30]
  const panels = sets.map(([set, all], n) => {
    const [x, y] = [(n % panel.across) * panel.width + 20, Math.floor(n / panel.across) * panel.height + 50]
    const points = binned(all).map(({ mean, right, count }) => {
      const [cx, cy] = [(mean * panel.side).toFixed(1), ((1 - right) * panel.side).toFixed(1)]
      return `<circle cx="${cx}" cy="${cy}" r="${(1.5 + Math.sqrt(count) / 6).toFixed(1)}" fill="#1f6feb" fill-opacity="0.55"/>`
    })
    const frame = `<rect width="${panel.side}" height="${panel.side}" fill="none" stroke="#999"/><path d="M0 ${panel.side}L${panel.side} 0" stroke="#999" stroke-dasharray="3"/>`
    return `<g transform="translate(${x} ${y})"><text y="-6">${set}</text>${frame}${points.join('')}</g>`
  })
  const style = 'font-family="sans-serif" font-size="11"'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ${style}>`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/><text x="20" y="20" font-size="13">${title}</text>`,
    ...panels,
    '</svg>\n',
  ].join('\n')
}

/** By set, how many of the answers of each range of probability were right: what the probability says, and what was. */
export function reliability(all: readonly Judged[]): string {
  const bins = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98]
  const head = ['set', ...bins.map((from, at) => `${from} to ${bins[at + 1] ?? 1}`)]
  const lines = [...bySet(all), ['all', all] as const].map(([set, own]) => [
    set,
    ...bins.map((from, at) => {
      const inBin = own.filter(({ probability }) => probability >= from && probability < (bins[at + 1] ?? 2))
      const mean = inBin.reduce((sum, { probability }) => sum + probability, 0) / Math.max(1, inBin.length)
      const right = inBin.filter(({ isRight }) => isRight).length
      return inBin.length === 0 ? '–' : `${mean.toFixed(2)}: ${right} of ${inBin.length}`
    }),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
