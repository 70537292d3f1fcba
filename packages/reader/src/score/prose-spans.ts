import type { Cell } from '../layout/layout.ts'
import { runningTextOf } from '../layout/running-text.ts'
import { squeeze, trimMarks } from '../layout/text.ts'
import { findDurations } from '../values/durations.ts'
import type { ParsedValue } from '../values/parsed-values.ts'
import { type TextPart, titlesAt } from './parts.ts'
import { isValue, type ReadSpan, readSpanOf, spanOver, textMax, textPart } from './read-span.ts'

/** What is read of a cell's text, and what of it goes on in the next line of running text. */
export function inRunningText(cell: Cell, read: (text: string) => readonly ParsedValue[]): ReadSpan[] {
  const own = read(cell.text).map((reading) => readSpanOf(cell, 'typed', reading))
  return [...own, ...readOver(cell, read, (below, reading) => [spanOver(cell, below, 'typed', reading)])]
}

/** What begins in a cell and goes on in the next line of running text. */
function readOver<Part extends TextPart>(
  cell: Cell,
  read: (text: string) => readonly Part[],
  spans: (below: Cell, part: Part, text: string) => ReadSpan[],
): ReadSpan[] {
  const { below } = runningTextOf(cell)
  if (below === undefined) return []
  const { length } = cell.text
  const text = `${cell.text} ${below.text.slice(0, textMax)}`
  return read(text)
    .filter(({ start, end }) => start < length && end > length + 1)
    .flatMap((part) => spans(below, part, text))
}

/** Words of a cell from which on it is running text. */
const proseWordsMin = 5

const capitalised = String.raw`\p{Lu}[\p{L}\p{N}'’&.-]*`
/** Consecutive capitalised words, and the small words between them. */
const namesPattern = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${capitalised}(?:,? (?:(?:of|and|the|de|van|von|&) ){0,2}${capitalised})*(?<=[\p{L}\p{N}.])`,
  'gu',
)

/** Names in running text, and spans of time where any text is wanted; also those that go on in the next line. */
export function textsInProse(cell: Cell, kind: string): ReadSpan[] {
  const { above, below } = runningTextOf(cell)
  const isRunning = above.length > 0 || below !== undefined
  if (!isRunning && cell.words.length < proseWordsMin) return []
  const find = (whole: string): readonly TextPart[] => [
    ...(kind === 'time' ? [] : namesIn(whole)),
    // `response_time` may ask for an hour or for a span of time.
    ...(kind === 'text' || kind === 'time' ? findDurations(whole) : []),
  ]
  const own = find(cell.text).flatMap(({ start, end }) => textPart(cell, start, end, 'name-in-prose', 0.6))
  const broken = readOver(cell, find, (below, { start, end }, text) => {
    const value = squeeze(trimMarks(text.slice(start, end)))
    if (!isValue(value)) return []
    return [spanOver(cell, below, 'name-in-prose', { start, end, value, printed: value, fit: 0.6 })]
  })
  return [...own, ...broken]
}

const nameMax = 80

/** What parts consecutive capitalised words: commas, `and`, and the end of a sentence. */
const betweenNames = /, |,? and (?:the )?|(?<=\p{Ll}{3}|\p{Lu}{4})\. /gu
/** Stretches of capitalised words of more parts are lists, whose single names count. */
const namePartsMax = 4

/** Stretches of consecutive capitalised words and their parts: between marks, behind `of`, and behind titles of persons. */
function namesIn(text: string): TextPart[] {
  return [...text.matchAll(namesPattern)].flatMap(({ index, 0: stretch }) => {
    const borders = [...stretch.matchAll(betweenNames)]
    const starts = [0, ...borders.map((border) => border.index + border[0].length)]
    const ends = [...borders.map((border) => border.index), stretch.length]
    const joined = starts
      .slice(0, namePartsMax)
      .flatMap((start, at) => ends.slice(at, at + namePartsMax).map((end) => ({ start, end })))
    const single = starts.map((start, at) => ({ start, end: ends[at] ?? stretch.length }))
    // A title or `of` in front of a name may take as many characters as the name.
    const parts = [...joined, ...single].filter(({ start, end }) => end - start <= 2 * nameMax)
    const behind = parts.flatMap(({ start, end }) =>
      startsWithin(stretch.slice(start, end)).map((from) => ({ start: start + from, end })),
    )
    const all = new Map([...parts, ...behind].map((part) => [`${part.start} ${part.end}`, part]))
    return [...all.values()]
      .filter(({ start, end }) => end - start > 2 && end - start <= nameMax)
      .map(({ start, end }) => ({ start: index + start, end: index + end }))
  })
}

/** Where names begin within a name: behind its `of`, and behind each title of a person. */
function startsWithin(name: string): number[] {
  const of = / of (?:the )?/u.exec(name)
  const titled = [...name.matchAll(/(?<=^|\s)\p{Lu}/gu)].flatMap(({ index }) => {
    const length = titlesAt(name.slice(index))
    return length === 0 ? [] : index === 0 ? [length] : [index, index + length]
  })
  return [...(of === null ? [] : [of.index + of[0].length]), ...titled]
}
