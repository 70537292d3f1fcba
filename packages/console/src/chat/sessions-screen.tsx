import { briefTime, count, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { Link } from '../router.tsx'
import { visible } from '../visible.ts'
import type { Session } from '../wire.ts'

const shownMax = 200

/** Executions and chat turns that belong together. */
export function SessionsScreen() {
  const { data, problem } = useLoaded<readonly Session[]>(`/v1/sessions?limit=${shownMax}`)
  return (
    <>
      <div class="head-line">
        <h1>Sessions</h1>
        <Link to="/chat" class="button primary">
          New chat
        </Link>
      </div>
      <Problem text={problem} />
      {!data && !problem && <Skeletons />}
      {data?.length === 0 && (
        <Nothing title="No sessions yet">
          <p>
            A chat is a session. Executions with the same <code>metadata.session_id</code> are one, too.
          </p>
        </Nothing>
      )}
      {data && data.length > 0 && (
        <ul class="rows" aria-label="Sessions">
          {data.map((one) => (
            <li key={one.id} class="row">
              <Link class="grow row-link" to={`/executions?session_id=${encodeURIComponent(one.id)}`}>
                <strong class="name">{visible(one.id)}</strong>
                <span class="soft small block">
                  {count(one.executions, 'execution')} · newest: {visible(one.name)}
                </span>
              </Link>
              <time class="small soft" dateTime={one.updated_at} title={longTime(one.updated_at)}>
                {briefTime(one.updated_at)}
              </time>
              <Link class="button small" to={`/chat?session=${encodeURIComponent(one.id)}`}>
                Continue
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
