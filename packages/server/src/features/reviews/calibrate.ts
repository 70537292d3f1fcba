import { isJsonObject, type Json, pointerStep, pointerSteps, valueAt } from '@skillrun/core/json.ts'
import { correctedPlaces, placesAbove, type RowOrigins } from '@skillrun/core/list-rows.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { lowerBound, upperBound } from '../../core/confidence-sequence.ts'
import type { ReviewChange } from '../executions/executions.ts'
import { isAgreed } from './apply-changes.ts'
import { rowPairs } from './row-pairs.ts'
import { listCalibrated, moveThreshold } from './settings.ts'
import { type JudgedValue, listJudged } from './store.ts'

/**
 * What a review says of the values that had a confidence and that it corrected or confirmed, by themselves or with the object around them, or
 * removed with their row. A value is not removed if the row without an origin that its row has become has it: that row was corrected as a whole.
 */
export function judgedValues(evidence: EvidenceMap | null, changes: readonly ReviewChange[]): readonly JudgedValue[] {
  const removed = changes.flatMap((change) => {
    const placeOf = correctedPlaces([change])
    const becomes = change.rows ? replacedRows(change, change.rows) : undefined
    const isRemoved = (path: string) => {
      if (placeOf(path) !== undefined) return false
      const [row = '', ...steps] = pointerSteps(path.slice(change.path.length))
      const rest = steps.map(pointerStep).join('')
      const now = becomes?.get(Number(row))
      const from = valueAt(change.from, pointerStep(row) + rest) ?? null
      const to = now === undefined ? null : (valueAt(change.to, pointerStep(now) + rest) ?? null)
      return from !== null && !(now !== undefined && isAgreed({ ...change, from, to }))
    }
    const wrong = becomes ? Object.entries(evidence ?? {}).filter(([path]) => isRemoved(path)) : []
    return wrong.map(([, { confidence }]) => ({ confidence, right: false }))
  })
  const byPath = new Map(changes.map((change) => [change.path, change]))
  const marked = Object.entries(evidence ?? {}).flatMap(([path, { confidence }]) => {
    const change = [path, ...placesAbove(path).toReversed()].flatMap((above) => byPath.get(above) ?? [])[0]
    if (!change) return []
    const inside = path.slice(change.path.length)
    const [from, to] = [memberAt(change.from, inside), memberAt(change.to, inside)]
    return from === null ? [] : [{ confidence, right: isAgreed({ ...change, from, to }) }]
  })
  return [...marked, ...removed]
}

/** A value in an object; null also where it is in a list, whose rows may be others. */
function memberAt(root: Json, pointer: string): Json {
  let at: Json = root
  for (const step of pointerSteps(pointer)) at = isJsonObject(at) && Object.hasOwn(at, step) ? (at[step] ?? null) : null
  return at
}

/** By their places in `from`: where in `to` are the rows without an origin that rows without a successor have become. */
function replacedRows({ from, to }: ReviewChange, rows: RowOrigins): ReadonlyMap<number, number | undefined> {
  const [before, after] = [asList(from), asList(to)]
  const kept = new Set(rows)
  const gone = [...before.keys()].filter((at) => !kept.has(at))
  const added = [...after.keys()].filter((at) => rows[at] === null)
  const pairs = rowPairs(
    gone.map((at) => before[at] ?? null),
    added.map((at) => after[at] ?? null),
  )
  return new Map(gone.map((at, n) => [at, added[pairs[n] ?? -1]]))
}

const asList = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [])

/**
 * The confidence, 0 to 1, below which answers go to review: the lowest at and above which at most `maxWrongRate` of the judged values are
 * wrong, by an upper confidence bound. If there is none, and by a lower bound more than `maxWrongRate` of the values at and above the
 * present threshold `below` are wrong, it is 1: everything is reviewed. Undefined if too few values were judged for either bound.
 */
export function calibratedThreshold(
  judged: readonly JudgedValue[],
  { maxWrongRate, below }: { readonly maxWrongRate: number; readonly below: number },
): number | undefined {
  const sorted = judged.toSorted((one, other) => other.confidence - one.confidence)
  let wrong = 0
  let lowest: number | undefined
  for (const [at, { confidence, right }] of sorted.entries()) {
    if (!right) wrong += 1
    // Values of the same confidence are on the same side of the threshold.
    if (sorted[at + 1]?.confidence === confidence) continue
    if (upperBound({ k: wrong, n: at + 1 }) <= maxWrongRate) lowest = confidence
  }
  const trusted = judged.filter(({ confidence }) => confidence >= below)
  const k = trusted.filter(({ right }) => !right).length
  return lowest ?? (lowerBound({ k, n: trusted.length }) > maxWrongRate ? 1 : undefined)
}

/** Moves the thresholds that are kept to a rate of wrong values: that of the workspace, and that of the skill. */
export async function calibrateSettings(
  tx: Sql,
  of: { workspaceId: string; skillName: string | null; now: Date },
): Promise<void> {
  for (const { skillName, ...setting } of await listCalibrated(tx, of)) {
    const judged = await listJudged(tx, { workspaceId: of.workspaceId, skillName })
    const below = calibratedThreshold(judged, setting)
    if (below !== undefined) await moveThreshold(tx, { ...of, skillName, below })
  }
}
