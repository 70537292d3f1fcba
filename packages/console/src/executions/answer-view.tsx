import type { ReviewChange } from '@skillrun/client/openapi.ts'
import { pointerStep } from '@skillrun/core/json.ts'
import { type ComponentChild, Fragment } from 'preact'
import { useMemo } from 'preact/hooks'
import { label, numberText, wholePercent } from '../format.ts'
import { DoubtMark, EvidenceMark, signs } from '../parts/notes.tsx'
import { type Evidence, type EvidenceMap, isJsonObject, type Json, type JsonObject } from '../wire.ts'
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
  /** Whether every value can be selected, even without a place in the document. */
  readonly isEditable?: boolean
}

/** Rows rendered per list; the JSON view has all. */
const rowsMax = 200
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

/** The shown items of a list, with their indices. */
const shownItems = (items: readonly Json[], { pointer, only }: Pick<BranchProps, 'pointer' | 'only'>) =>
  [...items.entries()].filter(([index]) => isShown(pointer + pointerStep(index), only))

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
  if (Array.isArray(value)) return <List {...props} items={value} />
  if (!isJsonObject(value)) return <Leaf {...props} />
  const entries = fieldsOf(value).filter(([key]) => isShown(pointer + pointerStep(key), props.only))
  if (entries.length === 0) return <span class="soft">nothing</span>
  return (
    <dl class="fields">
      {entries.slice(0, rowsMax).map(([key, item]) => {
        const at = pointer + pointerStep(key)
        return isBranch(item) ? (
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
      <Rest many={entries.length} />
    </dl>
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
function Leaf({ value, pointer, evidence, look, pick, isEditable, reviewed, isCell = false }: BranchProps) {
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

function List(props: BranchProps & { items: readonly Json[] }) {
  const { items, pointer } = props
  const columns = columnsOf(items)
  if (columns) return <Table {...props} columns={columns} />
  const shown = shownItems(items, props)
  return (
    <ol class="list">
      {shown.slice(0, rowsMax).map(([index, item]) => {
        const at = pointer + pointerStep(index)
        return (
          <li key={at}>
            {isBranch(item) ? (
              <Branch {...props} value={item} pointer={at} />
            ) : (
              <ListLeaf {...props} value={item} pointer={at} />
            )}
          </li>
        )
      })}
      <Rest many={shown.length} />
    </ol>
  )
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

/** The columns of a list of flat objects; undefined for any other list. */
function columnsOf(items: readonly Json[]): readonly string[] | undefined {
  const rows = items.filter(isJsonObject)
  if (rows.length === 0 || rows.length !== items.length) return undefined
  const isFlat = rows.every((row) => fieldsOf(row).every(([, cell]) => !isBranch(cell)))
  if (!isFlat) return undefined
  // In the order of the fullest row: the first may lack fields.
  const names = rows.map((row) => fieldsOf(row).map(([key]) => key)).toSorted((a, b) => b.length - a.length)
  return [...new Set(names.flat())]
}

function Table(props: BranchProps & { items: readonly Json[]; columns: readonly string[] }) {
  const { items, columns, pointer } = props
  const shown = shownItems(items, props)
  const isNumeric = (column: string) => items.some((row) => isJsonObject(row) && typeof row[column] === 'number')
  const cell = (row: Json, column: string, index: number): ComponentChild => {
    const at = pointer + pointerStep(index) + pointerStep(column)
    const value = isJsonObject(row) ? row[column] : undefined
    return <Cell key={column} {...props} value={value ?? null} pointer={at} />
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keyboard too.
    <section class="wide" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={isNumeric(column) ? 'number' : ''}>
                {label(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, rowsMax).map(([index, row]) => (
            <tr key={index}>{columns.map((column) => cell(row, column, index))}</tr>
          ))}
        </tbody>
      </table>
      <Rest many={shown.length} />
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

function Rest({ many }: { many: number }) {
  return many > rowsMax ? <p class="soft small">… and {many - rowsMax} more, in the JSON.</p> : null
}
