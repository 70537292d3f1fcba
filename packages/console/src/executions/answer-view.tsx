import type { ReviewChange } from '@skillrun/client/openapi.ts'
import { pointerStep, pointerSteps } from '@skillrun/core/json.ts'
import { type ComponentChild, Fragment } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { label, numberText, wholePercent } from '../format.ts'
import { DoubtMark, EvidenceMark, signs } from '../parts/notes.tsx'
import type { ShownRow } from '../reviews/list-rows.ts'
import { isNumeric, type RowCell } from '../reviews/new-row.ts'
import type { AnswerRows } from '../reviews/row-editing.ts'
import { type Evidence, type EvidenceMap, isJsonObject, type Json, type JsonObject } from '../wire.ts'
import { usePages } from './pages.tsx'
import { withAbsent } from './with-absent.ts'

/** The highlighted leaf of the answer, by JSON Pointer; null for none. */
export interface Looking {
  readonly active: string | null
  readonly look: (pointer: string | null) => void
  /** Called when a leaf is clicked, to show its place. */
  readonly pick?: (pointer: string) => void
}

interface AnswerProps extends Looking {
  readonly evidence: EvidenceMap
  /** Pointers of the values that need a look. */
  readonly doubts: ReadonlySet<string>
  /** The visible places; undefined: all. */
  readonly only?: ShownPlaces | undefined
  /** Reviews of values, by pointer. */
  readonly reviewed?: ReadonlyMap<string, ReviewChange>
  /** The rows of lists. */
  readonly rows: AnswerRows
}

const longTextCharacters = 160

/** An answer as a tree of named values, each with its evidence status. */
export function AnswerView({ answer, ...props }: { answer: Json } & AnswerProps) {
  const whole = useMemo(() => withAbsent(answer, props.doubts), [answer, props.doubts])
  return (
    <div class="answer">
      <Branch value={whole} pointer="" {...props} />
    </div>
  )
}

/** Places of an answer that are shown while the others are hidden. */
interface ShownPlaces {
  readonly wanted: ReadonlySet<string>
  /** The wanted places, and those that contain one. */
  readonly above: ReadonlySet<string>
}

/** A pointer and those of all that it is in. */
const upwards = (pointer: string): string[] =>
  pointer.split('/').map((_, depth, steps) => steps.slice(0, depth + 1).join('/'))

export const shownPlaces = (wanted: ReadonlySet<string>): ShownPlaces => ({
  wanted,
  above: new Set([...wanted].flatMap(upwards)),
})

/** Whether `pointer` is one that is wanted, above it, or within it. */
const isShown = (pointer: string, only: ShownPlaces | undefined): boolean =>
  only === undefined || only.above.has(pointer) || upwards(pointer).some((one) => only.wanted.has(one))

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

/** Whether a person should check the value, or the row that it is in. */
const isDoubted = (pointer: string, doubts: ReadonlySet<string>): boolean =>
  doubts.has(pointer) || doubts.has(/^.*\/\d+(?=\/[^/]*$)/.exec(pointer)?.[0] ?? pointer)

interface BranchProps extends AnswerProps {
  readonly value: Json
  readonly pointer: string
  /** Whether there is only room for a dash where a value is missing. */
  readonly isCell?: boolean
}

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

/** The fields of an object without the evidence siblings for older clients. */
const fieldsOf = (value: JsonObject): [string, Json][] =>
  Object.entries(value).filter(
    ([key, item]) =>
      !(
        key.endsWith('_metadata') &&
        key.slice(0, -'_metadata'.length) in value &&
        isJsonObject(item) &&
        Array.isArray(item['bboxes'])
      ),
  )

/** Whether rows can be added here, also to an empty list. */
const isEditedList = (value: Json, pointer: string, { rows }: Pick<AnswerProps, 'rows'>): boolean =>
  rows.edit !== undefined && (Array.isArray(value) || (value === null && rows.edit.isList(pointer)))

const isBranch = (value: Json): boolean =>
  (Array.isArray(value) && value.length > 0) || (isJsonObject(value) && Object.keys(value).length > 0)

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

interface MarkProps {
  readonly value: Json
  readonly evidence: Evidence | undefined
  readonly needsLook: boolean
  readonly change: ReviewChange | undefined
}

const reviewWords = {
  corrected: 'corrected this value',
  confirmed: 'confirmed this value',
  absent: 'found no such value in the document',
} as const

const wasText = ({ kind, from }: ReviewChange): string =>
  kind === 'confirmed' ? '' : `; the answer was ${from === null ? 'empty' : textOf(from as Json)}`

/** The evidence status of a value; nothing for a field that the document lacks. */
function Mark({ value, evidence, needsLook, change }: MarkProps) {
  if (change)
    return (
      <span class="proof reviewed" title={`A person ${reviewWords[change.kind]}${wasText(change)}`}>
        <i aria-hidden="true">✎</i>
        <span class="unseen">{reviewWords[change.kind]}</span>
      </span>
    )
  if (!evidence) return needsLook ? <DoubtMark isMissing={value === null} /> : null
  return value === null && !needsLook ? null : <EvidenceMark evidence={evidence} isDoubtful={needsLook} />
}

