import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { Table } from '../parts/table.tsx'
import { TypedFilter } from '../parts/typed-filter.tsx'
import { go, useHere } from '../router.tsx'
import { visible } from '../visible.ts'
import type { AuditEntry } from '../wire.ts'

const pageSize = 100

/** Who did what to keys, files, skills and settings. */
export function AuditScreen() {
  const here = useHere()
  const action = here.searchParams.get('action') ?? ''
  const subject = here.searchParams.get('subject_id') ?? ''
  const [pages, setPages] = useState(1)
  const filter = { ...(action ? { action } : {}), ...(subject ? { subject_id: subject } : {}) }
  const { data, problem } = useLoaded<readonly AuditEntry[]>(`${JSON.stringify(filter)} ${pages}`, {
    load: async (_, signal) => {
      const page = (at: number) => {
        const query = new URLSearchParams({ limit: String(pageSize), skip: String(at * pageSize), ...filter })
        return call<readonly AuditEntry[]>(`/v1/audit?${query}`, { signal })
      }
      return (await Promise.all(Array.from({ length: pages }, (_, at) => page(at)))).flat()
    },
  })
  const set = (name: string, value: string) => {
    const to = new URL(location.href)
    if (value) to.searchParams.set(name, value)
    else to.searchParams.delete(name)
    setPages(1)
    go(to.pathname + to.search, { replace: true })
  }
  return (
    <>
      <h1>Audit log</h1>
      <search>
        <div class="filters">
          <TypedFilter name="Action" hint="key.create" value={action} onChange={(value) => set('action', value)} />
          <TypedFilter
            name="Changed"
            hint="id of a key, file, skill or batch"
            value={subject}
            onChange={(value) => set('subject_id', value)}
          />
        </div>
      </search>
      <Problem text={problem} />
      {!data && !problem && <Skeletons rows={10} />}
      {data?.length === 0 && (
        <Nothing title="No entries">
          <p>
            Creating and revoking keys, adding and deleting files and skills, and changing settings are recorded here,
            with the key that was used.
          </p>
        </Nothing>
      )}
      {data && data.length > 0 && (
        <Table label="Audit log" head={['When', 'Action', 'By', 'Changed', 'Detail']}>
          {data.map((one) => (
            <tr key={one.id}>
              <td>
                <time dateTime={one.created_at}>{longTime(one.created_at)}</time>
              </td>
              <th scope="row">
                <code>{one.action}</code>
              </th>
              <td class="name">
                {visible(one.user_name ?? (one.key_id === null ? 'the server' : one.key_name || 'a key'))}
                {one.key_hint && <span class="soft"> …{one.key_hint}</span>}
              </td>
              <td>
                <code class="small name">{one.subject_id}</code>
              </td>
              <td class="small name">{detailText(one.detail)}</td>
            </tr>
          ))}
        </Table>
      )}
      {data?.length === pageSize * pages && (
        <button type="button" class="more" onClick={() => setPages(pages + 1)}>
          Older entries
        </button>
      )}
    </>
  )
}

const detailText = (detail: AuditEntry['detail']): string =>
  Object.entries(detail)
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? visible(value) : JSON.stringify(value)}`,
    )
    .join(' · ')
