import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { Problem } from '../parts/notes.tsx'
import { go } from '../router.tsx'
import { type Execution, isJsonObject, type Json } from '../wire.ts'
import { type DrawnBox, ValueEditor } from './editor.tsx'
import { reviewNext } from './review-screen.tsx'

interface CorrectionProps {
  readonly execution: Execution
  readonly schema: Json | undefined
  readonly pointer: string | undefined
  readonly box: DrawnBox | undefined
  readonly claim: number | undefined
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Below the answer during a review: the selected value, and the end of the review. */
export function CorrectionBar({ execution, schema, pointer, box, claim, onChange, onClose }: CorrectionProps) {
  const { failure: problem, attempt } = useAttempt()
  const at = `/executions/${encodeURIComponent(execution.id)}`
  const act = async (work: () => Promise<unknown>) => {
    await attempt(work)
  }
  const onward = async () => {
    if (claim === undefined) go(at, { replace: true })
    else if (!(await reviewNext())) go('/review')
    onChange()
  }
  const finish = () =>
    act(async () => {
      await call(`/v1/agent${at}/review`, { method: 'POST', body: { done: true } })
      await onward()
    })
  const skip = () =>
    act(async () => {
      const path = `/v1/reviews/${encodeURIComponent(execution.id)}/skip`
      await call(path, { method: 'POST' })
      await onward()
    })
  return (
    <section class="correction" aria-label="Correction">
      {pointer === undefined ? (
        <p class="small soft">Choose a value to correct it. The key N goes to the next that needs a look.</p>
      ) : (
        <ValueEditor
          key={pointer}
          execution={execution}
          schema={isJsonObject(schema) ? schema : undefined}
          pointer={pointer}
          box={box}
          onSaved={() => {
            onClose()
            onChange()
          }}
          onConflict={onChange}
          onClose={onClose}
        />
      )}
      <Problem text={problem} />
      {pointer === undefined && (
        <p class="acts">
          <button type="button" class="primary" onClick={() => void finish()}>
            {claim === undefined ? 'Finish the review' : 'Finish, and review the next'}
          </button>
          {claim !== undefined && (
            <button type="button" onClick={() => void skip()}>
              Leave it to others
            </button>
          )}
          <button type="button" class="quiet" onClick={() => go(at, { replace: true })}>
            Stop correcting
          </button>
        </p>
      )}
    </section>
  )
}
