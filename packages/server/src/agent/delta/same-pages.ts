/** The indices of the items that two lists have in common in the same order. */
export interface CommonItems {
  readonly before: ReadonlySet<number>
  readonly now: ReadonlySet<number>
}

/** Larger middle parts count as different: 2,000 pages against 2,000 others. */
const comparisonsMax = 4_000_000

/** A longest common subsequence of two lists of keys: a moved item is in it at one of its places at most. */
export function commonItems(before: readonly string[], now: readonly string[]): CommonItems {
  const common = { before: new Set<number>(), now: new Set<number>() }
  const take = (left: number, right: number): void => {
    common.before.add(left)
    common.now.add(right)
  }
  const shorter = Math.min(before.length, now.length)
  let start = 0
  while (start < shorter && before[start] === now[start]) {
    take(start, start)
    start += 1
  }
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === now[now.length - 1 - end]) {
    take(before.length - 1 - end, now.length - 1 - end)
    end += 1
  }
  const [rows, columns] = [before.length - start - end, now.length - start - end]
  if (rows * columns > comparisonsMax) return common
  // lengths[row][column]: the longest common part of what follows.
  const lengths = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1))
  const lengthAt = (row: number, column: number): number => lengths[row]?.[column] ?? 0
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1) {
      const isSame = before[start + row] === now[start + column]
      const line = lengths[row] as Uint32Array
      line[column] = isSame
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
    }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (before[start + row] === now[start + column]) take(start + row++, start + column++)
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1
    else column += 1
  }
  return common
}
