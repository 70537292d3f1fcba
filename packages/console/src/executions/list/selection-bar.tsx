import { useState } from 'preact/hooks'
import { call, wordsOf } from '../../api.ts'
import { AskNewFields } from '../../batches/new-fields.tsx'
import { count } from '../../format.ts'
import { ConfirmButton, Menu } from '../../parts/buttons.tsx'
import { save } from '../../parts/save.ts'
import { hasEnded, isResumable, type ListedExecution, type ResumedExecutions } from '../../wire.ts'
import { executionsAsCsv } from '../csv.ts'

interface SelectionProps {
  readonly chosen: readonly ListedExecution[]
  readonly onDone: () => void
  readonly onClear: () => void
}

/** Actions on the selected executions. */
export function SelectionBar({ chosen, onDone, onClear }: SelectionProps) {
  const [problem, setProblem] = useState('')
  const open = chosen.filter(({ status }) => !hasEnded(status))
  const resumable = chosen.filter((one) => one.status === 'paused' || isResumable(one))
  const cancel = async () => {
    const results = await Promise.allSettled(
      open.map(({ id }) => call(`/v1/agent/executions/${id}/cancel`, { method: 'POST' })),
    )
    finish(results.flatMap((one) => (one.status === 'rejected' ? [wordsOf(one.reason)] : [])))
  }
  const resume = async () => {
    try {
      const { refused } = await call<ResumedExecutions>('/v1/agent/executions/resume', {
        method: 'POST',
        body: { ids: resumable.map(({ id }) => id) },
      })
      finish(refused.map(({ reason }) => reason))
    } catch (error) {
      finish([wordsOf(error)])
    }
  }
  const finish = (problems: readonly string[]) => {
    const [first] = problems
    if (first === undefined) return onDone()
    setProblem(`${count(problems.length, 'execution')} could not be changed. First reason: ${first}`)
  }
  return (
    <section class="selection" aria-label="Selection">
      <strong>{chosen.length} selected</strong>
      {open.length > 0 && <ConfirmButton name={`Cancel ${open.length}`} ask="Cancel permanently?" onDone={cancel} />}
      {resumable.length > 0 && (
        <button type="button" onClick={() => void resume()}>
          Resume {resumable.length}
        </button>
      )}
      <AskNewFields earlier={{ chosen }} of={chosen.map(({ id }) => id).join()} />
      <Menu name="Export">
        <button type="button" onClick={() => save('executions.csv', 'text/csv', executionsAsCsv(chosen))}>
          Table as CSV
        </button>
        <button
          type="button"
          onClick={() => save('executions.json', 'application/json', `${JSON.stringify(chosen, null, 2)}\n`)}
        >
          Records as JSON
        </button>
      </Menu>
      <button type="button" class="quiet" onClick={onClear}>
        Clear
      </button>
      {problem && <span class="small">{problem}</span>}
    </section>
  )
}
