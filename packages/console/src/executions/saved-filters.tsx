import { useState } from 'preact/hooks'
import { Link } from '../router.tsx'

interface SavedFilter {
  readonly name: string
  /** The query of the list, with its question mark. */
  readonly search: string
}

const place = 'skillrun-filters'
const nameCharactersMax = 60

/** Named filters, stored in this browser only. */
export function SavedFilters({ here }: { here: URL }) {
  const [saved, setSaved] = useState(readSaved)
  const [name, setName] = useState('')
  const keep = (next: readonly SavedFilter[]) => {
    localStorage.setItem(place, JSON.stringify(next))
    setSaved(next)
  }
  const add = (event: Event) => {
    event.preventDefault()
    const given = name.trim()
    if (given === '') return
    keep([...saved.filter((one) => one.name !== given), { name: given, search: here.search }])
    setName('')
  }
  return (
    <div class="saved">
      <details class="menu">
        <summary class="button">Saved filters</summary>
        <div class="menu-items">
          {saved.map((one) => (
            <span key={one.name} class="saved-row">
              <Link to={`/executions${one.search}`} class="button quiet grow">
                {one.name}
              </Link>
              <button
                type="button"
                class="quiet remove"
                aria-label={`Delete the filter ${one.name}`}
                onClick={() => keep(saved.filter((other) => other !== one))}
              >
                ×
              </button>
            </span>
          ))}
          {here.search === '' ? (
            <p class="small soft saved-hint">Set filters, then save them here. They are kept in this browser.</p>
          ) : (
            <form class="saved-row" onSubmit={add}>
              <input
                aria-label="Name of the filter"
                placeholder="Name of these filters"
                maxLength={nameCharactersMax}
                value={name}
                onInput={(event) => setName(event.currentTarget.value)}
              />
              <button type="submit" disabled={name.trim() === ''}>
                Save
              </button>
            </form>
          )}
        </div>
      </details>
    </div>
  )
}

function readSaved(): readonly SavedFilter[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(read) ? read.filter((one) => typeof one?.name === 'string' && /^\?/.test(one?.search)) : []
  } catch {
    return []
  }
}
