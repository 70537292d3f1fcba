import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { briefTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { ConfirmButton } from '../parts/buttons.tsx'
import { Field } from '../parts/field.tsx'
import { Nothing, Problem } from '../parts/notes.tsx'
import { Link } from '../router.tsx'
import type { Json } from '../wire.ts'
import { type Skill, type SkillCase, skillPath } from '../wire.ts'

const shownCharactersMax = 160
const shortened = (answer: Json): string => JSON.stringify(answer).slice(0, shownCharactersMax)

/** The cases of a skill, which judge its versions and programs. */
export function CasesTab({ skill }: { skill: Skill }) {
  const at = skillPath(skill.id, '/cases')
  const { data, problem, again } = useLoaded<readonly SkillCase[]>(at)
  const [executionId, setExecutionId] = useState('')
  const { failure, attempt } = useAttempt()
  const act = async (work: () => Promise<unknown>) => {
    await attempt(async () => {
      await work()
      setExecutionId('')
    })
    again()
  }
  const add = () => act(() => call(at, { method: 'POST', body: { cases: [{ execution_id: executionId.trim() }] } }))
  return (
    <>
      <Problem text={problem || failure} />
      <form
        class="pair inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <Field
          label="Execution with a correct answer"
          value={executionId}
          placeholder="execution id"
          onText={setExecutionId}
        />
        <button type="submit" disabled={executionId.trim() === ''}>
          Add as a test case
        </button>
      </form>
      {data?.length === 0 && (
        <Nothing>No test cases yet. With test cases you can compare versions and compile programs.</Nothing>
      )}
      {data && data.length > 0 && (
        <ul class="rows" aria-label="Test cases">
          {data.map((one) => (
            <li key={one.id} class="row">
              <details class="grow">
                <summary>
                  {Object.keys(one.inputs).join(', ') || 'no inputs'}{' '}
                  <span class="soft small">
                    {one.source === 'bundle' ? 'in the bundle' : one.source} · {briefTime(one.created_at)}
                  </span>{' '}
                  <code class="small case-answer">{shortened(one.response)}</code>
                </summary>
                {one.prompt && <p class="prompt">{one.prompt}</p>}
                <h3>Inputs</h3>
                <pre class="code">{JSON.stringify(one.inputs, null, 2)}</pre>
                <h3>Correct answer</h3>
                <pre class="code">{JSON.stringify(one.response, null, 2)}</pre>
                {one.execution_id && <Link to={`/executions/${one.execution_id}`}>execution</Link>}
              </details>
              {one.source !== 'bundle' && (
                <ConfirmButton
                  name="Remove"
                  ask="Delete permanently?"
                  onDone={() => act(() => call(`${at}/${encodeURIComponent(one.id)}`, { method: 'DELETE' }))}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
