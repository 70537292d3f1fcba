/** Places of an answer that are shown while the others are hidden. */
export interface ShownPlaces {
  readonly wanted: ReadonlySet<string>
  /** The wanted places, and those that contain one. */
  readonly above: ReadonlySet<string>
}

/** A pointer and those of all that it is in. */
const upwards = (pointer: string): string[] =>
  pointer.split('/').map((_, depth, steps) => steps.slice(0, depth + 1).join('/'))

export const shownPlaces = (wanted: ReadonlySet<string>): ShownPlaces => ({
  wanted,
  above: new Set([...wanted].flatMap(upwards)),
})

/** Whether `pointer` is one that is wanted, above it, or within it. */
export const isShown = (pointer: string, only: ShownPlaces | undefined): boolean =>
  only === undefined || only.above.has(pointer) || upwards(pointer).some((one) => only.wanted.has(one))
