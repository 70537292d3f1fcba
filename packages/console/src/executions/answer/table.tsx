import { pointerStep, pointerSteps } from '@skillrun/core/json.ts'
import type { ComponentChild } from 'preact'
import { label } from '../../format.ts'
import type { ShownRow } from '../../reviews/list-rows.ts'
import type { RowCell } from '../../reviews/new-row.ts'
import { isJsonObject, type Json } from '../../wire.ts'
import { isDoubted, Leaf } from './leaf.tsx'
import { type BranchProps, fieldsOf, isBranch, type RowsProps } from './props.ts'
import { GoneValue, NewCell, RowSign, rowClass } from './row-signs.tsx'

/** The columns of a list of flat objects, to which a person can add rows with `cells`; undefined for any other list. */
export function columnsOf(items: readonly Json[], cells: readonly RowCell[]): readonly string[] | undefined {
  const rows = items.filter(isJsonObject)
  const added = cells.map(({ pointer }) => pointerSteps(pointer))
  if (rows.length !== items.length || added.some((steps) => steps.length !== 1)) return undefined
  const isFlat = rows.every((row) => fieldsOf(row).every(([, cell]) => !isBranch(cell)))
  if (!isFlat) return undefined
  // In the order of the fullest row: the first may lack fields.
  const names = rows.map((row) => fieldsOf(row).map(([key]) => key)).toSorted((a, b) => b.length - a.length)
  const columns = new Set([...names.flat(), ...added.flat()])
  return columns.size === 0 ? undefined : [...columns]
}

export function Table(props: RowsProps & { columns: readonly string[] }) {
  const { items, columns, pointer, shown, rows } = props
  const isNumber = (column: string) => items.some((row) => isJsonObject(row) && typeof row[column] === 'number')
  const isMarked = rows.edit !== undefined || shown.some((row) => rowClass(row) !== '')
  const cells = rows.edit?.cells(pointer, items) ?? []
  const cellOf = (row: ShownRow, column: string): ComponentChild => {
    const cell = cells.find((one) => one.pointer === pointerStep(column))
    if (row.kind === 'new')
      return (
        <td key={column}>{cell && <NewCell {...{ row, pointer, rows, items, cell }} isFirst={cell === cells[0]} />}</td>
      )
    const value = (isJsonObject(row.value) ? row.value[column] : undefined) ?? null
    if (row.kind === 'gone')
      return (
        <td key={column} class={typeof value === 'number' ? 'number' : ''}>
          <GoneValue value={value} />
        </td>
      )
    return (
      <Cell key={column} {...props} value={value} pointer={pointer + pointerStep(row.index) + pointerStep(column)} />
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keyboard too.
    <section class="wide" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {isMarked && (
              <th scope="col">
                <span class="unseen">Row</span>
              </th>
            )}
            {columns.map((column) => (
              <th key={column} scope="col" class={isNumber(column) ? 'number' : ''}>
                {label(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.key} class={rowClass(row)} data-row={row.key}>
              {isMarked && (
                <td>
                  <RowSign {...{ row, pointer, rows }} />
                </td>
              )}
              {columns.map((column) => cellOf(row, column))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cell(props: BranchProps) {
  const { pointer, evidence, active, look, value } = props
  const found = evidence[pointer]
  const classes = [
    'leaf',
    active === pointer && 'active',
    typeof value === 'number' && 'number',
    isDoubted(pointer, props.doubts) && 'doubtful',
    props.reviewed?.has(pointer) && 'reviewed',
  ].filter(Boolean)
  return (
    <td
      class={classes.join(' ')}
      data-pointer={pointer}
      data-proof={found?.status}
      onMouseEnter={() => found && look(pointer)}
      onMouseLeave={() => look(null)}
    >
      <Leaf {...props} isCell />
    </td>
  )
}
