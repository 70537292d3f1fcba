import type { Evidence, EvidenceMap } from '../wire.ts'

/** Evidence in audio or video, and the position of its mark. */
export interface TimeMark {
  readonly pointer: string
  readonly evidence: Evidence
  /** Seconds from the start. */
  readonly from: number
  readonly to: number
  /** From 0; marks in one row do not touch. */
  readonly row: number
}

/** Minimum width of a mark as a share of the timeline, so that it can be clicked. */
export const markShareMin = 0.02
/** Further marks overlap. */
export const rowsMax = 8

/** The evidence of one input with known times, ordered by time and laid out in rows; `lengthSeconds` is the duration. */
export function timeMarksOf(evidence: EvidenceMap, input: string, lengthSeconds: number): readonly TimeMark[] {
  const found = Object.entries(evidence)
    .flatMap(([pointer, one]) =>
      one.seconds && (one.input ?? input) === input
        ? [{ pointer, evidence: one, from: one.seconds[0], to: one.seconds[1] }]
        : [],
    )
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
  const ends: number[] = []
  return found.map((mark) => {
    const free = ends.findIndex((end) => end <= mark.from)
    const row = Math.min(free === -1 ? ends.length : free, rowsMax - 1)
    ends[row] = Math.max(mark.to, mark.from + lengthSeconds * markShareMin)
    return { ...mark, row }
  })
}

/** Duration of the timeline of an input: from the player, or else up to its last mark. */
export function lengthOf(evidence: EvidenceMap, input: string, playerSeconds: number | undefined): number {
  if (playerSeconds !== undefined && Number.isFinite(playerSeconds) && playerSeconds > 0) return playerSeconds
  const own = Object.values(evidence).filter((one) => one.input === input)
  return Math.max(1, ...own.map((one) => one.seconds?.[1] ?? 0))
}
