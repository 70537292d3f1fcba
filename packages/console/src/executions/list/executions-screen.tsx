import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useEvents, useLoaded } from '../../live.ts'
import { Nothing, Problem, Skeletons } from '../../parts/notes.tsx'
import { WindowedList } from '../../parts/windowed-list.tsx'
import { Link, useHere } from '../../router.tsx'
import { hasEnded } from '../../wire.ts'
import { ExecutionRow } from './execution-row.tsx'
import { Filters, filterNames, queryOf, withParam } from './filters.tsx'
import { joined, loadPage, type Page, useOlder } from './list-pages.ts'
import { ResumeMany } from './resume-many.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** The part of the list that refreshes: the newest. */
const newestCount = 50
const restlessMs = 1_500
const calmMs = 5_000

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
