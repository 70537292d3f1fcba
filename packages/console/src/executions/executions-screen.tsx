import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call, callRaw, wordsOf } from '../api.ts'
import { briefTime, count, dollars, duration, longTime } from '../format.ts'
import { useEvents, useLoaded } from '../live.ts'
import { CarefulButton } from '../parts/buttons.tsx'
import { Nothing, Problem, StatusMark } from '../parts/notes.tsx'
import { WindowedList } from '../parts/windowed-list.tsx'
import { go, Link, useHere } from '../router.tsx'
import { type Execution, hasEnded, isResumable, type ResumedExecutions, statuses } from '../wire.ts'

/** What is looked at again and again: the newest. */
const newestCount = 50
const olderCount = 200
const restlessMs = 1_500
/** On a telephone the filters stand closed until somebody asks for them. */
const narrowPixels = 640
const calmMs = 5_000
/** A filter is applied when somebody has stopped typing it. */
const typedMs = 350

/** Executions that one call resumes at most. */
const resumedMax = 1_000

interface Page {
  readonly executions: readonly Execution[]
  readonly older: string | null
}

async function loadPage(path: string, signal?: AbortSignal): Promise<Page> {
  const response = await callRaw(path, signal ? { signal } : {})
  const older = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
  return { executions: (await response.json()) as Execution[], older }
}

const filterNames = [
  'status',
  'service_tier',
  'name',
  'client_id',
  'skill_id',
  'session_id',
  'created_after',
  'created_before',
] as const

/** The executions of the workspace, newest first, as they come. */
export function ExecutionsScreen() {
  const here = useHere()
  const query = new URLSearchParams({ limit: String(newestCount) })
  for (const name of filterNames) {
    const value = here.searchParams.get(name)
    if (value) query.set(name, value)
  }
  const path = `/v1/agent/executions?${query}`
  const isRestless = (page: Page | undefined) => page?.executions.some((one) => !hasEnded(one.status)) ?? false
  const [isFollowed, setIsFollowed] = useState(false)
  const first = useLoaded<Page>(path, {
    load: loadPage,
    everyMs: (page) => (isRestless(page) && !isFollowed ? restlessMs : calmMs),
  })
  useEvents('/v1/agent/events', { wake: first.again, onOpen: setIsFollowed })
  const older = useOlder(path, first.data)
  const rows = useMemo(() => joined(first.data?.executions ?? [], older.executions), [first.data, older.executions])
  const isFiltered = filterNames.some((name) => here.searchParams.get(name))
  return (
    <>
      <div class="head-line">
        <h1>Executions</h1>
        <Link to="/" class="button primary">
          New run
        </Link>
      </div>
      <details class="filter-box" open={isFiltered || window.innerWidth > narrowPixels}>
        <summary>Filters</summary>
        <Filters here={here} />
      </details>
      <ResumeMany rows={rows} here={here} onDone={first.again} />
      <Problem text={first.problem || older.problem} />
      {first.data && rows.length === 0 && (
        <Nothing>
          {isFiltered ? 'No execution matches these filters.' : 'No executions yet. Start one on the Run screen.'}
        </Nothing>
      )}
      {rows.length > 0 && (
        <WindowedList
          class="rows executions"
          label="Executions, newest first"
          items={rows}
          idOf={(one) => one.id}
          row={(one) => <ExecutionRow one={one} />}
          onNearEnd={older.more}
        />
      )}
      {older.isLoading && <p class="soft small">Loading older executions…</p>}
    </>
  )
}

/** Resumes all that the filters find and that can be resumed: after an outage of a provider, say. */
function ResumeMany({ rows, here, onDone }: { rows: readonly Execution[]; here: URL; onDone: () => void }) {
  const [told, setTold] = useState('')
  const count = rows.filter((one) => one.status === 'paused' || isResumable(one)).length
  const resume = async () => {
    const filter = Object.fromEntries(
      filterNames.flatMap((name) => (here.searchParams.get(name) ? [[name, here.searchParams.get(name)]] : [])),
    )
    try {
      const { resumed, refused } = await call<ResumedExecutions>('/v1/agent/executions/resume', {
        method: 'POST',
        body: { filter },
      })
      const [first] = refused
      setTold(
        `${resumed} resumed${first ? `, ${refused.length} could not be resumed. First reason: ${first.reason}` : ''}${resumed + refused.length === resumedMax ? '. There may be more.' : ''}`,
      )
    } catch (error) {
      setTold(wordsOf(error))
    }
    onDone()
  }
  if (count === 0 && told === '') return null
  return (
    <p class="small" role="status">
      {count > 0 && (
        <CarefulButton
          name="Resume failed and paused"
          ask="Resume all executions that match these filters?"
          onDone={resume}
        />
      )}{' '}
      {told}
    </p>
  )
}

/** The newest before the older ones, each once. */
function joined(newest: readonly Execution[], older: readonly Execution[]): readonly Execution[] {
  const seen = new Set(newest.map((one) => one.id))
  return [...newest, ...older.filter((one) => !seen.has(one.id))]
}

