import type { ComponentChildren } from 'preact'

interface HeadProps {
  /** A heading that ends in `#` marks a numeric column. */
  readonly head: readonly string[]
}

interface TableProps extends HeadProps {
  readonly label: string
  readonly children: ComponentChildren
}

/** A table that scrolls horizontally in its container. */
export function Table({ label, head, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keyboard too.
    <section class="wide card-table" tabIndex={0} aria-label={label}>
      <table>
        <TableHead head={head} />
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

export const TableHead = ({ head }: HeadProps) => (
  <thead>
    <tr>
      {head.map((text) => (
        <th key={text} scope="col" class={text.endsWith('#') ? 'number' : ''}>
          {text.replace(/#$/, '')}
        </th>
      ))}
    </tr>
  </thead>
)
