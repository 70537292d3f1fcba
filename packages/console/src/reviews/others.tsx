import type { SavedReview } from '@skillrun/client/openapi.ts'
import { count, valueLabel } from '../format.ts'
import type { Json } from '../wire.ts'

/** Changes of one review that are listed; the answer marks all of them. */
const listedMax = 8
const shownCharactersMax = 80

/** What others saved after the review that the person saw; the answer shows it now. */
export function Others({ reviews }: { reviews: readonly SavedReview[] }) {
  if (reviews.length === 0) return null
  return (
    <section class="hint" aria-label="Saved by others" role="status">
      {reviews.map(({ version, by, done, changes }) => (
        <div key={version}>
          <p>
            {by?.name ?? 'A deleted key'} {done ? 'finished the review' : 'saved'}
            {changes.length > 0 && ':'}
          </p>
          <ul>
            {changes.slice(0, listedMax).map((change) => (
              <li key={change.path}>
                {valueLabel(change.path)}: <bdi>{changeText(change)}</bdi>
              </li>
            ))}
            {changes.length > listedMax && <li>and {count(changes.length - listedMax, 'more change')}</li>}
          </ul>
        </div>
      ))}
      <p>The answer shows it now. What you changed is still here: save it again to keep both.</p>
    </section>
  )
}

function changeText({ kind, from, to, rows }: SavedReview['changes'][number]): string {
  if (kind === 'confirmed') return 'right as it is'
  if (kind === 'absent') return 'not in the document'
  if (!rows) return `${shortText(from as Json)} → ${shortText(to as Json)}`
  const added = rows.filter((row) => row === null).length
  const before = Array.isArray(from) ? from.length : 0
  return `${count(before - rows.length + added, 'row')} removed, ${count(added, 'row')} added`
}

/** A value in few characters. */
export function shortText(value: Json): string {
  const text = typeof value === 'string' ? value : value === null ? 'empty' : JSON.stringify(value)
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
}