/** One value; a button if it has a place in the document. */
function Leaf({ value, pointer, evidence, look, pick, rows, reviewed, isCell = false }: BranchProps) {
  const isEditable = rows.edit !== undefined
  const found = evidence[pointer]
  const text = textOf(value, found)
  const isLong = typeof value === 'string' && (value.length > longTextCharacters || value.includes('\n'))
  if (isLong && !isEditable) return <pre class="long">{text}</pre>
  const shown =
    value === null ? <Missing evidence={reviewed?.has(pointer) ? undefined : found} isCell={isCell} /> : text
  if (isEditable)
    return (
      <button type="button" class="value placed editable" onClick={() => pick?.(pointer)}>
        {shown}
      </button>
    )
  if (!found || !isPlaced(found))
    return (
      <span class="value" title={found?.element}>
        {shown}
      </span>
    )
  return (
    <button
      type="button"
      class="value placed"
      title={[
        found.quote ? `${signs[found.status].word}: “${found.quote}”` : signs[found.status].word,
        `${wholePercent(found.confidence)} confidence`,
        ...(found.element ? [found.element] : []),
      ].join('\n')}
      onFocus={() => look(pointer)}
      onBlur={() => look(null)}
      onClick={() => {
        look(pointer)
        pick?.(pointer)
      }}
    >
      {shown}
    </button>
  )
}

/** A null, with the candidate if one was found with low confidence. */
function Missing({ evidence, isCell }: { evidence: Evidence | undefined; isCell: boolean }) {
  const { candidates = [] } = evidence ?? {}
  if (candidates.length === 0 && isCell)
    return (
      <span class="soft" title="not found">
        <span aria-hidden="true">–</span>
        <span class="unseen">not found</span>
      </span>
    )
  if (candidates.length === 0) return <span class="soft">not found</span>
  return (
    <span class="soft">
      not sure enough:{' '}
      {candidates.map(({ value, confidence }, index) => (
        <Fragment key={index}>
          {index > 0 && ', '}
          {/* Otherwise a right-to-left value would move the percentage into itself. */}
          <bdi>{textOf(value as Json)}</bdi> ({wholePercent(confidence)})
        </Fragment>
      ))}
    </span>
  )
}

/** Whether the evidence has a place that can be shown. */
export const isPlaced = ({ page, bbox, span }: Evidence): boolean =>
  (page !== undefined && bbox !== undefined) || span !== undefined

function textOf(value: Json, found?: Evidence): string {
  // As many decimals as the document prints: 12.5 beside “£12.50” is 12.50.
  if (typeof value === 'number') return numberText(value, /[.,]\d\d(?!\d)/.test(found?.quote ?? '') ? 2 : 0)
  if (typeof value === 'string') return value === '' ? '“”' : value
  if (Array.isArray(value)) return 'none'
  return isJsonObject(value) ? 'nothing' : String(value)
}

interface ListProps extends BranchProps {
  readonly items: readonly Json[]
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

interface RowsProps extends ListProps {
  readonly shown: readonly ShownRow[]
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
          <li key={row.key} class={rowClass(row)} data-row={at}>
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

/** What was removed, in one line. */
const GoneValue = ({ value }: { value: Json }) => (
  <span class="value">{isBranch(value) ? JSON.stringify(value) : textOf(value)}</span>
)

const rowClass = (row: ShownRow): string => {
  if (row.kind === 'row') return [row.isAdded && 'row-added', row.isRemoved && 'row-removed'].filter(Boolean).join(' ')
  return row.kind === 'new' ? 'row-added' : 'row-removed'
}

interface RowSignProps {
  readonly row: ShownRow
  readonly pointer: string
  readonly rows: AnswerRows
}

/** Whether a row was added or removed, and the button that changes that. */
function RowSign({ row, pointer, rows: { edit } }: RowSignProps) {
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
function NewCells(props: NewRowProps) {
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
function NewCell({ row, pointer, rows: { edit }, cell, isFirst }: NewRowProps & { cell: RowCell; isFirst: boolean }) {
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

/** Whether the active place is this one or in it. */
const isWithin = (active: string | null, pointer: string): boolean =>
  active === pointer || (active?.startsWith(`${pointer}/`) ?? false)

/** The columns of a list of flat objects, to which a person can add rows with `cells`; undefined for any other list. */
function columnsOf(items: readonly Json[], cells: readonly RowCell[]): readonly string[] | undefined {
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

function Table(props: RowsProps & { columns: readonly string[] }) {
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
            <tr
              key={row.key}
              class={rowClass(row)}
              data-row={row.kind === 'row' ? pointer + pointerStep(row.index) : undefined}
            >
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
