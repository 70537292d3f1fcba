import type { Kind } from '../languages/concept.ts'
import { type Conventions, type ParsedValue, readAs } from './parsed-values.ts'

/** Characters printed one to a box, as the comb fields of forms do: `T M - 4 5 0 S`, `0 4 11 A 2 7 7 3 6`. */
const combPattern = /(?<!\S)(?:(?:[\p{Lu}\p{N}]{1,2}|\p{L}|[-./,\p{Sc}]) ){3,40}(?:[\p{Lu}\p{N}]{1,2}|\p{L})(?!\S)/gu
/** A date whose day, month and year have boxes of their own: `2026 04 30`. */
const dateGroups = /(?<!\d|\d[.,/ -])(?:\d{4} \d{2} \d{2}|\d{2} \d{2} \d{4})(?![.,/ -]?\d)/gu
/** A day without marks: `25032018`. A year in front is found as any date. */
const bareDate = /(?<![\p{L}\d.,/:-])\d{4}(?:19|20)\d{2}(?![\p{L}\d]|[.,/:-]\d)/gu
/** Two thin characters may stand so close that they are one word, and marks are few; more of them are not a comb. */
const othersShare = 1 / 4

/** What a date is a part of has more figures. */
const dateFiguresMax = 8

/** Values of a kind whose characters or parts are printed in boxes of their own, and days without marks. */
export function readCombs(kind: Kind, text: string, conventions: Conventions): ParsedValue[] {
  const bare = kind === 'date' ? [...text.matchAll(bareDate)] : []
  const found = bare.flatMap((match) => readJoined(kind, match, match[0], conventions))
  return text.includes(' ') ? [...found, ...readBoxes(kind, text, conventions)] : found
}

function readBoxes(kind: Kind, text: string, conventions: Conventions): ParsedValue[] {
  const combs = [...text.matchAll(combPattern)].filter(({ 0: printed }) => isComb(printed.split(' ')))
  const found = combs.flatMap((match) => readJoined(kind, match, match[0].replaceAll(' ', ''), conventions))
  if (kind !== 'date' || text.replace(/\D/gu, '').length > dateFiguresMax) return found
  return [
    ...found,
    ...[...text.matchAll(dateGroups)].flatMap((match) =>
      readJoined(kind, match, match[0].replaceAll(' ', '/'), conventions),
    ),
  ]
}

function isComb(words: readonly string[]): boolean {
  const others = words.filter((word) => !/^[\p{L}\p{N}]$/u.test(word)).length
  const figures = words.map(Number)
  // The scale of a question: `0 1 2 3 4 5`.
  const isScale = figures.every((figure, at) => at === 0 || figure === (figures[at - 1] ?? 0) + 1)
  return others <= words.length * othersShare && !isScale
}

function readJoined(
  kind: Kind,
  { index, 0: printed }: RegExpExecArray,
  joined: string,
  conventions: Conventions,
): ParsedValue[] {
  const place = { start: index, end: index + printed.length, printed, fit: 0.5 }
  if (/^(?:text|name|address|id)$/.test(kind)) return [{ ...place, value: joined }]
  const [, one, two, year] = (kind === 'date' && /^(\d{2})(\d{2})(\d{4})$/.exec(joined)) || []
  const texts = year === undefined ? [joined] : [joined, `${one}/${two}/${year}`]
  return texts.flatMap((text) =>
    readAs(kind, text, conventions)
      .filter(({ start, end }) => !/[\p{L}\d]/u.test(text.slice(0, start) + text.slice(end)))
      .map(({ value }) => ({ ...place, value })),
  )
}
