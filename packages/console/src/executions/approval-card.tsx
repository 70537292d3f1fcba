import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Problem } from '../parts/notes.tsx'
import type { Execution } from '../wire.ts'

type Approval = NonNullable<Execution['approval']>

export const waitsForApproval = ({ status, approval }: Pick<Execution, 'status' | 'approval'>): boolean =>
  status === 'paused' && approval !== null && approval.decision === null

/** What waits for approval, who may decide, and the decision. */
export function ApprovalCard({ execution, onChange }: { execution: Execution; onChange: () => void }) {
  const { approval } = execution
  if (!approval) return null
  if (waitsForApproval(execution)) return <Asking id={execution.id} approval={approval} onChange={onChange} />
  return approval.decision === null ? null : <Decided approval={approval} />
}

const subjectOf = ({ waiting_for, tool }: Approval): string =>
  waiting_for === 'tool' ? `The call of ${tool}` : 'The completion'

function Decided({ approval }: { approval: Approval }) {
  const { decision, by, via, at, comment } = approval
  const who = by?.name ?? (via === 'timeout' ? 'nobody in time' : 'somebody with the link')
  return (
    <p class="hint">
      {subjectOf(approval)} was {decision === 'approve' ? 'approved' : 'rejected'} by {who}
      {at && <> on {longTime(at)}</>}
      {comment && `: ${comment}`}
    </p>
  )
}

interface Approver {
  readonly id: string
  readonly name: string
}

function Asking({ id, approval, onChange }: { id: string; approval: Approval; onChange: () => void }) {
  const [comment, setComment] = useState('')
  const { failure, isBusy, attempt } = useAttempt()
  const path = `/v1/agent/executions/${encodeURIComponent(id)}`
  const approvers = useLoaded<Approver[]>(`${path}/approvers`)
  const decide = async (verb: 'approve' | 'reject') => {
    await attempt(async () => {
      const said = comment.trim()
      const body = { number: approval.number, ...(said ? { comment: said } : {}) }
      await call(`${path}/${verb}`, { method: 'POST', body })
    })
    onChange()
  }
  return (
    <section class="stack approval" aria-label="Approval">
      <p>
        <strong>{subjectOf(approval)} needs an approval.</strong>{' '}
        <span class="soft small">
          Without a decision until {longTime(approval.expires_at)}, it is{' '}
          {approval.on_timeout === 'approve' ? 'approved' : 'rejected'}.
        </span>
      </p>
      {approval.waiting_for === 'tool' && <pre class="code">{JSON.stringify(approval.input, null, 2)}</pre>}
      {approvers.data && (
        <p class="small soft">Can decide: {approvers.data.map(({ name, id: key }) => name || key).join(', ')}</p>
      )}
      <label class="field">
        <span>Comment (optional)</span>
        <textarea
          rows={2}
          maxLength={2000}
          value={comment}
          onInput={(event) => setComment(event.currentTarget.value)}
        />
      </label>
      <div class="acts">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void decide('approve')}>
          Approve
        </button>
        <button type="button" disabled={isBusy} onClick={() => void decide('reject')}>
          Reject
        </button>
      </div>
      <Problem text={failure} />
    </section>
  )
}
