import { briefTime, count, dollars, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { Link } from '../router.tsx'
import { visible } from '../visible.ts'
import { type Batch, endedOf, isUnderWay, marks } from './wire.ts'

const shownMax = 100
const pollMs = 2_000

/** The batches of the workspace, newest first. */
export function BatchesScreen() {
  const { data, problem } = useLoaded<readonly Batch[]>(`/v1/agent/batches?limit=${shownMax}`, {
    everyMs: (list) => (list?.some(isUnderWay) ? pollMs : 0),
  })
  return (
    <>
      <div class="head-line">
        <h1>Batches</h1>
        <Link to="/" class="button primary">
          New batch
        </Link>
      </div>
      <Problem text={problem} />
      {!data && !problem && <Skeletons />}
      {data?.length === 0 && (
        <Nothing title="No batches yet">
          <p>A batch reads many documents with the same fields: one row for each document, to check and to export.</p>
          <p class="acts">
            <Link to="/" class="button primary">
              Drop several files
            </Link>
          </p>
        </Nothing>
      )}
      {data && data.length > 0 && (
        <ul class="rows">
          {data.map((batch) => (
            <li key={batch.id}>
              <BatchRow batch={batch} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function BatchRow({ batch }: { batch: Batch }) {
  const { counts } = batch
  return (
    <Link class="row batch-row" to={`/batches/${batch.id}`}>
      <span class="grow">
        <strong class="name">{visible(batch.name ?? count(batch.total, 'document'))}</strong>
        <span class="soft small block name">{batch.id}</span>
      </span>
      <span class={`status ${marks[batch.status]}`}>
        <i aria-hidden="true" />
        {batch.status}
      </span>
      <progress max={batch.total} value={endedOf(batch)} aria-label="Documents that have ended" />
      <span class="small figures">
        <span>
          {endedOf(batch)} of {batch.total}
        </span>
        <span class={counts.failed > 0 ? 'bad' : ''}>{counts.failed > 0 ? `${counts.failed} failed` : ''}</span>
        <span>{dollars(batch.cost_dollars)}</span>
        <time dateTime={batch.created_at} title={longTime(batch.created_at)}>
          {briefTime(batch.created_at)}
        </time>
      </span>
    </Link>
  )
}
