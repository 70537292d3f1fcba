import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { callRaw, wordsOf } from '../api.ts'
import { count, dollars, numberText, pathLabel, wholePercent } from '../format.ts'
import { awayMs, willPass } from '../live.ts'
import { Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { WindowedList } from '../parts/windowed-list.tsx'
import { Link } from '../router.tsx'
import { visible } from '../visible.ts'
import { type Batch, type BatchItem, type BatchItemField, batchPath, endedOf, marks } from './wire.ts'

const pageSize = 200
/** Largest page of the API. */
const pageMax = 1000
/** Columns beyond this are on the page of the execution. */
const columnsMax = 24

interface Loaded {
  readonly items: readonly BatchItem[]
  readonly next: string | null
}

async function loadPage(path: string): Promise<Loaded> {
  const response = await callRaw(path)
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
  return { items: (await response.json()) as BatchItem[], next }
}

/** Reloads everything shown so far, and where the rest begins. */
async function loadAgain(path: string, wanted: number): Promise<Loaded> {
  let loaded: Loaded = { items: [], next: `${path}&limit=${Math.min(pageMax, Math.max(pageSize, wanted))}` }
  while (loaded.next !== null && loaded.items.length < Math.max(wanted, 1)) {
    const page = await loadPage(loaded.next)
    loaded = { items: [...loaded.items, ...page.items], next: page.next }
  }
  return loaded
}

interface TableProps {
  readonly batch: Batch
  /** Begins with `&` unless empty. */
  readonly query: string
}

/** A row per document, a column per field; values that need a look are coloured. */
export function ResultsTable({ batch, query }: TableProps) {
  const path = batchPath(batch.id, `/items?${query.slice(1)}`)
  const [loaded, setLoaded] = useState<Loaded>()
  const [problem, setProblem] = useState('')
  /** The path that is wanted: what arrives for another one does not count. */
  const wanted = useRef(path)
  const shownCount = useRef(0)
  const isLoading = useRef(false)
  const isStale = useRef(false)
  const isGone = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const ended = endedOf(batch)
  /** One load at a time: a change of the batch meanwhile loads everything once more afterwards, however often it changes. */
  const load = async (work: () => Promise<Loaded>) => {
    clearTimeout(timer.current)
    isLoading.current = true
    isStale.current = false
    const at = wanted.current
    try {
      const found = await work()
      if (at === wanted.current) {
        shownCount.current = found.items.length
        setLoaded(found)
        setProblem('')
      }
    } catch (error) {
      if (at === wanted.current) setProblem(wordsOf(error))
      if (willPass(error) && !isGone.current) timer.current = setTimeout(() => void load(work), awayMs)
    }
    isLoading.current = false
    if (isStale.current && !isGone.current) refresh()
  }
  const refresh = () => void load(() => loadAgain(wanted.current, shownCount.current))
  const refreshSoon = () => {
    if (isLoading.current) isStale.current = true
    else refresh()
  }
  useEffect(
    () => () => {
      isGone.current = true
      clearTimeout(timer.current)
    },
    [],
  )
  useEffect(() => {
    if (wanted.current !== path) {
      wanted.current = path
      shownCount.current = 0
    }
    refreshSoon()
  }, [ended, batch.status, path])
  const items = loaded?.items ?? []
  const next = loaded?.next ?? null
  const columns = useMemo(() => columnsOf(items), [items])
  const digits = useMemo(() => digitsOf(items), [items])
  if (!loaded) return problem ? <Problem text={problem} /> : <Skeletons rows={10} />
  if (items.length === 0)
    return (
      <Nothing>{query === '' ? 'This batch has no documents.' : 'No document of this batch is like that.'}</Nothing>
    )
  const widths = {
    gridTemplateColumns: `minmax(11rem, 18rem) 6.25rem ${'minmax(6.5rem, 1fr) '.repeat(Math.max(1, columns.length))}4rem`,
    minWidth: `${24.5 + columns.length * 7.25}rem`,
  }
  const more =
    next === null
      ? undefined
      : () => {
          if (isLoading.current) return
          void load(async () => {
            const page = await loadPage(next)
            return { items: [...items, ...page.items], next: page.next }
          })
        }
  return (
    <>
      <Problem text={problem} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keyboard too. */}
      <section class="results" tabIndex={0} aria-label="Results">
        <div class="result-row result-head small soft" style={widths} aria-hidden="true">
          <span>Document</span>
          <span>Status</span>
          {columns.map((column) => (
            <span key={column} title={column} class={digits.has(column) ? 'number' : ''}>
              {pathLabel(column)}
            </span>
          ))}
          {columns.length === 0 && <span />}
          <span class="number">Cost</span>
        </div>
        <WindowedList
          class="rows"
          label="Results, one row for each document"
          items={items}
          idOf={(item) => String(item.index)}
          row={(item) => <ResultRow item={item} columns={columns} digits={digits} style={widths} />}
          onNearEnd={more}
        />
      </section>
    </>
  )
}

