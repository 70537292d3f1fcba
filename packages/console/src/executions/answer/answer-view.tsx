import { pointerStep } from '@skillrun/core/json.ts'
import { useMemo } from 'preact/hooks'
import { label } from '../../format.ts'
import type { Json, JsonObject } from '../../wire.ts'
import { isJsonObject } from '../../wire.ts'
import { isDoubted, Leaf, Mark } from './leaf.tsx'
import { usePages } from './pages.tsx'
import { type AnswerProps, type BranchProps, fieldsOf, isBranch, type ListProps, type RowsProps } from './props.ts'
import { GoneValue, NewCells, RowSign, rowClass } from './row-signs.tsx'
import { isShown } from './shown-places.ts'
import { columnsOf, Table } from './table.tsx'
import { withAbsent } from './with-absent.ts'

/** An answer as a tree of named values, each with its evidence status. */
export function AnswerView({ answer, ...props }: { answer: Json } & AnswerProps) {
  const whole = useMemo(() => withAbsent(answer, props.doubts), [answer, props.doubts])
  return (
    <div class="answer">
      <Branch value={whole} pointer="" {...props} />
    </div>
  )
}

/** The shown rows of a list. Those that are gone need no look. */
const rowsIn = (items: readonly Json[], { pointer, only, rows }: Pick<BranchProps, 'pointer' | 'only' | 'rows'>) =>
  rows
    .shown(pointer, items)
    .filter(
      (row) =>
        only === undefined ||
        row.kind === 'new' ||
        (row.kind === 'row' && isShown(pointer + pointerStep(row.index), only)),
    )

function Branch(props: BranchProps) {
  const { value, pointer } = props
  if (isEditedList(value, pointer, props)) return <List {...props} items={Array.isArray(value) ? value : []} />
  if (Array.isArray(value)) return <List {...props} items={value} />
  return isJsonObject(value) ? <Fields {...props} value={value} /> : <Leaf {...props} />
}

function Fields(props: BranchProps & { value: JsonObject }) {
  const { value, pointer, active } = props
  const entries = fieldsOf(value).filter(([key]) => isShown(pointer + pointerStep(key), props.only))
  const { shown, bar, place } = usePages(entries, {
    active,
    isActive: ([key]) => isWithin(active, pointer + pointerStep(key)),
  })
  if (entries.length === 0) return <span class="soft">nothing</span>
  return (
    <div ref={place}>
      <dl class="fields">
        {shown.map(([key, item]) => {
          const at = pointer + pointerStep(key)
          return isBranch(item) || isEditedList(item, at, props) ? (
            <div class="branch" key={key}>
              <dt>{label(key)}</dt>
              <dd>
                <Branch {...props} value={item} pointer={at} />
              </dd>
            </div>
          ) : (
            <LeafRow key={key} {...props} name={label(key)} value={item} pointer={at} />
          )
        })}
      </dl>
      {bar}
    </div>
  )
}

/** Whether rows can be added here, also to an empty list. */
const isEditedList = (value: Json, pointer: string, { rows }: Pick<AnswerProps, 'rows'>): boolean =>
  rows.edit !== undefined && (Array.isArray(value) || (value === null && rows.edit.isList(pointer)))

function LeafRow(props: BranchProps & { name: string }) {
  const { name, pointer, evidence, active, look } = props
  const found = evidence[pointer]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the value within is a button, which takes the keyboard.
    <div
      class={active === pointer ? 'leaf active' : 'leaf'}
      data-pointer={pointer}
      onMouseEnter={() => found && look(pointer)}
      onMouseLeave={() => look(null)}
    >
      <dt>{name}</dt>
      <dd>
        <Leaf {...props} />
        <Mark
          value={props.value}
          evidence={found}
          needsLook={isDoubted(pointer, props.doubts)}
          change={props.reviewed?.get(pointer)}
        />
      </dd>
    </div>
  )
}

function List(props: ListProps) {
  const { items, pointer, rows } = props
  const { only } = props
  const all = useMemo(() => rowsIn(items, { pointer, only, rows }), [items, pointer, only, rows])
  // Those that are gone come last: a stored change has the names of its values in another order.
  const columns = useMemo(() => {
    const gone = all.flatMap((row) => (row.kind === 'gone' ? [row.value] : []))
    return columnsOf([...items, ...gone], rows.edit?.cells(pointer, items) ?? [])
  }, [items, all])
  const newest = Math.max(...all.map((row) => (row.kind === 'new' ? row.added.id : 0)))
  const { shown, bar, place } = usePages(all, {
    active: props.active,
    isActive: (row) => row.kind === 'row' && isWithin(props.active, pointer + pointerStep(row.index)),
    added: newest > 0 ? all.findIndex((row) => row.kind === 'new' && row.added.id === newest) : -1,
  })
  return (
    <div data-list={pointer} ref={place}>
      {shown.length === 0 && <span class="soft">none</span>}
      {columns ? <Table {...props} shown={shown} columns={columns} /> : <Items {...props} shown={shown} />}
      {bar}
      {rows.edit && (
        <p class="acts">
          <button type="button" class="small add-row" onClick={() => rows.edit?.add(pointer, undefined)}>
            Add a row <kbd>A</kbd>
          </button>
        </p>
      )}
    </div>
  )
}

/** The rows of a list that is no table. */
function Items(props: RowsProps) {
  const { items, pointer, shown, rows } = props
  return (
    <ol class="list">
      {shown.map((row) => {
        const at = row.kind === 'row' ? pointer + pointerStep(row.index) : undefined
        const { value } = row.kind === 'new' ? { value: null } : row
        return (
          <li key={row.key} class={rowClass(row)} data-row={row.key}>
            <RowSign {...{ row, pointer, rows }} />
            {row.kind === 'new' && <NewCells {...{ row, pointer, rows, items }} />}
            {row.kind === 'gone' && <GoneValue value={value} />}
            {at !== undefined &&
              (isBranch(value) ? (
                <Branch {...props} value={value} pointer={at} />
              ) : (
                <ListLeaf {...props} value={value} pointer={at} />
              ))}
          </li>
        )
      })}
    </ol>
  )
}

/** Whether the active place is this one or in it. */
const isWithin = (active: string | null, pointer: string): boolean =>
  active === pointer || (active?.startsWith(`${pointer}/`) ?? false)

function ListLeaf(props: BranchProps) {
  const { pointer, evidence, active, look } = props
  const found = evidence[pointer]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the value within is a button, which takes the keyboard.
    <span
      class={active === pointer ? 'leaf active' : 'leaf'}
      data-pointer={pointer}
      onMouseEnter={() => found && look(pointer)}
      onMouseLeave={() => look(null)}
    >
      <Leaf {...props} />
      <Mark
        value={props.value}
        evidence={found}
        needsLook={isDoubted(pointer, props.doubts)}
        change={props.reviewed?.get(pointer)}
      />
    </span>
  )
}
