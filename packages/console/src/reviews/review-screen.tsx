import type { ClaimedReview, ReviewItem, ReviewStatistics } from '@skillrun/client/openapi.ts'
import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { briefTime, count, duration, longTime, percent, wholePercent } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Facts } from '../parts/facts.tsx'
import { Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { useMay } from '../rights.ts'
import { go, Link } from '../router.tsx'
import { visible } from '../visible.ts'
import { fieldName, reasonsText } from './reasons.ts'

const pollMs = 5_000
const shownMax = 200

/** Where an execution of the queue is corrected; the screen claims it, and the next of the queue follows. */
const reviewPlace = ({ execution_id, claim }: ReviewItem): string =>
  `/executions/${execution_id}?correct=1&claim=${claim?.number ?? ''}`

/** Claims the next execution and opens it; false if there was none. */
export async function reviewNext(): Promise<boolean> {
  const { item } = await call<ClaimedReview>('/v1/reviews/claim', { method: 'POST' })
  if (!item) return false
  go(reviewPlace(item))
  return true
}

/** What waits for a review or is claimed, oldest first. */
async function openReviews(signal: AbortSignal): Promise<readonly ReviewItem[]> {
  const lists = await Promise.all(
    ['needed', 'claimed'].map((status) =>
      call<readonly ReviewItem[]>(`/v1/reviews?status=${status}&limit=${shownMax}`, { signal }),
    ),
  )
  // One that is claimed between the two answers is in both.
  const byId = new Map(lists.flat().map((item) => [item.execution_id, item]))
  return [...byId.values()].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
}

/** The review queue: items are claimed one at a time, so that two people never get the same one. */
export function ReviewScreen() {
  const { data, problem, again } = useLoaded<readonly ReviewItem[]>('open reviews', {
    everyMs: () => pollMs,
    load: async (_, signal) => openReviews(signal),
  })
  const statistics = useLoaded<ReviewStatistics>('/v1/reviews/statistics')
  const { failure, attempt } = useAttempt()
  const may = useMay()
  // Shown together: figures that come later would push down the list.
  const isLoaded = Boolean((data || problem) && (statistics.data || statistics.problem))
  const open = (isLoaded && data) || []
  const start = async () => {
    await attempt(async () => {
      if (!(await reviewNext()))
        throw new Error('Nothing is left for this key: what waits is claimed by others, or done.')
    })
    again()
  }
  return (
    <div class="narrow">
      <div class="head-line">
        <h1>Review</h1>
        {open.length > 0 && may('review') && (
          <span class="acts">
            <button type="button" class="primary" onClick={() => void start()}>
              Review the next
            </button>
          </span>
        )}
      </div>
      <Problem text={problem || failure} />
      {isLoaded && statistics.data && statistics.data.reviewed > 0 && <Figures of={statistics.data} />}
      {!isLoaded && <Skeletons />}
      {isLoaded && data && open.length === 0 && (
        <Nothing title="Nothing waits for a review">
          <p>
            An execution enters this queue when a value is less sure than its workspace, skill or request allows. Set
            the limit in <Link to="/settings">Settings</Link>.
          </p>
          <p class="acts">
            <Link to="/executions" class="button">
              Correct any execution
            </Link>
          </p>
        </Nothing>
      )}
      {open.length > 0 && (
        <ul class="rows" aria-label="Waiting for a review">
          {open.map((item) => (
            <li key={item.execution_id}>
              <ReviewRow item={item} />
            </li>
          ))}
        </ul>
      )}
      {open.length >= shownMax && (
        <p class="hint">
          These are the oldest; <Link to="/executions?review=needed">the list of executions</Link> has all that wait.
        </p>
      )}
    </div>
  )
}

/** The first file, or else the agent. */
function titleOf({ file_names: [file, ...others], name }: ReviewItem): string {
  if (file === undefined) return name
  return visible(file) + (others.length > 0 ? ` + ${others.length}` : '')
}

function ReviewRow({ item }: { item: ReviewItem }) {
  const { reasons, claim } = item
  return (
    <Link class="row batch-row" to={reviewPlace(item)}>
      <span class="grow">
        <strong class="name">{titleOf(item)}</strong>
        <span class="soft small block name">
          {reasons.length > 0 ? reasonsText(reasons) : 'Review started by a person'}
        </span>
      </span>
      <span class="small figures">
        <span class={claim ? 'status running' : 'status paused'}>
          <i aria-hidden="true" />
          {claim ? `claimed by ${claim.by?.name ?? 'a deleted key'}` : 'waiting'}
        </span>
        {Boolean(item.lowest_confidence) && <span>{wholePercent(item.lowest_confidence ?? 0)} sure</span>}
        {item.skill && <span>{item.skill.name}</span>}
        <time dateTime={item.created_at} title={longTime(item.created_at)}>
          {briefTime(item.created_at)}
        </time>
      </span>
    </Link>
  )
}

const leastAgreedMax = 5

function Figures({ of }: { of: ReviewStatistics }) {
  const least = of.fields
    .filter(({ agreement }) => agreement !== null && agreement < 1)
    .toSorted((a, b) => (a.agreement ?? 0) - (b.agreement ?? 0))
    .slice(0, leastAgreedMax)
  return (
    <section class="card" aria-label="Statistics">
      <Facts
        facts={[
          ['Reviewed', count(of.reviewed, 'document')],
          ['Waiting', of.waiting],
          ['Median time', of.median_seconds === null ? '–' : duration(of.median_seconds * 1000)],
          ...least.map(({ field, agreement }) => [`Agreed: ${fieldName(field)}`, percent(agreement ?? 0)] as const),
        ]}
      />
    </section>
  )
}
