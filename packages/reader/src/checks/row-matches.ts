import { isJsonObject, type Json, pointerStep } from '@skillrun/core/json.ts'
import { type Line, lineText } from '../layout/layout.ts'
import { remembered } from '../layout/remembered.ts'
import { fold, tokensOf } from '../layout/text.ts'
import { findDates, isoDay } from '../values/dates.ts'

/** A list of an answer with the values of each of its items. */
export interface AnswerList {
  readonly path: string
  readonly items: readonly (readonly (string | number)[])[]
}

/** Fewer rows have no common form. */
export const rowsMin = 3
const depthMax = 32

/** The lists of an answer with at least `rowsMin` items that have their own values. */
export function listsIn(answer: Json): AnswerList[] {
  const lists: AnswerList[] = []
  const visit = (value: Json, path: string, depth: number): void => {
    if (depth > depthMax) return
    if (isJsonObject(value)) {
      for (const [name, inner] of Object.entries(value)) visit(inner, path + pointerStep(name), depth + 1)
    } else if (Array.isArray(value)) {
      const items = value.map((item: Json) => (Array.isArray(item) ? item.filter(isScalar) : scalarsIn(item)))
      if (value.length >= rowsMin && items.some((item) => item.length > 0)) lists.push({ path, items })
      value.forEach((item: Json, index) => {
        // The cells of a row are values of that row, not a nested list.
        if (!Array.isArray(item) || !item.every(isCell)) visit(item, path + pointerStep(index), depth + 1)
      })
    }
  }
  visit(answer, '', 0)
  return lists
}

const isScalar = (value: Json): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')

const isCell = (value: Json): boolean => value === null || typeof value !== 'object'

/** The texts and numbers of an item, without those of lists inside it. */
function scalarsIn(item: Json): (string | number)[] {
  if (isJsonObject(item)) return Object.values(item).flatMap(scalarsIn)
  return isScalar(item) ? [item] : []
}

/** The numbers that digits and marks may stand for, with any decimal mark: `1.234` is 1234 or 1.234. */
const numbersIn: (text: string) => readonly number[] = remembered((text) =>
  [...text.matchAll(/\d(?:[\d.,'’ \u00a0\u202f]*\d)?/g)].flatMap(([printed]) => {
    const compact = printed.replace(/[^\d.,]/g, '')
    const last = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','))
    const whole = compact.replace(/\D/g, '')
    const readings = [Number(whole)]
    if (last >= 0) readings.push(Number(`${compact.slice(0, last).replace(/\D/g, '')}.${compact.slice(last + 1)}`))
    return readings.filter(Number.isFinite).map(numberKey)
  }),
)

const numberKey = (value: number): number =>
  Number.isInteger(value) ? Math.abs(value) : Number(Math.abs(value).toFixed(6))

/** The keys of words, numbers and days: a number for each. */
interface Keys {
  readonly words: Map<string, number>
  readonly numbers: Map<number, number>
  readonly days: Map<string, number>
}

const known = <Key>(keys: ReadonlyMap<Key, number>, wanted: readonly Key[]): number[] =>
  wanted.flatMap((key) => keys.get(key) ?? [])

