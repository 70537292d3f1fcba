import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { count, dollars, duration, longTime } from '../format.ts'
import { ConfirmButton } from '../parts/buttons.tsx'
import { Problem, StatusMark } from '../parts/notes.tsx'
import { useMay } from '../rights.ts'
import { go, Link, useHere } from '../router.tsx'
import { fillFrom } from '../run/draft.ts'
import { type Asked, type Execution, hasEnded, isResumable } from '../wire.ts'
import { waitsForApproval } from './approval-card.tsx'
import { ExportMenu } from './export-menu.tsx'

/** Which fields each engine answered on the cheapest path, and what its calls cost. */
function pathWords({ fields, engines, checked }: NonNullable<Execution['path']>): string {
  const all = Object.values(fields)
  const words = [...new Set(all)].map((engine) => {
    const cost = engines[engine]?.standard_cost_dollars
    const answered = count(all.filter((one) => one === engine).length, 'field')
    return `${answered} by ${engine}${cost ? ` (${dollars(cost)})` : ''}`
  })
  return `${words.join(', ')}${checked ? ', to check the others' : ''}`
}

/** Which fields an agent answered, of a response that a program began or that keeps fields of its base. */
function leftWords(modes: NonNullable<Execution['execution_modes']>): string {
  const left = Object.keys(modes).filter((field) => modes[field] === 'agent')
  const others = count(Object.keys(modes).length - left.length, 'field')
  const isKept = Object.values(modes).includes('kept')
  if (left.length === 0) return isKept ? `${others} kept from the base execution` : `${others} by the program`
  return `${left.join(', ')} by an agent, the other ${others} ${isKept ? 'kept from the base execution' : 'by the program'}`
}

interface ExecutionHeadProps {
  readonly execution: Execution
  /** The names of its files; undefined: it has none. */
  readonly title: string | undefined
  readonly asked: Asked | undefined
  readonly onChange: () => void
  readonly problem: string
}

/** The name of an execution, what can be done with it, and its facts. */
export function ExecutionHead({ execution, title, asked, onChange, problem }: ExecutionHeadProps) {
  const { failure, attempt } = useAttempt()
  const may = useMay()
  const mayExecute = may('execute')
  const isCorrecting = useHere().searchParams.get('correct') === '1'
  const {
    id,
    name,
    status,
    created_at,
    completed_at,
    usage,
    model,
    model_selection,
    client_id,
    service_tier,
    session_id,
    skills,
    response,
    batch_id,
    program,
    execution_modes,
    path,
  } = execution
  const move = async (verb: string) => {
    await attempt(() => call(`/v1/agent/executions/${id}/${verb}`, { method: 'POST' }))
    onChange()
  }
  const again = async () => {
    await attempt(async () => {
      const made = await call<Execution>(`/v1/agent/executions/${id}/rerun`, { method: 'POST', body: {} })
      go(`/executions/${made.id}`)
    })
  }
  const change = () => {
    if (asked) fillFrom(asked)
    go('/')
  }
  return (
    <header class="head">
      <div class="head-line">
        {batch_id ? (
          <Link to={`/batches/${batch_id}`} class="crumb" aria-label="Back to the batch" title="Back to the batch">
            ←
          </Link>
        ) : (
          <Link to="/executions" class="crumb" aria-label="All executions">
            ←
          </Link>
        )}
        <h1 class="name" title={title}>
          {title ?? name}
        </h1>
        <span role="status">
          <StatusMark status={status} />
        </span>
        <span class="acts">
          {response !== null && <ExportMenu execution={execution} />}
          {execution.review && may('review') && !isCorrecting && (
            <Link to={`/executions/${id}?correct=1`} class="button primary">
              Correct
            </Link>
          )}
          {mayExecute && (status === 'running' || status === 'enqueued') && (
            <button type="button" onClick={() => void move('pause')}>
              Pause
            </button>
          )}
          {mayExecute && ((status === 'paused' && !waitsForApproval(execution)) || isResumable(execution)) && (
            <button type="button" class="primary" onClick={() => void move('resume')}>
              Resume
            </button>
          )}
          {mayExecute && !hasEnded(status) && (
            <ConfirmButton name="Cancel" ask="Cancel permanently?" onDone={() => move('cancel')} />
          )}
          {status === 'completed' && asked && skills.length === 0 && may('skills:write') && (
            <Link to={`/skills/new?execution=${encodeURIComponent(id)}`} class="button">
              Create skill
            </Link>
          )}
          {mayExecute && hasEnded(status) && (
            <button type="button" onClick={() => void again()}>
              Run again
            </button>
          )}
          {mayExecute && (
            <button type="button" disabled={!asked} onClick={change}>
              Change and run
            </button>
          )}
        </span>
      </div>
      <p class="small soft facts-line">
        <time dateTime={created_at}>{longTime(created_at)}</time>
        {title && <span class="name">{name}</span>}
        {completed_at && <span>{duration(Date.parse(completed_at) - Date.parse(created_at))}</span>}
        {usage.cost_dollars !== null && <span>{dollars(usage.cost_dollars)}</span>}
        <span title={model_selection.reason ?? ''}>
          {model}
          {model_selection.resolved && ` → ${model_selection.resolved}`}
        </span>
        {client_id !== null && <span class="name">request {client_id}</span>}
        <span>{service_tier}</span>
        {skills.map((one) => (
          <span key={one.id ?? one.name} class="name">
            skill {one.id ? <Link to={`/skills/${one.id}`}>{one.name}</Link> : one.name} {one.skill_version}
          </span>
        ))}
        {program && <span>program {program.sha256.slice(0, 8)}</span>}
        {execution_modes && <span class="name">{leftWords(execution_modes)}</span>}
        {path && <span class="name">{pathWords(path)}</span>}
        {session_id && (
          <Link to={`/executions?session_id=${encodeURIComponent(session_id)}`} class="name">
            session {session_id}
          </Link>
        )}
        <code class="name">{id}</code>
      </p>
      <Problem text={failure || problem} />
    </header>
  )
}
