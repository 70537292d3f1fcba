import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { count, dollars, longTime, percent, points } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Field } from '../parts/field.tsx'
import { Nothing, Problem, StatusMark } from '../parts/notes.tsx'
import { Link } from '../router.tsx'
import { visible } from '../visible.ts'
import { type Skill, type SkillImprovement, skillPath } from '../wire.ts'
import { diffOf, excerptOf } from './diff.ts'
import { DiffView } from './diff-view.tsx'

const pollMs = 1_500

/** Improvements of the instructions: proposals of a model, judged on cases that it never saw. */
export function ImprovementsTab({ skill }: { skill: Skill }) {
  const { data, problem, again } = useLoaded<readonly SkillImprovement[]>(skillPath(skill.id, '/improvements'), {
    everyMs: (list) => (list?.some((one) => one.status === 'running') ? pollMs : 0),
  })
  const { failure, attempt } = useAttempt()
  const [proposals, setProposals] = useState('3')
  const [most, setMost] = useState('5')
  const act = async (path: string, body: object) => {
    await attempt(() => call(skillPath(skill.id, path), { method: 'POST', body }))
    again()
  }
  const isRunning = data?.some((one) => one.status === 'running') ?? false
  return (
    <>
      <p>
        A model writes new instructions from the cases that this version answers wrongly. Cases that it never sees
        decide whether they are better; only then they are published.
      </p>
      <Problem text={problem || failure} />
      <form
        class="filters inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          void act('/improve', { proposals: Number(proposals), max_cost_dollars: Number(most) })
        }}
      >
        <Field label="Proposals" type="number" min="1" max="20" required value={proposals} onText={setProposals} />
        <Field
          label="Cost at most, in dollars"
          type="number"
          min="0"
          step="any"
          required
          value={most}
          onText={setMost}
        />
        <button type="submit" class="primary" disabled={isRunning || !skill.is_latest}>
          Improve the instructions
        </button>
      </form>
      {!skill.is_latest && <p class="small soft">Only the latest version can be improved.</p>}
      {data?.length === 0 && <Nothing>Not improved yet. An improvement needs test cases or corrected answers.</Nothing>}
      {(data ?? []).map((one, index) => (
        <ImprovementCard
          key={one.id}
          one={one}
          isOpen={index === 0}
          onCancel={() => void act(`/improvements/${one.id}/cancel`, {})}
        />
      ))}
    </>
  )
}

interface CardProps {
  readonly one: SkillImprovement
  readonly isOpen: boolean
  readonly onCancel: () => void
}

function ImprovementCard({ one, isOpen, onCancel }: CardProps) {
  const { progress, cases } = one
  return (
    <section class="card" aria-label={`Improvement of version ${one.number}`}>
      <h2>
        <span>
          Version {one.number} <code class="small soft">{one.skill_version}</code>
        </span>
        <StatusMark status={one.status} />
      </h2>
      <p class="small soft">
        {longTime(one.created_at)} · {dollars(one.cost_dollars)} of {dollars(one.max_cost_dollars)} ·{' '}
        {count(cases.training, 'case')} to learn from, {cases.judging} to judge by · {one.model}, written by{' '}
        {one.writer_model}
      </p>
      {one.status === 'running' && (
        <p role="status">
          <progress value={progress.ended} max={progress.runs} aria-label="Runs" /> {progress.ended} of at most{' '}
          {count(progress.runs, 'run')}{' '}
          <button type="button" class="quiet" onClick={onCancel}>
            Cancel
          </button>
        </p>
      )}
      {one.error && <Problem text={one.error.message} />}
      {one.outcome && (
        <p class={one.outcome.code === 'published' ? 'made' : 'hint'}>
          {one.outcome.message}{' '}
          {one.published_skill_id && <Link to={`/skills/${one.published_skill_id}`}>Open the version</Link>}
        </p>
      )}
      {one.proposals.map((each) => (
        <ProposalView key={each.number} each={each} before={one.instructions ?? ''} isOpen={isOpen} />
      ))}
    </section>
  )
}

type Proposal = SkillImprovement['proposals'][number]

function ProposalView({ each, before, isOpen }: { each: Proposal; before: string; isOpen: boolean }) {
  const { lift } = each
  const changed = each.results.filter(
    (one) => one.before.agreed !== one.after.agreed || one.before.fields !== one.after.fields,
  )
  return (
    <details open={isOpen && each.verdict === 'better'}>
      <summary>
        Proposal {each.number}: <strong>{each.verdict ?? 'not judged yet'}</strong>
        {each.before && each.after && ` · ${percent(each.before.agreement)} → ${percent(each.after.agreement)}`}
      </summary>
      {each.summary && <p class="name">{visible(each.summary)}</p>}
      {each.error && <Problem text={each.error.message} />}
      {lift && (
        <p class="small soft">
          Agreement over the version on {count(lift.cases, 'case')}: {points(lift.mean)} points, surely between{' '}
          {points(lift.lower)} and {points(lift.upper)}
        </p>
      )}
      {changed.length > 0 && (
        <ul class="list small">
          {changed.map((one) => (
            <li key={one.case_id}>
              <code class="soft name">{one.case_id}</code> {one.before.agreed} of {one.before.fields} →{' '}
              {one.after.agreed} of {one.after.fields}{' '}
              {one.before.execution_id && <Link to={`/executions/${one.before.execution_id}`}>before</Link>}{' '}
              {one.after.execution_id && <Link to={`/executions/${one.after.execution_id}`}>after</Link>}
            </li>
          ))}
        </ul>
      )}
      {each.instructions !== null && <DiffView lines={excerptOf(diffOf(before, each.instructions))} />}
    </details>
  )
}
