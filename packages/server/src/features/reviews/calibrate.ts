import { isJsonObject, type Json, pointerSteps, valueAt } from '@skillrun/core/json.ts'
import { correctedPlaces, placesAbove } from '@skillrun/core/list-rows.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { lowerBound, upperBound } from '../../core/confidence-sequence.ts'
import type { ReviewChange } from '../executions/executions.ts'
import { isAgreed } from './apply-changes.ts'
import { listCalibrated, moveThreshold } from './settings.ts'
import { type JudgedValue, listJudged } from './store.ts'

/**
 * What a review says of the values that had a confidence and that it corrected or confirmed, by themselves or with the object around them, or
 * removed with their row. A value is not removed if a row without an origin has it in its place: that row was corrected as a whole.
 */
export function judgedValues(evidence: EvidenceMap | null, changes: readonly ReviewChange[]): readonly JudgedValue[] {
  const removed = changes.flatMap((change) => {
    const placeOf = correctedPlaces([change])
    const isRemoved = (path: string) => {
      if (placeOf(path) !== undefined) return false
      const inList = path.slice(change.path.length)
      const [from, to] = [valueAt(change.from, inList) ?? null, valueAt(change.to, inList) ?? null]
      const isKept = change.rows?.[Number(pointerSteps(inList)[0])] === null && isAgreed({ ...change, from, to })
      return from !== null && !isKept
    }
    const wrong = change.rows ? Object.entries(evidence ?? {}).filter(([path]) => isRemoved(path)) : []
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
