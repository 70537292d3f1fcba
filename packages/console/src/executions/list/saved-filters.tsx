import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useAttempt } from '../../attempt.ts'
import { useLoaded } from '../../live.ts'
import { Link } from '../../router.tsx'
import type { SavedFilter } from '../../wire.ts'

const path = '/v1/agent/executions/filters'
const nameCharactersMax = 100
/** Where earlier versions kept filters in the browser. */
const formerPlace = 'skillrun-filters'

/** Once for each load of the page. */
let isTakingOver = false

type Query = Readonly<Record<string, string>>

/** Named filters, shared by everyone in the workspace. `query`: the filters in use, as the API takes them. */
export function SavedFilters({ query }: { query: Query }) {
  const saved = useLoaded<readonly SavedFilter[]>(path)
  const [name, setName] = useState('')
  const { failure: problem, attempt } = useAttempt()
  const act = async (work: () => Promise<unknown>) => {
    await attempt(async () => {
      await work()
      setName('')
    })
    saved.again()
  }
  const known = saved.data
  useEffect(() => {
    const former = known && !isTakingOver ? readFormer() : []
    if (!known || former.length === 0) return
    isTakingOver = true
    void takeOver(former, known).then(saved.again)
  }, [known])
  const given = name.trim()
  const replaced = known?.find((one) => one.name === given)
  const save = (event: Event) => {
    event.preventDefault()
    if (given === '') return
    const body = { name: given, query }
    void act(() =>
      replaced ? call(`${path}/${replaced.id}`, { method: 'PUT', body }) : call(path, { method: 'POST', body }),
    )
  }
  return (
    <div class="saved">
      <details class="menu">
        <summary class="button">Saved filters</summary>
        <div class="menu-items">
          {known?.map((one) => (
            <span key={one.id} class="saved-row">
              <Link to={addressOf(one)} class="button quiet grow" title={`Saved by ${one.saved_by.name}`}>
                {one.name}
              </Link>
              <button
                type="button"
                class="quiet remove"
                aria-label={`Delete the filter ${one.name}`}
                onClick={() => void act(() => call(`${path}/${one.id}`, { method: 'DELETE' }))}
              >
                ×
              </button>
            </span>
          ))}
          {Object.keys(query).length === 0 ? (
            <p class="small soft saved-hint">Set filters, then save them here for everyone in the workspace.</p>
          ) : (
            <form class="saved-row" onSubmit={save}>
              <input
                aria-label="Name of the filter"
                placeholder="Name of these filters"
                maxLength={nameCharactersMax}
                value={name}
                onInput={(event) => setName(event.currentTarget.value)}
              />
              <button type="submit" disabled={given === ''}>
                {replaced ? 'Replace' : 'Save'}
              </button>
            </form>
          )}
          {(problem || saved.problem) && (
            <p class="small saved-hint warn" role="alert">
              {problem || saved.problem}
            </p>
          )}
        </div>
      </details>
    </div>
  )
}

function addressOf({ query }: SavedFilter): string {
  const search = new URLSearchParams(query as Query)
  return search.size === 0 ? '/executions' : `/executions?${search}`
}

interface FormerFilter {
  readonly name: string
  /** The query of the list, with its question mark. */
  readonly search: string
}

function readFormer(): readonly FormerFilter[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(formerPlace) ?? '[]')
    return Array.isArray(read) ? read.filter((one) => typeof one?.name === 'string' && /^\?/.test(one?.search)) : []
  } catch {
    return []
  }
}

/** Saves filters that this browser kept on the server, and keeps those that could not be saved. */
async function takeOver(former: readonly FormerFilter[], known: readonly SavedFilter[]): Promise<void> {
  const left: FormerFilter[] = []
  const names = new Set(known.map(({ name }) => name))
  for (const one of former) {
    const query = Object.fromEntries(new URLSearchParams(one.search))
    if (known.some((other) => other.name === one.name && textOf(other.query as Query) === textOf(query))) continue
    const name = freeName(one.name, names)
    try {
      await call(path, { method: 'POST', body: { name, query } })
      names.add(name)
    } catch (error) {
      // A filter that the server does not accept is dropped; a role that may not save leaves all to another sign-in in this browser.
      if (!(error instanceof SkillrunFailure && error.status === 422)) left.push(one)
    }
  }
  if (left.length > 0) localStorage.setItem(formerPlace, JSON.stringify(left))
  else localStorage.removeItem(formerPlace)
}

const textOf = (query: Query): string => JSON.stringify(Object.entries(query).sort())

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let n = 2; taken.has(free); n += 1) free = `${name} (${n})`
  return free
}
