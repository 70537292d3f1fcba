import type { Evidence, EvidenceMap } from '../wire.ts'

/** Something that was found in film or sound, and where its mark is drawn. */
export interface TimeMark {
  readonly pointer: string
  readonly evidence: Evidence
  /** Seconds from the beginning. */
  readonly from: number
  readonly to: number
  /** Rows are counted from 0; marks of one row do not touch. */
  readonly row: number
}

/** A mark is at least this share of the line wide, so that it can be hit. */
export const markShareMin = 0.02
/** Beyond these marks lie on each other. */
export const rowsMax = 8

/** What was found in one input at a known time, in the order of the times, laid in rows; `lengthSeconds` is that of the whole line. */
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

/** How long the line is: as the player says, else as far as the marks go. */
export function lengthOf(evidence: EvidenceMap, playerSeconds: number | undefined): number {
  if (playerSeconds !== undefined && Number.isFinite(playerSeconds) && playerSeconds > 0) return playerSeconds
  return Math.max(1, ...Object.values(evidence).map((one) => one.seconds?.[1] ?? 0))
}
