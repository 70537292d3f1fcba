const rowPixelsGuess = 68

/** The offset of each row in pixels, and the end of the last one. */
export function placesOf(heights: readonly (number | undefined)[]): readonly number[] {
  let known = 0
  let sum = 0
  for (const height of heights) {
    if (height === undefined) continue
    known += 1
    sum += height
  }
  const guess = known > 0 ? sum / known : rowPixelsGuess
  const places = new Array<number>(heights.length + 1)
  places[0] = 0
  for (const [index, height] of heights.entries()) places[index + 1] = (places[index] ?? 0) + (height ?? guess)
  return places
}

/** The row at `pixels`. */
export function indexAt(places: readonly number[], pixels: number): number {
  let low = 0
  let high = Math.max(0, places.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((places[middle] ?? 0) <= pixels) low = middle
    else high = middle - 1
  }
  return low
}
