import type { Forest, Tree } from '../../src/score/trees.ts'

export interface BoostOptions {
  readonly trees: number
  readonly depth: number
  /** How much of each tree counts. */
  readonly rate: number
  /** Rows that a leaf has at least. */
  readonly leafMin: number
  readonly bins: number
  readonly lambda: number
  /** Shares of the rows and of the features that each tree is grown on. */
  readonly rowShare: number
  readonly featureShare: number
}

/** Rows of features one after the other, what they are (1 or 0), and how much each weighs. */
export interface Examples {
  readonly width: number
  readonly rows: Float32Array
  readonly labels: Uint8Array
  readonly weights: Float32Array
  /**
   * Where each group of rows begins, if the right rows of a group are the same answer: its rows are then chosen among, and among no answer,
   * whose margin is 0.
   */
  readonly starts?: Int32Array
}

/**
 * Trains gradient-boosted trees for the logistic loss, or that of a choice (softmax) within each group, on histograms of quantile bins
 * (T. Chen and C. Guestrin, XGBoost, KDD 2016, equations 6 and 7). The same examples give the same forest.
 */
export function boost(examples: Examples, options: BoostOptions): Forest {
  const { width, rows, labels, starts } = examples
  const count = labels.length
  const edges = Array.from({ length: width }, (_, feature) =>
    edgesOf(rows, feature, { width, count, bins: options.bins }),
  )
  const binned = edges.map((at, feature) => {
    const column = new Uint8Array(count)
    for (let i = 0; i < count; i++) column[i] = binOf(at, rows[i * width + feature] as number)
    return column
  })
  const base = starts === undefined ? logOdds(examples) : 0
  const margin = new Float64Array(count).fill(base)
  const gradient = new Float64Array(count)
  const hessian = new Float64Array(count)
  const all = Int32Array.from(labels.keys())
  const trees: Tree[] = []
  for (let round = 0; round < options.trees; round++) {
    if (starts === undefined) ofEach(examples, margin, { gradient, hessian })
    else ofChoices({ ...examples, starts }, margin, { gradient, hessian })
    const next = drawsFrom(round)
    const rows = Int32Array.from(all.filter(() => next() < options.rowShare))
    const features = edges.flatMap((at, feature) => (at.length > 0 && next() < options.featureShare ? [feature] : []))
    const tree = grow({ binned, edges, gradient, hessian, options, rows, features })
    for (let i = 0; i < count; i++) margin[i] = (margin[i] as number) + leafOf(tree, binned, i)
    trees.push(thresholdsIn(tree, edges))
  }
  return { base, trees }
}

function logOdds({ labels, weights }: Examples): number {
  let positive = 0
  let total = 0
  for (let i = 0; i < labels.length; i++) {
    total += weights[i] as number
    if (labels[i]) positive += weights[i] as number
  }
  return Math.log(Math.max(1e-6, positive) / Math.max(1e-6, total - positive))
}

/** The first and second derivatives of the loss by the margins. */
interface Slopes {
  readonly gradient: Float64Array
  readonly hessian: Float64Array
}

/** Of the logistic loss. */
function ofEach({ labels, weights }: Examples, margin: Float64Array, { gradient, hessian }: Slopes): void {
  for (let i = 0; i < labels.length; i++) {
    const p = 1 / (1 + Math.exp(-(margin[i] as number)))
    const weight = weights[i] as number
    gradient[i] = weight * (p - (labels[i] as number))
    hessian[i] = Math.max(weight * p * (1 - p), 1e-9)
  }
}

/** Of the loss of a choice: minus the logarithm of the share that the right rows of a group have together, or no answer where none is right. */
function ofChoices(
  { labels, weights, starts }: Examples & { readonly starts: Int32Array },
  margin: Float64Array,
  { gradient, hessian }: Slopes,
): void {
  for (let group = 0; group < starts.length; group++) {
    const [from, to] = [starts[group] as number, starts[group + 1] ?? labels.length]
    let most = 0
    for (let i = from; i < to; i++) most = Math.max(most, margin[i] as number)
    let [all, right] = [Math.exp(-most), 0]
    for (let i = from; i < to; i++) {
      const share = Math.exp((margin[i] as number) - most)
      all += share
      if (labels[i]) right += share
    }
    for (let i = from; i < to; i++) {
      const share = Math.exp((margin[i] as number) - most)
      const p = share / all
      const weight = weights[i] as number
      gradient[i] = weight * (p - (labels[i] ? share / right : 0))
      hessian[i] = weight * Math.max(p * (1 - p), 1e-4)
    }
  }
}

