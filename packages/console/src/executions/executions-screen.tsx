import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call, callRaw, wordsOf } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { briefTime, count, dollars, duration, longTime, wholePercent } from '../format.ts'
import { useEvents, useLoaded } from '../live.ts'
import { CarefulButton } from '../parts/buttons.tsx'
import { Nothing, Problem, Skeletons, StatusMark } from '../parts/notes.tsx'
import { TypedFilter } from '../parts/typed-filter.tsx'
import { WindowedList } from '../parts/windowed-list.tsx'
import { go, Link, useHere } from '../router.tsx'
import { visible } from '../visible.ts'
import { type ListedExecution as Execution, hasEnded, isResumable, type ResumedExecutions, statuses } from '../wire.ts'
import { SavedFilters } from './saved-filters.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** The part of the list that refreshes: the newest. */
const newestCount = 50
const olderCount = 200
const restlessMs = 1_500
const calmMs = 5_000

/** Most executions that one call resumes. */
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
  'q',
  'status',
  'service_tier',
  'name',
  'client_id',
  'skill_id',
  'session_id',
  'review',
  'approval',
  'batch_id',
  'created_after',
  'created_before',
] as const

/** The filters in use, as the API takes them. */
const queryOf = (here: URL): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...filterNames, 'purpose'].flatMap((name) => {
      const value = here.searchParams.get(name)
      return value ? [[name, value]] : []
    }),
  )