function ExecutionRow({ one }: { one: Execution }) {
  const { usage } = one
  const tookMs = Date.parse(one.completed_at ?? '') - Date.parse(one.created_at)
  return (
    <Link class="row execution-row" to={`/executions/${one.id}`}>
      <StatusMark status={one.status} />
      <span class="grow">
        <strong class="name">{one.name}</strong>
        <span class="soft small block name">
          {one.error?.message ?? (one.session_id ? `session ${one.session_id}` : one.id)}
        </span>
      </span>
      <span class="small figures">
        <span>
          {usage.elements_processed === null ? '' : count(usage.elements_processed, usage.element_type ?? 'page')}
        </span>
        <span>{one.service_tier}</span>
        <span>{dollars(usage.cost_dollars)}</span>
        <span>{Number.isNaN(tookMs) ? '' : duration(tookMs)}</span>
        <time dateTime={one.created_at} title={longTime(one.created_at)}>
          {briefTime(one.created_at)}
        </time>
      </span>
    </Link>
  )
}

interface Older {
  readonly path: string
  readonly executions: readonly Execution[]
  readonly next: string | null
}

/** What is older than the newest, kept as it was loaded; begun anew when so much came that the two would not meet. */
function useOlder(path: string, first: Page | undefined) {
  const [state, setState] = useState<Older>()
  const [problem, setProblem] = useState('')
  const [isLoading, setIsLoading] = useState(false)
  const before = useRef<{ path: string; list: readonly Execution[] }>({ path, list: nothing })
  const own = state?.path === path ? state : undefined
  useEffect(() => {
    if (!first) return
    const list = before.current.path === path ? before.current.list : nothing
    before.current = { path, list: first.executions }
    const now = new Set(first.executions.map((one) => one.id))
    // What slides out of the newest is still there; where nothing stayed, some may have come and gone unseen.
    const gone = list.filter((one) => !now.has(one.id))
    if (list.length > 0 && gone.length === list.length) setState(undefined)
    else if (gone.length > 0 && own) setState({ ...own, executions: [...gone, ...own.executions] })
  }, [first])
  const next = own ? own.next : (first?.older?.replace(/\blimit=\d+/, `limit=${olderCount}`) ?? null)
  const load = async (from: string) => {
    if (isLoading) return
    setIsLoading(true)
    try {
      const page = await loadPage(from)
      setState({ path, executions: [...(own?.executions ?? []), ...page.executions], next: page.older })
      setProblem('')
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setIsLoading(false)
  }
  return {
    executions: own?.executions ?? nothing,
    isLoading,
    problem,
    more: next === null || isLoading || problem ? undefined : () => void load(next),
  }
}

const nothing: readonly Execution[] = []

const choices: readonly { name: string; told: string; values: readonly string[] }[] = [
  { name: 'status', told: 'Status', values: statuses },
  { name: 'service_tier', told: 'Tier', values: ['standard', 'flex', 'priority'] },
]

const typed = [
  { name: 'name', told: 'Agent', hint: 'name or name:version' },
  { name: 'client_id', told: 'Request id', hint: 'complete id' },
  { name: 'skill_id', told: 'Skill', hint: 'name or id' },
  { name: 'session_id', told: 'Session', hint: 'complete id' },
]

const times = [
  { name: 'created_after', told: 'From' },
  { name: 'created_before', told: 'Until' },
]

function Filters({ here }: { here: URL }) {
  const set = (name: string, value: string) => {
    const to = new URL(location.href)
    if (value) to.searchParams.set(name, value)
    else to.searchParams.delete(name)
    go(to.pathname + to.search, { replace: true })
  }
  const valueFor = (name: string) => here.searchParams.get(name) ?? ''
  return (
    <search class="filters">
      {choices.map(({ name, told, values }) => (
        <label key={name} class="field">
          <span>{told}</span>
          <select value={valueFor(name)} onChange={(event) => set(name, event.currentTarget.value)}>
            <option value="">all</option>
            {values.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      ))}
      {typed.map(({ name, told, hint }) => (
        <TypedFilter key={name} name={told} hint={hint} value={valueFor(name)} onChange={(value) => set(name, value)} />
      ))}
      {times.map(({ name, told }) => (
        <label key={name} class="field">
          <span>{told}</span>
          <input
            type="datetime-local"
            value={localOf(valueFor(name))}
            onChange={({ currentTarget: { value } }) => set(name, value ? new Date(value).toISOString() : '')}
          />
        </label>
      ))}
    </search>
  )
}

/** A moment as the field for local times has it, to the minute. */
function localOf(iso: string): string {
  const at = new Date(iso)
  if (iso === '' || Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

interface TypedFilterProps {
  readonly name: string
  readonly hint: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function TypedFilter({ name, hint, value, onChange }: TypedFilterProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text.trim()), typedMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <label class="field">
      <span>{name}</span>
      <input type="search" value={text} placeholder={hint} onInput={(event) => setText(event.currentTarget.value)} />
    </label>
  )
}
