import { call } from '../api.ts'
import { count, dollars, duration, longTime, percent } from '../format.ts'
import { useLoaded, useStart } from '../live.ts'
import { ConfirmButton, CopyButton } from '../parts/buttons.tsx'
import { Facts } from '../parts/facts.tsx'
import { Nothing, Problem } from '../parts/notes.tsx'
import { TableHead } from '../parts/table.tsx'
import { Link } from '../router.tsx'
import { type Program, type Skill, skillPath } from '../wire.ts'
import { BreakEven } from './break-even.tsx'

const pollMs = 1_500
const marks = {
  compiling: 'running',
  candidate: 'enqueued',
  ready: 'completed',
  rejected: 'failed',
  demoted: 'paused',
} as const

/** The programs compiled from a skill, and how reliable they are. */
export function ProgramsTab({ skill }: { skill: Skill }) {
  const at = skillPath(skill.id, '/programs')
  const programs = useLoaded<readonly Program[]>(at, {
    everyMs: (list) => (list?.some((one) => one.status === 'compiling' || one.status === 'candidate') ? pollMs : 0),
  })
  const { data, problem } = programs
  const { failure, isPressed, start } = useStart(programs)
  return (
    <>
      <Problem text={problem || failure} />
      <button
        type="button"
        disabled={isPressed}
        onClick={() => void start(() => call(at, { method: 'POST', body: {} }))}
      >
        Compile from the test cases
      </button>
      <p class="soft small">
        From executions whose answers are right; what lies in the bundle is kept for evaluations.
      </p>
      {data?.length === 0 && (
        <Nothing>
          No programs yet. A program is compiled from test cases and is used once it has passed its tests.
        </Nothing>
      )}
      {(data ?? []).map((one) => (
        <ProgramCard
          key={one.id}
          one={one}
          onDelete={() => start(() => call(`${at}/${encodeURIComponent(one.id)}`, { method: 'DELETE' }))}
        />
      ))}
    </>
  )
}

function paysWords(breakEvenRuns: number | null): string {
  if (breakEvenRuns === null) return 'never'
  return breakEvenRuns === 0 ? 'immediately' : `after ${count(breakEvenRuns, 'run')}`
}

const judgeNames = {
  human: 'people',
  case: 'cases',
  other_model: 'another model',
  same_engine: 'the same engine',
} as const

const checkedBy = ({ judgements }: Program['shadow']): string =>
  judgements
    .filter(({ answers }) => answers > 0)
    .map(({ by, answers }) => `${judgeNames[by]} (${answers})`)
    .join(', ')

const changedWords = ({ by, since, fields }: NonNullable<Program['drift']>): string =>
  `${by === 'judge' ? 'the model that checks it' : 'its documents'}, since ${longTime(since)} (${fields.join(', ')})`

