import { useState } from 'preact/hooks'
import { call, wordsOf } from '../../api.ts'
import { ConfirmButton } from '../../parts/buttons.tsx'
import { type ListedExecution as Execution, isResumable, type ResumedExecutions } from '../../wire.ts'
import { filterNames } from './filters.tsx'

/** Most executions that one call resumes. */
const resumedMax = 1_000

/** Resumes all matching executions that can be resumed, such as after an outage of a provider. */
export function ResumeMany({
  rows,
  here,
  purpose,
  onDone,
}: {
  rows: readonly Execution[]
  here: URL
  purpose: string
  onDone: () => void
}) {
  const [message, setMessage] = useState('')
  const count = rows.filter((one) => one.status === 'paused' || isResumable(one)).length
  const resume = async () => {
    const filter = Object.fromEntries([
      ...filterNames.flatMap((name) => (here.searchParams.get(name) ? [[name, here.searchParams.get(name)]] : [])),
      ['purpose', purpose],
    ])
    try {
      const { resumed, refused } = await call<ResumedExecutions>('/v1/agent/executions/resume', {
        method: 'POST',
        body: { filter },
      })
      const [first] = refused
      setMessage(
        `${resumed} resumed${first ? `, ${refused.length} could not be resumed. First reason: ${first.reason}` : ''}${resumed + refused.length === resumedMax ? '. There may be more.' : ''}`,
      )
    } catch (error) {
      setMessage(wordsOf(error))
    }
    onDone()
  }
  if (count === 0 && message === '') return null
  return (
    <p class="small" role="status">
      {count > 0 && (
        <ConfirmButton
          name="Resume failed and paused"
          ask="Resume all executions that match these filters?"
          onDone={resume}
        />
      )}{' '}
      {message}
    </p>
  )
}