/** The executions of the workspace, newest first, live. */
export function ExecutionsScreen() {
  const here = useHere()
  const query = new URLSearchParams({ ...queryOf(here), limit: String(newestCount) })
  const purpose = purposes.find((one) => one.value === here.searchParams.get('purpose')) ?? purposes[0]
  query.set('purpose', purpose.value)
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
  const [selected, setSelected] = useState<ReadonlySet<string>>(noneSelected)
  useEffect(() => setSelected(noneSelected), [path])
  const lastChosen = useRef('')
  const select = (id: string, isRange: boolean) => {
    const at = rows.findIndex((one) => one.id === id)
    const from = isRange ? rows.findIndex((one) => one.id === lastChosen.current) : at
    const range = rows.slice(Math.min(at, from < 0 ? at : from), Math.max(at, from) + 1)
    const isOn = !selected.has(id)
    const next = new Set(selected)
    for (const one of range) isOn ? next.add(one.id) : next.delete(one.id)
    lastChosen.current = id
    setSelected(next)
  }
  return (
    <>
      <div class="head-line">
        <h1>Executions</h1>
        <Link to="/" class="button primary">
          New run
        </Link>
      </div>
      <nav class="tabs" aria-label="Kinds of executions">
        {purposes.map(({ value, title }) => (
          <Link
            key={value}
            to={withParam(here, 'purpose', value === 'work' ? '' : value)}
            aria-current={value === purpose.value ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <Filters here={here} />
      {selected.size > 0 ? (
        <SelectionBar
          chosen={rows.filter((one) => selected.has(one.id))}
          onDone={() => {
            setSelected(noneSelected)
            first.again()
          }}
          onClear={() => setSelected(noneSelected)}
        />
      ) : (
        <ResumeMany rows={rows} here={here} purpose={purpose.value} onDone={first.again} />
      )}
      <Problem text={first.problem || older.problem} />
      {!first.data && !first.problem && <Skeletons rows={10} />}
      {first.data &&
        rows.length === 0 &&
        (isFiltered ? (
          <Nothing>
            No execution matches these filters.
            {older.more && <span class="block">Older ones are being searched…</span>}
          </Nothing>
        ) : (
          <Empty kind={purpose.value} />
        ))}
      {first.data && rows.length === 0 && isFiltered && <SearchOn more={older.more} />}
      {rows.length > 0 && (
        <div class="table-like">
          <div class="row execution-head small soft" aria-hidden="true">
            <span />
            <span class="execution-cells">
              <span>File</span>
              <span>Skill</span>
              <span>Status</span>
              <span class="number">Fields</span>
              <span class="number" title="The lowest confidence of a value">
                Confidence
              </span>
              <span class="number">Time</span>
              <span class="number">Cost</span>
              <span class="number">Created</span>
            </span>
          </div>
          <WindowedList
            class="rows executions"
            label="Executions, newest first"
            items={rows}
            idOf={(one) => one.id}
            row={(one) => <ExecutionRow one={one} isSelected={selected.has(one.id)} onSelect={select} />}
            onNearEnd={older.more}
          />
        </div>
      )}
      {older.isLoading && <p class="soft small">Loading older executions…</p>}
    </>
  )
}

const noneSelected: ReadonlySet<string> = new Set()

const purposes = [
  { value: 'work', title: 'Work' },
  { value: 'evaluation', title: 'Evaluations' },
  { value: 'shadow', title: 'Program checks' },
  { value: 'all', title: 'All' },
] as const

function withParam(here: URL, name: string, value: string): string {
  const to = new URL(here)
  if (value) to.searchParams.set(name, value)
  else to.searchParams.delete(name)
  return to.pathname + to.search
}

/** Each page of a search examines a bounded number of executions: without matches, continue with older ones. */
function SearchOn({ more }: { more: (() => void) | undefined }) {
  useEffect(() => more?.(), [more])
  return null
}

function Empty({ kind }: { kind: (typeof purposes)[number]['value'] }) {
  if (kind === 'evaluation')
    return (
      <Nothing title="No evaluation has run">
        <p>
          An evaluation runs the cases of a skill and says how many answers were right. Start one on the page of a
          skill.
        </p>
        <p class="acts">
          <Link to="/skills" class="button">
            Skills
          </Link>
        </p>
      </Nothing>
    )
  if (kind === 'shadow')
    return (
      <Nothing title="No program has been checked">
        <p>
          While a program answers for a skill, some of its runs are repeated by the agent to see whether both agree.
        </p>
      </Nothing>
    )
  return (
    <Nothing title="No executions yet">
      <p>
        Drop a document, say which fields you want, and run it. Each run is listed here with what was found and what it
        cost.
      </p>
      <p class="acts">
        <Link to="/" class="button primary">
          Start the first run
        </Link>
        <Link to="/skills" class="button">
          Look at the skills
        </Link>
      </p>
    </Nothing>
  )
}

/** Resumes all matching executions that can be resumed, such as after an outage of a provider. */
function ResumeMany({
  rows,
  here,
  purpose,
  onDone,
}: {
  rows: readonly Execution[]
  here: URL
  purpose: string
  onDone: () => void
}) {
  const [message, setMessage] = useState('')
  const count = rows.filter((one) => one.status === 'paused' || isResumable(one)).length
  const resume = async () => {
    const filter = Object.fromEntries([
      ...filterNames.flatMap((name) => (here.searchParams.get(name) ? [[name, here.searchParams.get(name)]] : [])),
      ['purpose', purpose],
    ])
    try {
      const { resumed, refused } = await call<ResumedExecutions>('/v1/agent/executions/resume', {
        method: 'POST',
        body: { filter },
      })
      const [first] = refused
      setMessage(
        `${resumed} resumed${first ? `, ${refused.length} could not be resumed. First reason: ${first.reason}` : ''}${resumed + refused.length === resumedMax ? '. There may be more.' : ''}`,
      )
    } catch (error) {
      setMessage(wordsOf(error))
    }
    onDone()
  }
  if (count === 0 && message === '') return null
  return (
    <p class="small" role="status">
      {count > 0 && (
        <CarefulButton
          name="Resume failed and paused"
          ask="Resume all executions that match these filters?"
          onDone={resume}
        />
      )}{' '}
      {message}
    </p>
  )
}

/** Newest first, each once. */
function joined(newest: readonly Execution[], older: readonly Execution[]): readonly Execution[] {
  const seen = new Set(newest.map((one) => one.id))
  return [...newest, ...older.filter((one) => !seen.has(one.id))]
}

interface RowProps {
  readonly one: Execution
  readonly isSelected: boolean
  readonly onSelect: (id: string, isRange: boolean) => void
}

function ExecutionRow({ one, isSelected, onSelect }: RowProps) {
  const { usage, file_names: files, completeness, skills } = one
  const tookMs = Date.parse(one.completed_at ?? '') - Date.parse(one.created_at)
  const [file] = files
  const title = file === undefined ? one.name : visible(file) + (files.length > 1 ? ` + ${files.length - 1}` : '')
  const found = Object.values(one.evidence ?? {}).filter(({ confidence }) => confidence > 0)
  const lowest = found.length > 0 ? Math.min(...found.map(({ confidence }) => confidence)) : undefined
  const doubts = one.needs_look?.length ?? 0
  return (
    <div class={isSelected ? 'row execution-row selected' : 'row execution-row'}>
      <input
        type="checkbox"
        aria-label={`Select ${title}`}
        checked={isSelected}
        onClick={(event) => onSelect(one.id, event.shiftKey)}
      />
      <Link class="execution-cells" to={`/executions/${one.id}`}>
        <span>
          <strong class="name">{title}</strong>
          <span class="soft small block name">
            {one.error?.message ??
              [...(file === undefined ? [] : [one.name]), one.session_id ? `session ${one.session_id}` : one.id].join(
                ' · ',
              )}
          </span>
        </span>
        <span class="soft name">{skills.map(({ name }) => name).join(', ')}</span>
        <span>
          <StatusMark status={one.status} />
        </span>
        <span class="number" data-name="fields">
          {completeness ? `${completeness.found}/${completeness.asked}` : ''}
        </span>
        <span
          class={doubts > 0 ? 'number warn' : 'number'}
          data-name="sure"
          title={doubts > 0 ? `${count(doubts, 'value')} to look at` : ''}
        >
          {lowest === undefined ? '' : wholePercent(lowest)}
        </span>
        <span class="number">{Number.isNaN(tookMs) ? '' : duration(tookMs)}</span>
        <span class="number">{dollars(usage.cost_dollars)}</span>
        <span class="number soft">
          <time dateTime={one.created_at} title={longTime(one.created_at)}>
            {briefTime(one.created_at)}
          </time>
        </span>
      </Link>
    </div>
  )
}

interface Older {
  readonly path: string
  readonly executions: readonly Execution[]
  readonly next: string | null
}

/** Older pages, kept as loaded; restarted when there are more new rows than the newest page holds. */
function useOlder(path: string, first: Page | undefined) {
  const [state, setState] = useState<Older>()
  const { failure: problem, attempt } = useAttempt()
  const [isLoading, setIsLoading] = useState(false)
  const before = useRef<{ path: string; list: readonly Execution[] }>({ path, list: nothing })
  const own = state?.path === path ? state : undefined
  useEffect(() => {
    if (!first) return
    const list = before.current.path === path ? before.current.list : nothing
    before.current = { path, list: first.executions }
    const now = new Set(first.executions.map((one) => one.id))
    // Keep rows that leave the newest page; if none of them stayed, rows may have been missed.
    const gone = list.filter((one) => !now.has(one.id))
    if (list.length > 0 && gone.length === list.length) setState(undefined)
    else if (gone.length > 0 && own) setState({ ...own, executions: [...gone, ...own.executions] })
  }, [first])
  const next = own ? own.next : (first?.older?.replace(/\blimit=\d+/, `limit=${olderCount}`) ?? null)
  const load = async (from: string) => {
    if (isLoading) return
    setIsLoading(true)
    await attempt(async () => {
      const page = await loadPage(from)
      setState({ path, executions: [...(own?.executions ?? []), ...page.executions], next: page.older })
    })
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

const choices: readonly { name: string; label: string; values: readonly string[] }[] = [
  { name: 'status', label: 'Status', values: statuses },
  { name: 'service_tier', label: 'Tier', values: ['standard', 'flex', 'priority'] },
  { name: 'review', label: 'Review', values: ['needed', 'done'] },
  { name: 'approval', label: 'Approval', values: ['needed', 'done'] },
]

const typed = [
  { name: 'name', label: 'Agent', hint: 'name or name:version' },
  { name: 'client_id', label: 'Request id', hint: 'complete id' },
  { name: 'skill_id', label: 'Skill', hint: 'name or id' },
  { name: 'session_id', label: 'Session', hint: 'complete id' },
  { name: 'batch_id', label: 'Batch', hint: 'complete id' },
]

const times = [
  { name: 'created_after', label: 'From' },
  { name: 'created_before', label: 'Until' },
]

/** Filters behind a button until one is used. */
const moreNames = [
  'service_tier',
  'review',
  'approval',
  ...typed.map(({ name }) => name),
  ...times.map(({ name }) => name),
]

function Filters({ here }: { here: URL }) {
  const set = (name: string, value: string) => go(withParam(new URL(location.href), name, value), { replace: true })
  const valueFor = (name: string) => here.searchParams.get(name) ?? ''
  const choice = ({ name, label, values }: (typeof choices)[number]) => (
    <label key={name} class="field">
      <span>{label}</span>
      <select value={valueFor(name)} onChange={(event) => set(name, event.currentTarget.value)}>
        <option value="">all</option>
        {values.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  )
  const [status, ...others] = choices
  const isMore = moreNames.some((name) => valueFor(name) !== '')
  return (
    <search class="stack tight">
      <div class="filters">
        <TypedFilter
          name="Search"
          hint="File, agent, id, session or text of the answer"
          value={valueFor('q')}
          onChange={(value) => set('q', value)}
        />
        {status && choice(status)}
        <SavedFilters query={queryOf(here)} />
      </div>
      <details open={isMore}>
        <summary class="small">More filters</summary>
        <div class="filters">
          {others.map(choice)}
          {typed.map(({ name, label, hint }) => (
            <TypedFilter
              key={name}
              name={label}
              hint={hint}
              value={valueFor(name)}
              onChange={(value) => set(name, value)}
            />
          ))}
          {times.map(({ name, label }) => (
            <label key={name} class="field">
              <span>{label}</span>
              <input
                type="datetime-local"
                value={localOf(valueFor(name))}
                onChange={({ currentTarget: { value } }) => set(name, value ? new Date(value).toISOString() : '')}
              />
            </label>
          ))}
        </div>
      </details>
    </search>
  )
}

/** A time for a `datetime-local` field, to the minute. */
function localOf(iso: string): string {
  const at = new Date(iso)
  if (iso === '' || Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