function ProgramCard({ one, onDelete }: { one: Program; onDelete: () => Promise<void> }) {
  const { shadow, economics } = one
  const facts: readonly (readonly [string, string])[] = [
    ['Runs', String(one.runs)],
    ['Average run time', one.run_ms === null ? '–' : duration(one.run_ms)],
    ['Checked answers', count(shadow.runs, 'run')],
    ['Differed', String(shadow.disagreements)],
    ['Checked by', checkedBy(shadow) || '–'],
    ['Error rate at most', shadow.bound === 1 ? 'not yet known' : percent(shadow.bound)],
    ...(one.drift ? [['Seems to have changed', changedWords(one.drift)] as const] : []),
    ...(one.withholds ? [['Answers', 'withheld: an agent answers until three checks agree'] as const] : []),
    ['Compiling cost', dollars(economics.compile_cost_dollars)],
    ['Cost per agent run', dollars(economics.agent_run_dollars)],
    ['Cost per program run', dollars(economics.program_run_dollars)],
    ['Pays off', paysWords(economics.break_even_runs)],
    ['Saved so far', dollars(economics.saved_dollars)],
  ]
  return (
    <section class="card" aria-label={`Program ${one.sha256?.slice(0, 8) ?? one.id}`}>
      <h2>
        <span>
          {one.sha256 ? <code>{one.sha256.slice(0, 8)}</code> : 'Not written'}{' '}
          <span class="small soft">
            for {one.skill_version}, by {one.origin === 'embedded' ? 'the embedded engine' : 'a code agent'}
          </span>
        </span>
        <span class={`status ${marks[one.status]}`}>
          <i aria-hidden="true" />
          {one.status}
        </span>
      </h2>
      <p class="small soft">
        {longTime(one.created_at)}
        {one.input_shape &&
          ` · takes ${Object.entries(one.input_shape)
            .map(([slot, kind]) => `${slot}: ${kind}`)
            .join(', ')}`}{' '}
        {one.execution_id && <Link to={`/executions/${one.execution_id}`}>source execution</Link>}
      </p>
      {one.reason && <Problem text={one.reason} />}
      {one.sha256 && (
        <>
          <Facts facts={facts} />
          <p class="small soft">
            The error rate is at most this with 95 % confidence, from the answers that people, cases or another model
            checked; an engine cannot certify a program that it wrote. The bound holds at every look: read it as often
            as you like.
          </p>
          <BreakEven economics={economics} runs={one.runs} />
        </>
      )}
      {one.status === 'ready' && one.fields.length > 0 && <Fields fields={one.fields} />}
      {one.gate && <Gate gate={one.gate} />}
      {one.source !== null && (
        <details>
          <summary>Source ({one.language})</summary>
          <pre class="code">{one.source}</pre>
          <CopyButton text={() => one.source ?? ''} />
        </details>
      )}
      <ConfirmButton name="Delete" ask="Delete permanently?" onDone={onDelete} />
    </section>
  )
}

/** What answers each field, and how reliably. */
function Fields({ fields }: { fields: Program['fields'] }) {
  const left = fields.filter(({ by }) => by === 'agent').length
  return (
    <details open={left > 0}>
      <summary>
        Fields: {fields.length - left} by the program, {left} left to an agent
      </summary>
      <table>
        <TableHead head={['Field', 'Answered by', 'Wrong#', 'Error rate at most#']} />
        <tbody>
          {fields.map((one) => (
            <tr key={one.pointer}>
              <td>
                <code class="name">{one.pointer}</code>
              </td>
              <td>{one.by === 'agent' ? 'an agent' : 'the program'}</td>
              <td class="number">
                {one.wrong} of {one.checked}
              </td>
              <td class="number">{one.bound === 1 ? '–' : percent(one.bound)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function Gate({ gate }: { gate: NonNullable<Program['gate']> }) {
  const passed = gate.checks.filter((one) => one.passed).length
  return (
    <details open={passed < gate.checks.length}>
      <summary>
        Gate: {passed} of {gate.checks.length} checks
      </summary>
      <ul class="list">
        {gate.checks.map((one) => (
          <li key={one.name}>
            <span class={one.passed ? 'proof verified' : 'proof unsupported'}>
              <i aria-hidden="true">{one.passed ? '✓' : '✗'}</i>
              {one.name.replaceAll('_', ' ')}
              <span class="unseen">{one.passed ? ': passed' : ': not passed'}</span>
            </span>{' '}
            <span class="small name">{one.message}</span>
          </li>
        ))}
      </ul>
      <p class="small soft">
        {gate.cases.answered} answered, {gate.cases.declined} declined, {gate.cases.failed} failed; a field must agree
        in {percent(gate.threshold)}, or is left to an agent.
      </p>
      {gate.agreement.length > 0 && (
        <table>
          <TableHead head={['Field', 'Agrees#']} />
          <tbody>
            {gate.agreement.map((one) => (
              <tr key={one.pointer}>
                <td>
                  <code class="name">{one.pointer || '(the answer)'}</code>
                </td>
                <td class="number">
                  {one.agreed} of {one.compared}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}
