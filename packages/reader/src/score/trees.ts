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

/** A forest whose nodes lie one after the other, which is read faster. */
export interface PackedForest {
  readonly base: number
  /** The first node of each tree. */
  readonly roots: Int32Array
  readonly feature: Int16Array
  readonly threshold: Float64Array
  readonly left: Int32Array
  readonly right: Int32Array
}

export function packed({ base, trees }: Forest): PackedForest {
  const roots = new Int32Array(trees.length)
  let count = 0
  for (const [at, { feature }] of trees.entries()) {
    roots[at] = count
    count += feature.length
  }
  const at = (of: (tree: Tree, node: number, root: number) => number): number[] =>
    trees.flatMap((tree, number) => tree.feature.map((_, node) => of(tree, node, roots[number] ?? 0)))
  return {
    ...{ base, roots },
    feature: Int16Array.from(at((tree, node) => tree.feature[node] ?? -1)),
    threshold: Float64Array.from(at((tree, node) => tree.threshold[node] ?? 0)),
    left: Int32Array.from(at((tree, node, root) => root + (tree.left[node] ?? 0))),
    right: Int32Array.from(at((tree, node, root) => root + (tree.right[node] ?? 0))),
  }
}

/** The sum of the leaves of the trees `[from, to)` for a row of features. */
function leavesOf(forest: PackedForest, row: Float32Array, from: number, to: number): number {
  const { roots, feature, threshold, left, right } = forest
  let sum = 0
  for (let tree = from; tree < to; tree++) {
    let at = roots[tree] as number
    for (let by = feature[at] as number; by >= 0; by = feature[at] as number)
      at = ((row[by] as number) <= (threshold[at] as number) ? left[at] : right[at]) as number
    sum += threshold[at] as number
  }
  return sum
}

const logistic = (margin: number): number => 1 / (1 + Math.exp(-margin))

/** The logarithm of the odds that a forest gives to a row of features. */
export const marginOf = (forest: PackedForest, row: Float32Array): number =>
  forest.base + leavesOf(forest, row, 0, forest.roots.length)

export const probabilityOf = (forest: PackedForest, row: Float32Array): number => logistic(marginOf(forest, row))

/** The part of the trees that all rows are scored by, and how far behind the best one a row may then be to be scored by the others too. */
const firstPart = 0.25
const behindMax = 5

/** The probabilities of rows that are chosen among. One that is far behind after some of the trees keeps the score that it has then. */
export function probabilitiesOf(forest: PackedForest, rows: readonly Float32Array[]): number[] {
  const trees = forest.roots.length
  const some = Math.floor(trees * firstPart)
  const margins = rows.map((row) => forest.base + leavesOf(forest, row, 0, some))
  const least = margins.reduce((most, margin) => Math.max(most, margin), 0) - behindMax
  return rows.map((row, at) => {
    const margin = margins[at] as number
    return logistic(margin < least ? margin : margin + leavesOf(forest, row, some, trees))
  })
}
