/** One line of two texts held side by side. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  /** From 1; where the line is in the text before, and in the one after. */
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Beyond so many pairs of lines what differs is shown as wholly replaced. */
const pairsMax = 4_000_000

/** The lines of two texts: those of a longest common subsequence are the same, the rest was removed or added. */
export function diffOf(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  const push = (kind: DiffLine['kind']) => {
    const text = (kind === 'added' ? b[j] : a[i]) ?? ''
    lines.push({
      kind,
      text,
      before: kind === 'added' ? undefined : i + 1,
      after: kind === 'removed' ? undefined : j + 1,
    })
    if (kind !== 'added') i += 1
    if (kind !== 'removed') j += 1
  }
  while (i < head) push('same')
  for (const kind of movesOf(a.slice(head, a.length - tail), b.slice(head, b.length - tail))) push(kind)
  while (i < a.length) push('same')
  return lines
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

function movesOf(a: readonly string[], b: readonly string[]): DiffLine['kind'][] {
  if (a.length * b.length > pairsMax) return [...a.map(() => 'removed' as const), ...b.map(() => 'added' as const)]
  const width = b.length + 1
  // Length of the longest common subsequence of what is left from (i, j).
  const left = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      left[i * width + j] =
        a[i] === b[j]
          ? (left[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(left[(i + 1) * width + j] ?? 0, left[i * width + j + 1] ?? 0)
  const moves: DiffLine['kind'][] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      moves.push('same')
      i += 1
      j += 1
    } else if (j >= b.length || (i < a.length && (left[(i + 1) * width + j] ?? 0) >= (left[i * width + j + 1] ?? 0))) {
      moves.push('removed')
      i += 1
    } else {
      moves.push('added')
      j += 1
    }
  }
  return moves
}

/** The lines that differ with `around` lines beside them; null stands where lines are left out. */
export function excerptOf(lines: readonly DiffLine[], around = 3): readonly (DiffLine | null)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((one) => one.kind !== 'same'),
  )
  return lines.flatMap((line, index): (DiffLine | null)[] =>
    isNear[index] ? [line] : index === 0 || isNear[index - 1] ? [null] : [],
  )
}