/** The paths of the values in order of first appearance. */
const columnsOf = (items: readonly BatchItem[]): readonly string[] =>
  [...new Set(items.flatMap(({ fields }) => fields.map(({ path }) => path)))].slice(0, columnsMax)

/** Numeric columns; if a value has one or two decimals, as amounts do, all get two. */
function digitsOf(items: readonly BatchItem[]): ReadonlyMap<string, number> {
  const digits = new Map<string, number>()
  for (const { path, value } of items.flatMap(({ fields }) => fields))
    if (typeof value === 'number') {
      const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0
      digits.set(path, Math.max(digits.get(path) ?? 0, decimals === 1 || decimals === 2 ? 2 : 0))
    }
  return digits
}

interface RowProps {
  readonly item: BatchItem
  readonly columns: readonly string[]
  /** The decimals of each column of numbers. */
  readonly digits: ReadonlyMap<string, number>
  readonly style: Readonly<Record<string, string>>
}

function ResultRow({ item, columns, digits, style }: RowProps) {
  const fields = new Map(item.fields.map((field) => [field.path, field]))
  const name = visible(item.file_name ?? item.client_id ?? `Document ${item.index + 1}`)
  return (
    <div class="result-row" style={style}>
      {item.execution_id ? (
        <Link to={`/executions/${item.execution_id}`} class="result-name" title={name}>
          {name}
        </Link>
      ) : (
        <span class="result-name" title={name}>
          {name}
        </span>
      )}
      <span class={`status ${marks[item.status]}`}>
        <i aria-hidden="true" />
        {item.review === 'done' ? 'reviewed' : item.status}
      </span>
      {item.error ? (
        <span class="result-error" title={item.error.message}>
          {item.error.message}
        </span>
      ) : (
        <>
          {columns.map((column) => (
            <ResultCell
              key={column}
              executionId={item.execution_id}
              field={fields.get(column)}
              fractionDigits={digits.get(column) ?? 0}
            />
          ))}
          {columns.length === 0 && <span />}
        </>
      )}
      <span class="number">{item.cost_dollars > 0 ? dollars(item.cost_dollars) : ''}</span>
    </div>
  )
}

interface CellProps {
  readonly executionId: string | null
  readonly field: BatchItemField | undefined
  readonly fractionDigits: number
}

/** One value; links to its place on the page of its execution. */
function ResultCell({ executionId, field, fractionDigits }: CellProps) {
  if (!field || executionId === null) return <span />
  const { path, value, confidence, needs_look: needsLook } = field
  const to = `/executions/${executionId}?field=${encodeURIComponent(path)}`
  if (value === null)
    return (
      <Link to={to} class={needsLook ? 'cell warn' : 'cell soft'} title={wordsOfMissing(field)}>
        –
      </Link>
    )
  const mark = needsLook ? 'warn' : ''
  return (
    <Link
      to={to}
      class={`cell ${mark} ${typeof value === 'number' ? 'number' : ''}`}
      title={confidence === null ? '' : `${wholePercent(confidence)} confidence`}
    >
      {textOf(value, fractionDigits)}
      {needsLook && <span class="unseen">, needs a look, {wholePercent(confidence ?? 0)} sure</span>}
    </Link>
  )
}

function wordsOfMissing({ needs_look: needsLook, evidence }: BatchItemField): string {
  if (!needsLook) return 'Not found in the document'
  return evidence === null ? 'Required, and not found in the document' : 'Left out, with likely values to choose from'
}

function textOf(value: unknown, fractionDigits: number): string {
  if (typeof value === 'number') return numberText(value, fractionDigits)
  if (Array.isArray(value)) return count(value.length, 'row')
  return visible(typeof value === 'string' ? value : JSON.stringify(value))
}
