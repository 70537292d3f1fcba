import { useLayoutEffect, useRef } from 'preact/hooks'
import { focusAddRow } from '../../reviews/focus.ts'
import type { ShownRow } from '../../reviews/list-rows.ts'
import { isNumeric, type RowCell } from '../../reviews/new-row.ts'
import type { AnswerRows, RowEditing } from '../../reviews/row-editing.ts'
import { expectsDay } from '../../reviews/typed-value.ts'
import { Understood } from '../../reviews/understood.tsx'
import type { Json } from '../../wire.ts'
import { textOf } from './leaf.tsx'
import { isBranch } from './props.ts'

/** What was removed, in one line. */
export const GoneValue = ({ value }: { value: Json }) => (
  <span class="value">{isBranch(value) ? JSON.stringify(value) : textOf(value)}</span>
)

export const rowClass = (row: ShownRow): string => {
  if (row.kind === 'row') return [row.isAdded && 'row-added', row.isRemoved && 'row-removed'].filter(Boolean).join(' ')
  return row.kind === 'new' || row.isBack ? 'row-added' : 'row-removed'
}

interface RowSignProps {
  readonly row: ShownRow
  readonly pointer: string
  readonly rows: AnswerRows
}

/** Whether a row was added or removed, and the button that changes that. */
export function RowSign({ row, pointer, rows: { edit } }: RowSignProps) {
  const isRemoved = row.kind === 'row' ? row.isRemoved : row.kind === 'gone' && !row.isBack
  const isAdded = row.kind === 'row' ? row.isAdded : row.kind === 'new'
  const isBack = row.kind === 'gone' && row.isBack
  const isSaved = row.kind === 'row' ? !row.isRemoved : row.kind === 'gone'
  const word = isBack ? 'to be put back' : `${isSaved ? '' : 'to be '}${isRemoved ? 'removed' : 'added'}`
  const number = row.kind === 'row' ? `row ${row.index + 1}` : `the ${row.kind === 'new' ? 'added' : 'removed'} row`
  const verb = isRemoved ? (row.kind === 'gone' ? 'Put back' : 'Keep') : isBack ? 'Do not put back' : 'Remove'
  const button = edit && (
    <button
      type="button"
      class="small quiet"
      aria-label={`${verb} ${number}`}
      title={`${verb} this row (key R)`}
      onClick={() => toggleRow(edit, pointer, row)}
    >
      {isRemoved ? '↶' : '×'}
    </button>
  )
  return (
    <span class="row-sign">
      {row.kind === 'gone' && button}
      {(isRemoved || isAdded || isBack) && (
        <span title={isBack ? undefined : isRemoved ? 'A person removed this row' : 'A person added this row'}>
          <i aria-hidden="true">{isRemoved ? '−' : '+'}</i>
          <span class="unseen">{word}</span>
        </span>
      )}
      {row.kind !== 'gone' && button}
    </span>
  )
}

/** Removes a row or puts it back; without its row the focus goes to the control that adds rows. */
export function toggleRow(edit: RowEditing, list: string, row: ShownRow): void {
  if (row.kind === 'new') focusAddRow(list)
  edit.toggle(list, row)
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
  const isNumber = isNumeric(cell)
  if (!isNumber && !expectsDay(cell.schema)) return <input {...common} dir="auto" />
  return (
    <>
      <input {...common} dir="auto" inputMode={isNumber ? 'decimal' : 'text'} />
      <Understood text={common.value} schema={cell.schema} before={cell.sample} habits={edit?.habits} />
    </>
  )
}