/** The keys of a value that lines have: one of each group. */
function groupsOf(value: string | number, { words, numbers, days }: Keys): readonly (readonly number[])[] {
  if (typeof value === 'number') return [known(numbers, [numberKey(value)])]
  const day = /^\d{4}-\d\d-\d\d(?=$|T)/.exec(value)?.[0]
  if (day !== undefined) return [[...known(days, [day]), ...known(words, [fold(day)])]]
  const own = tokensOf(value).map((token) => token.text)
  if (/^\W*\d[\d.,'’ ]*\W*$/.test(value)) return [[...known(numbers, numbersIn(value)), ...known(words, own)]]
  return own.map((word) => known(words, [word]))
}

/** The lines of the documents by their content. */
export interface LineIndex {
  readonly keys: Keys
  /** The keys of each line. */
  readonly ofLines: readonly ReadonlySet<number>[]
  /** The lines of each key. */
  readonly places: readonly (readonly number[])[]
}

/** Indexes everything on a line that a value may equal. */
export function indexLines(lines: readonly Line[]): LineIndex {
  const keys: Keys = { words: new Map(), numbers: new Map(), days: new Map() }
  const places: number[][] = []
  const ofLines: Set<number>[] = []
  const add = <Key>(numbered: Map<Key, number>, key: Key, at: number): void => {
    let number = numbered.get(key)
    if (number === undefined) {
      number = places.push([]) - 1
      numbered.set(key, number)
    }
    const own = ofLines[at]
    if (own === undefined || own.has(number)) return
    own.add(number)
    places[number]?.push(at)
  }
  for (const [at, line] of lines.entries()) {
    ofLines.push(new Set())
    for (const { text, words } of line.cells) {
      for (const token of tokensOf(text)) add(keys.words, token.text, at)
      if (!/\d/.test(text)) continue
      for (const { word } of words)
        if (/\d/.test(word.text)) for (const number of numbersIn(word.text)) add(keys.numbers, number, at)
      if (text !== words[0]?.word.text) for (const number of numbersIn(text)) add(keys.numbers, number, at)
    }
    for (const { dayFirst, monthFirst } of findDates(lineText(line)))
      for (const day of [dayFirst, monthFirst]) if (day !== null) add(keys.days, isoDay(day), at)
  }
  return { keys, ofLines, places }
}

/** An item matches a line that has this share of its values. */
const shareMin = 0.5
/** The rarest values of an item select the lines to compare with it: the two rarest, and two more if they are on few lines. */
const rareKeys = 4
const surelyRare = 2
const nearEnough = 40
const placesMax = 400

function hasAny(own: ReadonlySet<number>, keys: readonly number[]): boolean {
  for (const key of keys) if (own.has(key)) return true
  return false
}

/** The lines with the most values of an item. */
function optionsOf(item: AnswerList['items'][number], { keys, ofLines, places }: LineIndex): number[] {
  const values = item.map((value) => groupsOf(value, keys)).filter((groups) => groups.length > 0)
  const lists = [...new Set(values.flat(2))]
    .flatMap((key) => {
      const found = places[key]
      return found ? [found] : []
    })
    .toSorted((a, b) => a.length - b.length)
    .slice(0, rareKeys)
  const near = new Set<number>()
  for (const [rank, list] of lists.entries())
    if (rank < surelyRare || list.length < nearEnough) for (const at of list.slice(0, placesMax)) near.add(at)
  let lines: number[] = []
  let share = shareMin
  for (const at of [...near].toSorted((a, b) => a - b)) {
    const own = ofLines[at]
    if (!own) continue
    let total = 0
    let matched = 0
    for (const groups of values) {
      let found = 0
      for (const group of groups) if (hasAny(own, group)) found++
      const one = found / groups.length
      total += one
      if (one >= shareMin) matched++
    }
    const sum = total / values.length
    if (matched < Math.min(2, values.length)) continue
    if (sum > share + 1e-9) lines = []
    if (sum >= share - 1e-9) {
      lines.push(at)
      share = Math.max(share, sum)
    }
  }
  return lines
}

/**
 * The line of each item, or -1. An item whose values are on only one line is placed there; the others follow in the order of the answer,
 * each on a separate line.
 */
export function matchRows(list: AnswerList, index: LineIndex, isTaken: (line: number) => boolean): number[] {
  const options = list.items.map((item) => optionsOf(item, index).filter((line) => !isTaken(line)))
  const claims = new Map<number, number>()
  for (const [line] of options.filter((lines) => lines.length === 1))
    if (line !== undefined) claims.set(line, (claims.get(line) ?? 0) + 1)
  const matched = options.map((lines) => {
    const [line] = lines
    return lines.length === 1 && line !== undefined && claims.get(line) === 1 ? line : -1
  })
  const used = new Set(matched.filter((line) => line >= 0))
  let last = -1
  for (const [at, lines] of options.entries()) {
    if ((matched[at] ?? -1) < 0) {
      const free = lines.filter((line) => !used.has(line))
      const line = free.find((one) => one > last) ?? free[0]
      if (line === undefined) continue
      matched[at] = line
      used.add(line)
    }
    last = matched[at] ?? last
  }
  return matched
}
