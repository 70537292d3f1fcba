import type { Line, PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { keptWeakly } from '../layout/remembered.ts'

/** A table whose cells the page's rules enclose: the words of each cell by row and column. */
export interface Lattice {
  readonly lines: readonly Line[]
  /** By row and column; a cell over several columns or rows stands in its first. */
  readonly rows: readonly (readonly (readonly PlacedWord[])[])[]
  /** The edges of the columns, one more than there are columns. */
  readonly edges: readonly number[]
}

/** A rule: at `at` across, `from` … `to` along. */
interface Rule {
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Rules this near, in points, are one, and reach each other. */
const near = 3
/** The share of a side of a cell that rules must cover. */
const sideShare = 0.8
/** The minimum share of enclosed cells among the places of a lattice. */
const enclosedShare = 0.6
/** The maximum share of rows that hold several rows of values. */
const stackedShare = 0.1
/** The minimum share of enclosed cells with words: maps and drawings have few. */
const filledShare = 0.35
/** Texts with a gap of so many text heights are apart. */
const gapHeights = 1.5
const placesMax = 6_000

/** The tables of a page whose cells are enclosed by rules. */
export const latticesOn: (page: PageLayout) => readonly Lattice[] = keptWeakly((page) => {
  const { rules } = page.page
  if (!rules) return []
  const level = merged(rules.flatMap(([x, y, w, h]) => (h === 0 ? [scaled(y, x, w, page.height, page.width)] : [])))
  const upright = merged(rules.flatMap(([x, y, w, h]) => (w === 0 ? [scaled(x, y, h, page.width, page.height)] : [])))
  return connected(level, upright).flatMap((part) => latticeOf(page, part) ?? [])
})

/** True where the edges of two lattices stand below each other. */
export const haveSameColumns = (one: Lattice, other: Lattice): boolean =>
  one.edges.length === other.edges.length &&
  one.edges.every((edge, at) => Math.abs(edge - (other.edges[at] ?? 0)) <= near)

const scaled = (at: number, from: number, length: number, across: number, along: number): Rule => ({
  at: at * across,
  from: from * along,
  to: (from + length) * along,
})

/** Rules that go on in one line as one. */
function merged(rules: readonly Rule[]): Rule[] {
  const lines: Rule[][] = []
  for (const rule of rules.toSorted((a, b) => a.at - b.at)) {
    const last = lines.at(-1)
    if (last?.[0] && rule.at - last[0].at <= near / 2) last.push(rule)
    else lines.push([rule])
  }
  return lines.flatMap((line) => {
    const whole: { at: number; from: number; to: number }[] = []
    for (const { at, from, to } of line.toSorted((a, b) => a.from - b.from)) {
      const last = whole.at(-1)
      if (last && from <= last.to + near) last.to = Math.max(last.to, to)
      else whole.push({ at, from, to })
    }
    return whole
  })
}

interface Part {
  readonly level: Rule[]
  readonly upright: Rule[]
}

const meets = (level: Rule, upright: Rule): boolean =>
  upright.at >= level.from - near &&
  upright.at <= level.to + near &&
  level.at >= upright.from - near &&
  level.at <= upright.to + near

/** Groups of rules that meet. */
function connected(level: readonly Rule[], upright: readonly Rule[]): Part[] {
  let parts: Part[] = level.map((rule) => ({ level: [rule], upright: [] }))
  for (const rule of upright) {
    const met = parts.filter((part) => part.level.some((one) => meets(one, rule)))
    if (met.length === 0) continue
    const whole = { level: met.flatMap((part) => part.level), upright: [...met.flatMap((part) => part.upright), rule] }
    parts = [...parts.filter((part) => !met.includes(part)), whole]
  }
  return parts
}

/** The edges of rows or columns: the rules, and where those across end, for a table may be open at its sides. */
const edgesOf = (rules: readonly Rule[], across: readonly Rule[]): number[] => {
  const kept: number[] = []
  const all = [...rules.map(({ at }) => at), ...across.flatMap(({ from, to }) => [from, to])]
  const [least, most] = [Math.min(...all), Math.max(...all)]
  for (const at of [least, ...rules.map((rule) => rule.at).toSorted((a, b) => a - b), most])
    if (at - (kept.at(-1) ?? Number.NEGATIVE_INFINITY) > near) kept.push(at)
  return kept
}

/** True when rules at a place cover a side. */
const isClosed = (rules: readonly Rule[], at: number, from: number, to: number): boolean =>
  rules
    .filter((rule) => Math.abs(rule.at - at) <= near)
    .reduce((sum, rule) => sum + Math.max(0, Math.min(to, rule.to) - Math.max(from, rule.from)), 0) >=
  (to - from) * sideShare

function latticeOf(page: PageLayout, { level, upright }: Part): Lattice | undefined {
  const [xs, ys] = [edgesOf(upright, level), edgesOf(level, upright)]
  const [width, height] = [xs.length - 1, ys.length - 1]
  if (width < 2 || height < 2 || width * height > placesMax) return undefined
  // The place that stands for each place: itself, or the first of its cell where no rule parts them.
  const owner = Array.from({ length: width * height }, (_, at) => at)
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const [x0 = 0, x1 = 0] = [xs[column], xs[column + 1]]
      const [y0 = 0, y1 = 0] = [ys[row], ys[row + 1]]
      const at = row * width + column
      if (column > 0 && !isClosed(upright, x0, y0, y1)) owner[at] = owner[at - 1] ?? at
      else if (row > 0 && !isClosed(level, y0, x0, x1)) owner[at] = owner[at - width] ?? at
    }
  if (new Set(owner).size < width * height * enclosedShare) return undefined
  const cells = Array.from({ length: width * height }, (): PlacedWord[] => [])
  const lines: Line[] = []
  // How many lines of a cell have several values apart.
  const parted = new Map<number, number>()
  const placeAt = (edges: readonly number[], middle: number): number => edges.findLastIndex((edge) => edge <= middle)
  for (const line of page.lines) {
    let isInside = false
    const row = placeAt(ys, (line.y0 + line.y1) / 2)
    if (row < 0 || row >= height) continue
    const chunks = new Map<number, PlacedWord[][]>()
    for (const word of line.cells.flatMap(({ words }) => words)) {
      const column = placeAt(xs, (word.x0 + word.x1) / 2)
      if (column < 0 || column >= width) continue
      const at = owner[row * width + column] ?? 0
      const own = chunks.get(at) ?? []
      chunks.set(at, own)
      const last = own.at(-1)
      if (last && word.x0 - (last.at(-1)?.x1 ?? 0) < gapHeights * line.height) last.push(word)
      else own.push([word])
      isInside = true
    }
    if (isInside) lines.push(line)
    // Texts far apart in a cell over several columns are headings of theirs.
    for (const [at, own] of chunks) {
      const isParted = own.length > 1 && at >= row * width
      const places = own.map(([first]) =>
        isParted ? row * width + Math.max(at % width, placeAt(xs, first?.x0 ?? 0)) : at,
      )
      for (const [index, place] of places.entries()) cells[place]?.push(...(own[index] ?? []))
      const ofValues = places.filter((_, index) => isValue(own[index]?.[0]))
      for (const place of new Set(ofValues.filter((one, index) => ofValues.indexOf(one) !== index)))
        parted.set(place, (parted.get(place) ?? 0) + 1)
    }
  }
  const rows = Array.from({ length: height }, (_, row) => cells.slice(row * width, (row + 1) * width))
  if ([...parted.values()].some((count) => count > 1)) return undefined
  const filled = rows.filter((row) => row.some((words) => words.length > 0))
  const kept = xs.slice(0, -1).flatMap((_, at) => (filled.some((row) => (row[at]?.length ?? 0) > 0) ? [at] : []))
  if (filled.length < 2 || kept.length < 2) return undefined
  if (cells.filter((words) => words.length > 0).length < new Set(owner).size * filledShare) return undefined
  if (filled.filter(isStacked).length > filled.length * stackedShare) return undefined
  return {
    lines,
    rows: filled.map((row) => kept.map((at) => row[at] ?? [])),
    edges: [...kept.map((at) => xs[at] ?? 0), xs.at(-1) ?? 0],
  }
}

const isValue = (placed: Pick<PlacedWord, 'word'> | undefined): boolean => /^\W*\d/.test(placed?.word.text ?? '')

/**
 * True for a row whose rules part groups of rows: two cells have several lines with values, and no more cells have a single line. A row
 * with wrapped values has those, too.
 */
function isStacked(row: readonly (readonly PlacedWord[])[]): boolean {
  const filled = row.filter((words) => words.length > 0)
  const stacked = filled.filter((words) => topsOf(words.filter(isValue)).length > 1).length
  const single = filled.filter((words) => topsOf(words).length === 1).length
  return stacked > 1 && single <= stacked
}

/** The tops of the lines that begin with one of some words, a top for each line. */
function topsOf(words: readonly PlacedWord[]): number[] {
  const tops: number[] = []
  for (const { y0, y1 } of words) if (tops.every((top) => Math.abs(top - y0) > (y1 - y0) / 2)) tops.push(y0)
  return tops
}
