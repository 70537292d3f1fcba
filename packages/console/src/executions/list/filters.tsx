import { TypedFilter } from '../../parts/typed-filter.tsx'
import { go } from '../../router.tsx'
import { statuses } from '../../wire.ts'
import { SavedFilters } from './saved-filters.tsx'

export const filterNames = [
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
export const queryOf = (here: URL): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...filterNames, 'purpose'].flatMap((name) => {
      const value = here.searchParams.get(name)
      return value ? [[name, value]] : []
    }),
  )

export function withParam(here: URL, name: string, value: string): string {
  const to = new URL(here)
  if (value) to.searchParams.set(name, value)
  else to.searchParams.delete(name)
  return to.pathname + to.search
}

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

export function Filters({ here }: { here: URL }) {
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