/** Numbers in [0, 1), the same ones for the same seed (mulberry32). */
export function drawsFrom(seed: number): () => number {
  let state = (seed + 1) * 0x9e3779b1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The value of the leaf that a row comes to in a tree whose thresholds are bins. */
function leafOf({ feature, threshold, left, right }: Tree, binned: readonly Uint8Array[], row: number): number {
  let at = 0
  for (let by = feature[0] as number; by >= 0; by = feature[at] as number)
    at =
      ((binned[by] as Uint8Array)[row] as number) <= (threshold[at] as number)
        ? (left[at] as number)
        : (right[at] as number)
  return threshold[at] as number
}

/** A tree whose thresholds are bins with those of the features themselves. */
const thresholdsIn = (tree: Tree, edges: readonly (readonly number[])[]): Tree => ({
  ...tree,
  threshold: tree.threshold.map((value, node) => {
    const by = tree.feature[node] as number
    return by < 0 ? value : (edges[by]?.[value] ?? 0)
  }),
})

/** Rows that are looked at for the quantiles of a feature. */
const quantileRows = 20_000

function edgesOf(
  rows: Float32Array,
  feature: number,
  { width, count, bins }: { width: number; count: number; bins: number },
): number[] {
  const step = Math.max(1, Math.floor(count / quantileRows))
  const values: number[] = []
  for (let i = 0; i < count; i += step) values.push(rows[i * width + feature] as number)
  values.sort((a, b) => a - b)
  const distinct = [...new Set(values)]
  if (distinct.length <= bins) return distinct.slice(1).map((value, at) => thin(((distinct[at] as number) + value) / 2))
  const edges: number[] = []
  for (let bin = 1; bin < bins; bin++) {
    const value = thin(values[Math.floor((bin * values.length) / bins)] as number)
    if (value > (edges.at(-1) ?? Number.NEGATIVE_INFINITY)) edges.push(value)
  }
  return edges
}

/** Five figures are enough for a threshold, and keep the file small. */
const thin = (value: number): number => Number(value.toPrecision(5))

function binOf(edges: readonly number[], value: number): number {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (value <= (edges[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}

interface Growing {
  readonly binned: readonly Uint8Array[]
  readonly edges: readonly (readonly number[])[]
  readonly gradient: Float64Array
  readonly hessian: Float64Array
  readonly options: BoostOptions
  readonly rows: Int32Array
  readonly features: readonly number[]
}

/** Sums of gradients, hessians and rows, one after the other, by feature and bin. */
type Histogram = Float64Array

/** The rows up to a bin and those above it, in their order. */
function parted(rows: Int32Array, column: Uint8Array, bin: number): [low: Int32Array, high: Int32Array] {
  const [low, high] = [new Int32Array(rows.length), new Int32Array(rows.length)]
  let count = 0
  for (let n = 0; n < rows.length; n++) {
    const row = rows[n] as number
    if ((column[row] as number) <= bin) low[count++] = row
    else high[n - count] = row
  }
  return [low.slice(0, count), high.slice(0, rows.length - count)]
}

/** Grows a tree whose thresholds are bins. */
function grow({ binned, edges, gradient, hessian, options, rows: all, features }: Growing): Tree {
  const { bins, depth, leafMin, lambda, rate } = options
  const size = features.length * bins
  /** Gradients and hessians of the rows of a node, side by side. */
  const gathered = new Float64Array(all.length * 2)
  const tree = { feature: [] as number[], threshold: [] as number[], left: [] as number[], right: [] as number[] }
  const histogramOf = (rows: Int32Array): Histogram => {
    const sums = new Float64Array(size * 3)
    for (let n = 0; n < rows.length; n++) {
      const row = rows[n] as number
      gathered[n * 2] = gradient[row] as number
      gathered[n * 2 + 1] = hessian[row] as number
    }
    for (let place = 0; place < features.length; place++) {
      const column = binned[features[place] as number] as Uint8Array
      const from = place * bins
      for (let n = 0; n < rows.length; n++) {
        const at = (from + (column[rows[n] as number] as number)) * 3
        sums[at] = (sums[at] as number) + (gathered[n * 2] as number)
        sums[at + 1] = (sums[at + 1] as number) + (gathered[n * 2 + 1] as number)
        sums[at + 2] = (sums[at + 2] as number) + 1
      }
    }
    return sums
  }
  const without = (all: Histogram, part: Histogram): Histogram => all.map((value, at) => value - (part[at] as number))
  const bestSplit = (sums: Histogram, of: { gradient: number; hessian: number; count: number }) => {
    let best = { gain: 1e-6, feature: -1, bin: 0 }
    const parent = of.gradient ** 2 / (of.hessian + lambda)
    for (const [place, feature] of features.entries()) {
      const at = edges[feature] as readonly number[]
      let g = 0
      let h = 0
      let n = 0
      for (let bin = 0; bin < at.length; bin++) {
        const cell = (place * bins + bin) * 3
        g += sums[cell] as number
        h += sums[cell + 1] as number
        n += sums[cell + 2] as number
        if (n < leafMin || of.count - n < leafMin) continue
        const gain = g ** 2 / (h + lambda) + (of.gradient - g) ** 2 / (of.hessian - h + lambda) - parent
        if (gain > best.gain) best = { gain, feature, bin }
      }
    }
    return best
  }
  const build = (rows: Int32Array, level: number, sums: Histogram | null): number => {
    const node = tree.feature.push(-1) - 1
    tree.threshold.push(0)
    tree.left.push(0)
    tree.right.push(0)
    let g = 0
    let h = 0
    for (let n = 0; n < rows.length; n++) {
      g += gradient[rows[n] as number] as number
      h += hessian[rows[n] as number] as number
    }
    const isFull = level >= depth || rows.length < leafMin * 2
    const own = isFull ? null : (sums ?? histogramOf(rows))
    const split = own === null ? null : bestSplit(own, { gradient: g, hessian: h, count: rows.length })
    if (own === null || split === null || split.feature < 0) {
      tree.threshold[node] = thin((-g / (h + lambda)) * rate)
      return node
    }
    const [low, high] = parted(rows, binned[split.feature] as Uint8Array, split.bin)
    const isLast = level + 1 >= depth
    const ofLow = isLast ? null : low.length <= high.length ? histogramOf(low) : without(own, histogramOf(high))
    const ofHigh = ofLow === null ? null : without(own, ofLow)
    tree.feature[node] = split.feature
    tree.threshold[node] = split.bin
    tree.left[node] = build(low, level + 1, ofLow)
    tree.right[node] = build(high, level + 1, ofHigh)
    return node
  }
  build(all, 0, null)
  return tree
}
