import { diffArrays } from 'diff'

/** One line of two compared texts. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  /** Line numbers from 1 in the old and the new text. */
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Texts with more changed lines are shown as fully replaced. */
const changesMax = 4_000

/** A minimal line diff of two texts. */
export function diffOf(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  const chunks = diffArrays(a, b, { maxEditLength: changesMax }) ?? [
    { value: a, removed: true, added: false },
    { value: b, removed: false, added: true },
  ]
  let [beforeLine, afterLine] = [0, 0]
  return chunks.flatMap(({ added, removed, value }) =>
    value.map(
      (text): DiffLine => ({
        kind: added ? 'added' : removed ? 'removed' : 'same',
        text,
        before: added ? undefined : ++beforeLine,
        after: removed ? undefined : ++afterLine,
      }),
    ),
  )
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** The changed lines with `around` lines of context; null marks omitted lines. */
export function excerptOf(lines: readonly DiffLine[], around = 3): readonly (DiffLine | null)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((one) => one.kind !== 'same'),
  )
  return lines.flatMap((line, index): (DiffLine | null)[] =>
    isNear[index] ? [line] : index === 0 || isNear[index - 1] ? [null] : [],
  )
}
