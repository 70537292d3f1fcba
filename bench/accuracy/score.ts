import { isJsonObject, type Json, type JsonObject } from '../../packages/core/src/json.ts'
import type { Accepts } from '../../packages/reader/training/documents/schemas.ts'
import { judge, type Verdict } from '../../packages/reader/training/judge.ts'

/** The verdict on one field of one document. */
export interface Mark {
  readonly field: string
  readonly verdict: Verdict
  readonly expected: Json
  readonly given: Json
}

export interface Judged {
  readonly truth: JsonObject
  readonly accepts: Accepts
  readonly answer: Json
  readonly recognised: boolean
}

/**
 * Compares an answer with the truth, field by field. Rows of a list are aligned in order to maximise matching cells;
 * each cell is a field. Cells of rows that the answer lacks are missing; cells of additional rows are extra.
 */
export function score(judged: Judged): Mark[] {
  return scoreObject(judged, judged.truth, isJsonObject(judged.answer) ? judged.answer : {}, { field: '', path: '' })
}

interface Where {
  /** The path without row numbers. */
  readonly field: string
  readonly path: string
}

function scoreObject(judged: Judged, truth: JsonObject, answer: JsonObject, at: Where): Mark[] {
  return Object.entries(truth).flatMap(([key, value]) => {
    const below = {
      field: at.field === '' ? key : `${at.field}/${key}`,
      path: at.path === '' ? key : `${at.path}/${key}`,
    }
    const given = answer[key] ?? null
    if (Array.isArray(value)) return scoreRows(judged, value, Array.isArray(given) ? given : [], below)
    if (isJsonObject(value)) return scoreObject(judged, value, isJsonObject(given) ? given : {}, below)
    const accepted = judged.accepts[below.path] ?? []
    const verdict = judge({ field: below.field, value, accepted, recognised: judged.recognised }, given)
    return [{ field: below.field, verdict, expected: value, given }]
  })
}

function scoreRows(judged: Judged, truth: readonly Json[], answer: readonly Json[], at: Where): Mark[] {
  const rows = truth.filter(isJsonObject)
  const given = answer.filter(isJsonObject)
  const markRow = (i: number, j: number) =>
    scoreObject(judged, rows[i] ?? {}, given[j] ?? {}, { field: at.field, path: `${at.path}/${i}` })
  const matches = rows.map((_, i) => given.map((_, j) => countRight(markRow(i, j))))
  const pairs = align(matches)
  const paired = new Set(pairs.map(([, j]) => j))
  const partnerOf = new Map(pairs)
  const template = Object.keys(rows[0] ?? {})
  const extra = given.flatMap((row, j) =>
    paired.has(j)
      ? []
      : (template.length > 0 ? template : Object.keys(row))
          .filter((key) => row[key] !== null && row[key] !== undefined && row[key] !== '')
          .map(
            (key): Mark => ({ field: `${at.field}/${key}`, verdict: 'extra', expected: null, given: row[key] ?? null }),
          ),
  )
  return [...rows.flatMap((_, i) => markRow(i, partnerOf.get(i) ?? -1)), ...extra]
}

const countRight = (marks: readonly Mark[]) => marks.filter(({ verdict }) => verdict === 'right').length

/**
 * The `[row, column]` pairs of the ordered alignment with the greatest sum: a weighted longest common subsequence. Rows
 * without any match are paired too when that costs nothing, so that a misread row counts as wrong only once.
 */
export function align(matches: readonly (readonly number[])[]): [number, number][] {
  const height = matches.length
  const width = matches[0]?.length ?? 0
  const worth = (i: number, j: number) => (matches[i]?.[j] ?? 0) + 0.001
  const best = Array.from({ length: height + 1 }, () => new Array<number>(width + 1).fill(0))
  const at = (i: number, j: number) => best[i]?.[j] ?? 0
  for (let i = height - 1; i >= 0; i -= 1)
    for (let j = width - 1; j >= 0; j -= 1) {
      const row = best[i]
      if (row !== undefined) row[j] = Math.max(at(i + 1, j), at(i, j + 1), at(i + 1, j + 1) + worth(i, j))
    }
  const pairs: [number, number][] = []
  let [i, j] = [0, 0]
  while (i < height && j < width) {
    if (at(i, j) === at(i + 1, j + 1) + worth(i, j)) {
      pairs.push([i, j])
      i += 1
      j += 1
    } else if (at(i, j) === at(i + 1, j)) i += 1
    else j += 1
  }
  return pairs
}

/** Counts of verdicts. */
export type Tally = Record<Verdict, number>

export function tally(marks: readonly Mark[]): Tally {
  const counts: Tally = { right: 0, missing: 0, wrong: 0, extra: 0, empty: 0 }
  for (const { verdict } of marks) counts[verdict] += 1
  return counts
}

export interface Rates {
  /** The number of fields whose truth is a value. */
  readonly fields: number
  /** Percentage of those fields that are right. */
  readonly right: number
  /** Percentage of those fields that the answer leaves null. */
  readonly missing: number
  /** Percentage of wrong values among all fields with a value in the truth or in the answer. */
  readonly wrong: number
}

export function rates(counts: Tally): Rates {
  const fields = counts.right + counts.missing + counts.wrong
  const percent = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole)
  return {
    fields,
    right: percent(counts.right, fields),
    missing: percent(counts.missing, fields),
    wrong: percent(counts.wrong + counts.extra, fields + counts.extra),
  }
}
