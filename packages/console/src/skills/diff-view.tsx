import { useMemo } from 'preact/hooks'
import { visible } from '../visible.ts'
import type { DiffLine } from './diff.ts'

const signs = { same: ' ', removed: '−', added: '+' } as const
const changeWords = { same: '', removed: 'removed', added: 'added' } as const

/** A line diff, with `…` for omitted lines. */
export function DiffView({ lines }: { lines: readonly (DiffLine | null)[] }) {
  const rows = useMemo(() => lines.map((line, index) => ({ line, index })), [lines])
  return (
    <div class="diff">
      {rows.map(({ line, index }) =>
        line === null ? (
          <div key={index} class="gap soft">
            …
          </div>
        ) : (
          <div key={index} class={line.kind}>
            <span class="soft" aria-hidden="true">
              {line.before ?? ''}
            </span>
            <span class="soft" aria-hidden="true">
              {line.after ?? ''}
            </span>
            <code>
              <span class="unseen">{changeWords[line.kind]}</span>
              <span aria-hidden="true">{signs[line.kind]} </span>
              {visible(line.text)}
            </code>
          </div>
        ),
      )}
    </div>
  )
}
