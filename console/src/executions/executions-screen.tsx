import { useEffect, useState } from 'preact/hooks'
import { callRaw, wordsOf } from '../api.ts'
import { briefTime, count, dollars, duration, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Nothing, Problem, StatusMark } from '../parts/notes.tsx'
import { go, Link, useHere } from '../router.tsx'
import { type Execution, hasEnded, statuses } from '../wire.ts'

const pageSize = 50
const restlessMs = 1_500
const calmMs = 5_000
/** A filter is applied when somebody has stopped typing it. */
const typedMs = 350

interface Page {
  readonly executions: readonly Execution[]
  readonly older: string | null
}

async function loadPage(path: string, signal?: AbortSignal): Promise<Page> {
  const response = await callRaw(path, signal ? { signal } : {})
  const older = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
  return { executions: (await response.json()) as Execution[], older }
}

const filterNames = ['status', 'name', 'session_id'] as const

/** The executions of the workspace, newest first, as they come. */
export function ExecutionsScreen() {
  const here = useHere()
  const query = new URLSearchParams({ limit: String(pageSize) })
  for (const name of filterNames) {
    const value = here.searchParams.get(name)
    if (value) query.set(name, value)
  }
  const path = `/v1/agent/executions?${query}`
  const isRestless = (page: Page | undefined) => page?.executions.some((one) => !hasEnded(one.status)) ?? false
  const first = useLoaded<Page>(path, { load: loadPage, everyMs: (page) => (isRestless(page) ? restlessMs : calmMs) })
  const older = useOlder(path, first.data)
  const seen = new Set(first.data?.executions.map((one) => one.id))
  const rows = [...(first.data?.executions ?? []), ...older.executions.filter((one) => !seen.has(one.id))]
  const isFiltered = filterNames.some((name) => here.searchParams.get(name))
  return (
    <>
      <div class="head-line">
        <h1>Executions</h1>
        <Link to="/" class="button primary">
          New run
        </Link>
      </div>
      <Filters here={here} />
      <Problem text={first.problem || older.problem} />
      {first.data && rows.length === 0 && (
        <Nothing>
          {isFiltered ? 'No execution fits these filters.' : 'No execution yet. Drop a file on the Run screen.'}
        </Nothing>
      )}
      {rows.length > 0 && (
        <ol class="rows executions" aria-label="Executions, newest first">
          {rows.map((one) => (
            <ExecutionRow key={one.id} one={one} />
          ))}
        </ol>
      )}
      {older.more && (
        <button type="button" class="more" disabled={older.isLoading} onClick={older.more}>
          {older.isLoading ? 'Loading …' : 'Show older'}
        </button>
      )}
    </>
  )
}

function ExecutionRow({ one }: { one: Execution }) {
  const { usage } = one
  const tookMs = Date.parse(one.completed_at ?? '') - Date.parse(one.created_at)
  return (
    <li>
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
    </li>
  )
}

/** Pages before the first one, kept as they were loaded. */
function useOlder(path: string, first: Page | undefined) {
  const [state, setState] = useState<{ path: string; pages: readonly Page[] }>({ path, pages: [] })
  const [isLoading, setIsLoading] = useState(false)
  const [problem, setProblem] = useState('')
  const pages = state.path === path ? state.pages : []
  const next = (pages.at(-1) ?? first)?.older ?? null
  const load = async (from: string) => {
    setIsLoading(true)
    try {
      const page = await loadPage(from)
      setState({ path, pages: [...pages, page] })
      setProblem('')
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setIsLoading(false)
  }
  return {
    executions: pages.flatMap((page) => page.executions),
    isLoading,
    problem,
    more: next === null ? undefined : () => void load(next),
  }
}

function Filters({ here }: { here: URL }) {
  const status = here.searchParams.get('status') ?? ''
  const set = (name: string, value: string) => {
    const to = new URL(location.href)
    if (value) to.searchParams.set(name, value)
    else to.searchParams.delete(name)
    go(to.pathname + to.search, { replace: true })
  }
  return (
    <search class="filters">
      <label class="field">
        <span>Status</span>
        <select value={status} onChange={(event) => set('status', event.currentTarget.value)}>
          <option value="">all</option>
          {statuses.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <TypedFilter name="Agent" value={here.searchParams.get('name') ?? ''} onChange={(value) => set('name', value)} />
      <TypedFilter
        name="Session"
        value={here.searchParams.get('session_id') ?? ''}
        onChange={(value) => set('session_id', value)}
      />
    </search>
  )
}

function TypedFilter({ name, value, onChange }: { name: string; value: string; onChange: (value: string) => void }) {
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
      <input
        type="search"
        value={text}
        placeholder="whole name"
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  )
}
