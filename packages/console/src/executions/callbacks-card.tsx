import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { briefTime, duration, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Problem } from '../parts/notes.tsx'
import { TableHead } from '../parts/table.tsx'
import type { Callback } from '../wire.ts'

const pollMs = 2_000

/** The callbacks of an execution or batch, by its path in the API, with their attempts. A new `version` reloads them. */
export function CallbacksCard({ of, version }: { of: string; version: string }) {
  const at = `${of}/callbacks`
  const isUnderWay = (list: readonly Callback[] | undefined) => list?.some((one) => one.state === 'pending') ?? false
  const { data, problem, again } = useLoaded<readonly Callback[]>(`${at}?${version}`, {
    everyMs: (list) => (isUnderWay(list) ? pollMs : 0),
    load: (_, signal) => call<readonly Callback[]>(at, { signal }),
  })
  const { failure, attempt } = useAttempt()
  if (!data && !problem) return null
  const redeliver = async (n: number) => {
    await attempt(() => call(`${at}/${n}/redeliver`, { method: 'POST' }))
    again()
  }
  return (
    <section class="stack" aria-label="Callbacks">
      <h2 class="unseen">Callbacks</h2>
      <Problem text={problem || failure} />
      {data?.length === 0 && <p class="soft small">None has been sent yet.</p>}
      <ol class="list">
        {(data ?? []).map((one) => (
          <CallbackRow key={one.n} one={one} onRedeliver={() => void redeliver(one.n)} />
        ))}
      </ol>
    </section>
  )
}

const marks = { pending: 'enqueued', delivered: 'completed', failed: 'failed' } as const

function CallbackRow({ one, onRedeliver }: { one: Callback; onRedeliver: () => void }) {
  return (
    <li>
      <div class="head-line">
        <span class={`status ${marks[one.state]}`}>
          <i aria-hidden="true" />
          {one.state}
        </span>
        <span class="grow">
          <span class="small">sent for </span>
          <strong class="small">{one.event}</strong>
          <code class="name block small">{one.url}</code>
        </span>
        <button type="button" class="quiet" disabled={one.state === 'pending'} onClick={onRedeliver}>
          Send again
        </button>
      </div>
      {one.next_try_at && one.state === 'pending' && (
        <p class="soft small">
          Next attempt: <time dateTime={one.next_try_at}>{longTime(one.next_try_at)}</time>.
        </p>
      )}
      {one.tries.length > 0 && (
        <table class="tries">
          <TableHead head={['Attempt', 'At', 'Response', 'Took#']} />
          <tbody>
            {one.tries.map((each, index) => (
              <tr key={each.at}>
                <td>{index + 1}</td>
                <td>
                  <time dateTime={each.at} title={longTime(each.at)}>
                    {briefTime(each.at)}
                  </time>
                </td>
                <td class={each.error ? 'bad' : 'good'}>
                  {each.status ?? ''} {each.error?.message ?? ''}
                </td>
                <td class="number">{duration(each.duration_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </li>
  )
}
