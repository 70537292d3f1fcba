/** Gradient-boosted trees for a probability: the sum of one leaf per tree, through the logistic function. */
export interface Forest {
  readonly base: number
  readonly trees: readonly Tree[]
}

/** A tree as arrays by node: a leaf has feature -1, and its value is in `threshold`. */
export interface Tree {
  readonly feature: readonly number[]
  readonly threshold: readonly number[]
  readonly left: readonly number[]
  readonly right: readonly number[]
}

/** The probability that a forest gives to a row of features. */
export function probabilityOf({ base, trees }: Forest, row: Float32Array): number {
  let sum = base
  for (const { feature, threshold, left, right } of trees) {
    let at = 0
    for (let by = feature[0] ?? -1; by >= 0; by = feature[at] ?? -1)
      at = ((row[by] ?? 0) <= (threshold[at] ?? 0) ? left[at] : right[at]) ?? 0
    sum += threshold[at] ?? 0
  }
  return 1 / (1 + Math.exp(-sum))
}
