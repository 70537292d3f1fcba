import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ShownRow } from '../../reviews/list-rows.ts'
import { isNumeric, type RowCell } from '../../reviews/new-row.ts'
import type { AnswerRows } from '../../reviews/row-editing.ts'
import type { Json } from '../../wire.ts'
import { textOf } from './leaf.tsx'
import { isBranch } from './props.ts'

/** What was removed, in one line. */
export const GoneValue = ({ value }: { value: Json }) => (
  <span class="value">{isBranch(value) ? JSON.stringify(value) : textOf(value)}</span>
)

export const rowClass = (row: ShownRow): string => {
  if (row.kind === 'row') return [row.isAdded && 'row-added', row.isRemoved && 'row-removed'].filter(Boolean).join(' ')
  return row.kind === 'new' ? 'row-added' : 'row-removed'
}

interface RowSignProps {
  readonly row: ShownRow
  readonly pointer: string
  readonly rows: AnswerRows
}

/** Whether a row was added or removed, and the button that changes that. */
export function RowSign({ row, pointer, rows: { edit } }: RowSignProps) {
  const isRemoved = row.kind === 'gone' || (row.kind === 'row' && row.isRemoved)
  const isAdded = row.kind === 'new' || (row.kind === 'row' && row.isAdded)
  const isSaved = row.kind === 'gone' || (row.kind === 'row' && !row.isRemoved)
  const word = `${isSaved ? '' : 'to be '}${isRemoved ? 'removed' : 'added'}`
  const number = row.kind === 'row' ? `row ${row.index + 1}` : 'the added row'
  const change = () => {
    if (row.kind === 'row') edit?.toggle(pointer, row.key)
    if (row.kind !== 'new') return
    // The focus would be lost with the row.
    document.querySelector<HTMLElement>(`[data-list="${CSS.escape(pointer)}"] > .acts > .add-row`)?.focus()
    edit?.drop(pointer, row.added.id)
  }
  return (
    <span class="row-sign">
      {(isRemoved || isAdded) && (
        <span title={isRemoved ? 'A person removed this row' : 'A person added this row'}>
          <i aria-hidden="true">{isRemoved ? '−' : '+'}</i>
          <span class="unseen">{word}</span>
        </span>
      )}
      {edit && row.kind !== 'gone' && (
        <button
          type="button"
          class="small quiet"
          aria-label={`${isRemoved ? 'Keep' : 'Remove'} ${number}`}
          title={isRemoved ? 'Keep this row (key R)' : 'Remove this row (key R)'}
          onClick={change}
        >
          {isRemoved ? '↶' : '×'}
        </button>
      )}
    </span>
  )
}

interface NewRowProps {
  readonly row: Extract<ShownRow, { kind: 'new' }>
  readonly pointer: string
  readonly rows: AnswerRows
  readonly items: readonly Json[]
}

/** The fields of an added row, below each other. */
export function NewCells(props: NewRowProps) {
  const cells = props.rows.edit?.cells(props.pointer, props.items) ?? []
  return (
    <span class="new-cells">
      {cells.map((cell, at) => (
        <span key={cell.pointer} class="field">
          {cell.name && <span aria-hidden="true">{cell.name}</span>}
          <NewCell {...props} cell={cell} isFirst={at === 0} />
        </span>
      ))}
    </span>
  )
}

/** One field of an added row. */
export function NewCell({
  row,
  pointer,
  rows: { edit },
  cell,
  isFirst,
}: NewRowProps & { cell: RowCell; isFirst: boolean }) {
  const { added } = row
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null)
  useLayoutEffect(() => {
    if (isFirst && edit?.takesFocus(added.id)) field.current?.focus()
  }, [])
  const common = {
    ref: field,
    value: added.cells[cell.pointer] ?? '',
    'aria-label': `${cell.name || 'Value'} of the added row`,
    onInput: (event: { currentTarget: { value: string } }) =>
      edit?.type(pointer, added.id, { [cell.pointer]: event.currentTarget.value }),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.isComposing) return
      event.preventDefault()
      edit?.submit()
    },
  }
  if (cell.options)
    return (
      <select {...common}>
        {['', ...cell.options].map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  return <input {...common} dir="auto" inputMode={isNumeric(cell) ? 'decimal' : 'text'} />
}
