import { call } from '../api.ts'
import { count, dollars, duration, longTime, pathLabel, percent, points } from '../format.ts'
import { useLoaded, useStart } from '../live.ts'
import { Nothing, Problem, StatusMark } from '../parts/notes.tsx'
import { TableHead } from '../parts/table.tsx'
import { Link } from '../router.tsx'
import { type Arm, arms, type Skill, type SkillEvaluation, skillPath } from '../wire.ts'

const pollMs = 1_500
const armNames: Readonly<Record<Arm, string>> = {
  with: 'With the skill',
  without: 'Without the skill',
  before: 'Previous version',
}

/** Evaluations of a version on the cases: with the skill, without it, with the previous version. */
export function EvaluationsTab({ skill }: { skill: Skill }) {
  const evaluations = useLoaded<readonly SkillEvaluation[]>(skillPath(skill.id, '/evaluations'), {
    everyMs: (list) => (list?.some((one) => one.status === 'running') ? pollMs : 0),
  })
  const { data, problem } = evaluations
  const { failure, isPressed, start } = useStart(evaluations)
  const evaluate = () => start(() => call(skillPath(skill.id, '/evaluate'), { method: 'POST', body: {} }))
  return (
    <>
      <Problem text={problem || failure} />
      <button type="button" disabled={isPressed} onClick={() => void evaluate()}>
        Evaluate this version
      </button>
      {data?.length === 0 && <Nothing>Not evaluated yet. An evaluation needs test cases.</Nothing>}
      {(data ?? []).map((one, index) => (
        <EvaluationCard key={one.id} one={one} isOpen={index === 0} />
      ))}
    </>
  )
}

function EvaluationCard({ one, isOpen }: { one: SkillEvaluation; isOpen: boolean }) {
  const { report } = one
  return (
    <section class="card" aria-label={`Evaluation of version ${one.number}`}>
      <h2>
        <span>
          Version {one.number} <code class="small soft">{one.skill_version}</code>
        </span>
        <StatusMark status={one.status} />
      </h2>
      <p class="small soft">
        {longTime(one.created_at)} · {count(one.runs, 'run')}
        {one.model && ` · ${one.model}`}
        {one.before && ` · compared with version ${one.before.number}`}
      </p>
      {one.error && <Problem text={one.error.message} />}
      {report?.gate && (
        <p class={report.gate.passed ? 'made' : 'problem'}>
          {report.gate.passed
            ? 'Passed the publish gate.'
            : `Did not pass the publish gate: ${report.gate.because ?? ''}`}
        </p>
      )}
      {report && <Arms arms={report.arms} />}
      {report?.lift && <Lift lift={report.lift} />}
      {report && (
        <details open={isOpen}>
          <summary>By field</summary>
          <Fields fields={report.fields} present={arms.filter((arm) => arm in report.arms)} />
        </details>
      )}
      {report && <Results report={report} />}
    </section>
  )
}

type Report = NonNullable<SkillEvaluation['report']>

function Arms({ arms: all }: { arms: Report['arms'] }) {
  return (
    <dl class="facts arms">
      {arms.map((arm) => {
        const found = all[arm]
        return (
          found && (
            <div key={arm}>
              <dt>{armNames[arm]}</dt>
              <dd>
                <strong class="large-figure">{percent(found.agreement)}</strong>
                <span class="small soft block">
                  {dollars(found.cost_dollars)} · {found.median_ms === null ? '–' : duration(found.median_ms)}
                  {found.failed > 0 && ` · ${found.failed} failed`}
                </span>
              </dd>
            </div>
          )
        )
      })}
    </dl>
  )
}

function Lift({ lift }: { lift: NonNullable<Report['lift']> }) {
  return (['without', 'before'] as const).map((arm) => {
    const found = lift[arm]
    return (
      found && (
        <p key={arm} class="small soft">
          Agreement over “{armNames[arm]}”: {points(found.mean)} points, with 95 % confidence {points(found.lower)} to{' '}
          {points(found.upper)}
        </p>
      )
    )
  })
}

function Fields({ fields, present }: { fields: Report['fields']; present: readonly Arm[] }) {
  const share = (one: Report['fields'][number] | Report['arms'], arm: Arm) => {
    const found = one[arm]
    return found && found.fields > 0 ? found.agreed / found.fields : undefined
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keyboard too.
    <section class="wide" tabIndex={0} aria-label="By field">
      <table>
        <TableHead head={['Field', ...present.map((arm) => `${armNames[arm]}#`)]} />
        <tbody>
          {fields.map((one) => (
            <tr key={one.field}>
              <td>
                <span class="name" title={one.field}>
                  {pathLabel(one.field)}
                </span>
              </td>
              {present.map((arm) => {
                const found = share(one, arm)
                return (
                  <td key={arm} class="number">
                    {found === undefined ? '–' : percent(found)}
                    {found !== undefined && <progress value={found} max={1} aria-hidden="true" />}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Results({ report }: { report: Report }) {
  const wrong = report.results.filter((one) =>
    Object.values(one.runs).some((run) => run && (run.agreed < run.fields || run.error)),
  )
  if (wrong.length === 0) return null
  return (
    <details>
      <summary>{count(wrong.length, 'case')} with a difference</summary>
      <ul class="list">
        {wrong.map(({ case_id, runs }) => (
          <li key={case_id}>
            <code class="small soft name">{case_id}</code>
            {arms.map((arm) => {
              const run = runs[arm]
              return (
                run && (
                  <div key={arm} class="small">
                    <strong>{armNames[arm]}</strong> {run.agreed} of {run.fields}{' '}
                    {run.execution_id && <Link to={`/executions/${run.execution_id}`}>execution</Link>}
                    {run.error && <span class="soft"> {run.error}</span>}
                    <ul>
                      {run.disagreements.map((each) => (
                        <li key={each.pointer} class="name">
                          <code>{each.pointer}</code>: {JSON.stringify(each.actual ?? null)} instead of{' '}
                          {JSON.stringify(each.expected ?? null)}
                        </li>
                      ))}
                    </ul>
                  </div>
                )
              )
            })}
          </li>
        ))}
      </ul>
    </details>
  )
}
