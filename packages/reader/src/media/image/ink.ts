import type { Grey } from './grey.ts'

/** A connected component of ink in pixels; right and bottom exclusive. */
export interface Blob {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /** Its number of ink pixels. */
  readonly area: number
}

/** The maximum number of components before merging; the rest of an image is taken for noise. A newspaper page has some 30,000 letters. */
const blobsMax = 200_000

/**
 * The threshold that best separates ink from paper by Otsu's method (N. Otsu, "A threshold selection method from
 * gray-level histograms", 1979). Pixels below it are ink.
 */
export function inkThreshold({ pixels }: Grey): number {
  const histogram = new Float64Array(256)
  for (const value of pixels) histogram[value] = (histogram[value] ?? 0) + 1
  let total = 0
  histogram.forEach((count, value) => {
    total += count * value
  })
  let best = 128
  let bestSpread = -1
  let below = 0
  let belowTotal = 0
  for (let value = 0; value < 255; value += 1) {
    below += histogram[value] ?? 0
    belowTotal += (histogram[value] ?? 0) * value
    const above = pixels.length - below
    if (below === 0 || above === 0) continue
    const spread = below * above * (belowTotal / below - (total - belowTotal) / above) ** 2
    if (spread > bestSpread) {
      bestSpread = spread
      best = value + 1
    }
  }
  return best
}

/** The 8-connected components darker than `threshold`, from runs of pixels. */
export function blobsOf({ width, height, pixels }: Grey, threshold: number): Blob[] {
  const runs = { start: new Int32Array(width + 2), end: new Int32Array(width + 2), label: new Int32Array(width + 2) }
  let before = { ...runs, count: 0 }
  let current = {
    start: new Int32Array(width + 2),
    end: new Int32Array(width + 2),
    label: new Int32Array(width + 2),
    count: 0,
  }
  const found = new Labels()
  for (let y = 0; y < height && found.size < blobsMax; y += 1) {
    current.count = 0
    let first = 0
    for (let x = 0; x < width; x += 1) {
      if ((pixels[y * width + x] ?? 255) >= threshold) continue
      const start = x
      while (x < width && (pixels[y * width + x] ?? 255) < threshold) x += 1
      let label = -1
      while (first < before.count && (before.end[first] ?? 0) < start) first += 1
      for (let above = first; above < before.count && (before.start[above] ?? 0) <= x; above += 1) {
        label = label < 0 ? found.root(before.label[above] ?? 0) : found.join(label, before.label[above] ?? 0)
      }
      if (label < 0) label = found.add()
      found.grow(label, { start, end: x, y })
      current.start[current.count] = start
      current.end[current.count] = x
      current.label[current.count] = label
      current.count += 1
    }
    ;[before, current] = [current, before]
  }
  return found.blobs()
}

/** A union–find structure of runs, with the bounds of each set at its root. */
class Labels {
  readonly #parent: number[] = []
  readonly #bounds: { left: number; top: number; right: number; bottom: number; area: number }[] = []

  get size(): number {
    return this.#parent.length
  }

  add(): number {
    this.#parent.push(this.#parent.length)
    this.#bounds.push({ left: Number.POSITIVE_INFINITY, top: Number.POSITIVE_INFINITY, right: 0, bottom: 0, area: 0 })
    return this.#parent.length - 1
  }

  root(label: number): number {
    let root = label
    while (this.#parent[root] !== root) root = this.#parent[root] ?? root
    this.#parent[label] = root
    return root
  }

  join(one: number, other: number): number {
    const a = this.root(one)
    const b = this.root(other)
    if (a === b) return a
    const [keep, drop] = a < b ? [a, b] : [b, a]
    this.#parent[drop] = keep
    const into = this.#bounds[keep]
    const from = this.#bounds[drop]
    if (into !== undefined && from !== undefined) {
      into.left = Math.min(into.left, from.left)
      into.top = Math.min(into.top, from.top)
      into.right = Math.max(into.right, from.right)
      into.bottom = Math.max(into.bottom, from.bottom)
      into.area += from.area
    }
    return keep
  }

  grow(label: number, { start, end, y }: { start: number; end: number; y: number }): void {
    const bounds = this.#bounds[this.root(label)]
    if (bounds === undefined) return
    bounds.left = Math.min(bounds.left, start)
    bounds.right = Math.max(bounds.right, end)
    bounds.top = Math.min(bounds.top, y)
    bounds.bottom = Math.max(bounds.bottom, y + 1)
    bounds.area += end - start
  }

  blobs(): Blob[] {
    const blobs: Blob[] = []
    for (const [label, bounds] of this.#bounds.entries()) {
      if (this.#parent[label] === label) blobs.push(bounds)
    }
    return blobs
  }
}

/** The components with the size and shape of letters, and the usual letter height in pixels (0 when there are none). */
export function lettersOf(blobs: readonly Blob[], { width, height }: Grey): { letters: Blob[]; letterHeight: number } {
  const largest = Math.max(width, height) / 8
  const possible = blobs.filter((blob) => {
    const w = blob.right - blob.left
    const h = blob.bottom - blob.top
    return h >= 5 && w >= 2 && h <= largest && w <= 8 * h && h <= 8 * w && blob.area >= 0.1 * w * h
  })
  const first = median(possible.map(heightOf), 0.6)
  const letters = possible.filter((blob) => heightOf(blob) >= 0.4 * first && heightOf(blob) <= 3 * first)
  return { letters, letterHeight: median(letters.map(heightOf), 0.6) }
}

const heightOf = (blob: Blob): number => blob.bottom - blob.top

/** The value at quantile `share` of sorted values; 0 for an empty list. */
function median(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
