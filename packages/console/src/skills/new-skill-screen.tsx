import { useEffect, useState } from 'preact/hooks'
import { call, wordsOf } from '../api.ts'
import { count, wholePercent } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Field } from '../parts/field.tsx'
import { Problem, Skeletons } from '../parts/notes.tsx'
import { go, Link, useHere } from '../router.tsx'
import { SchemaEditor } from '../run/schema-editor.tsx'
import { emptySchema, type SchemaState, schemaFromFields, schemaFromText, schemaIn } from '../run/schema-state.ts'
import { visible } from '../visible.ts'
import { type Skill, skillPath } from '../wire.ts'
import { BundleDrop } from './bundle-drop.tsx'
import { SkillPath } from './skill-path.tsx'
import { type CaseChoice, type SkillSource, sourceOfBatch, sourceOfExecution } from './skill-source.ts'

/** The server's limit of one request. */
const casesAtOnce = 100

/** Creates a skill from scratch, from an execution, or from the documents of a batch. */
export function NewSkillScreen() {
  const { searchParams } = useHere()
  const [execution, batch] = [searchParams.get('execution'), searchParams.get('batch')]
  const { data, problem } = useLoaded<SkillSource>(execution ?? batch, {
    load: (id, signal) => (execution ? sourceOfExecution(id, signal) : sourceOfBatch(id, signal)),
  })
  const source = execution || batch ? data : { prompt: '', schema: undefined, choices: [] }
  return (
    <>
      <header class="head">
        <div class="head-line">
          <Link to={source?.from?.path ?? '/skills'} class="crumb" aria-label={source?.from?.name ?? 'All skills'}>
            ←
          </Link>
          <h1>New skill</h1>
          {source?.from && <span class="soft name">from {visible(source.from.name)}</span>}
        </div>
        <SkillPath done={0} />
      </header>
      <Problem text={problem} />
      {source ? <Form key={execution ?? batch ?? ''} source={source} /> : problem === '' && <Skeletons rows={10} />}
    </>
  )
}

function Form({ source }: { source: SkillSource }) {
  const [name, setName] = useState('')
  const [prompt, setPrompt] = useState(source.prompt)
  const [schema, setSchema] = useState<SchemaState>(emptySchema)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => firstChosen(source))
  const [isPublic, setIsPublic] = useState(false)
  const [made, setMade] = useState<Skill>()
  const [problem, setProblem] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const change = (by: Partial<SchemaState>) => setSchema((before) => ({ ...before, ...by }))
  useEffect(() => {
    if (source.schema) change(schemaFromText(JSON.stringify(source.schema, null, 2)))
  }, [source])
  const create = async (event: Event) => {
    event.preventDefault()
    setIsBusy(true)
    try {
      const skill = made ?? (await call<Skill>('/v1/skills/create', { method: 'POST', body: body() }))
      setMade(skill)
      // The skill's instructions now contain the prompt of the runs.
      const cases = [...chosen].map((execution_id) => ({ execution_id, prompt: '' }))
      for (let at = 0; at < cases.length; at += casesAtOnce)
        await call(skillPath(skill.id, '/cases'), {
          method: 'POST',
          body: { cases: cases.slice(at, at + casesAtOnce) },
        })
      go(`/skills/${skill.id}`)
    } catch (error) {
      setProblem(wordsOf(error))
      setIsBusy(false)
    }
  }
  const body = () => ({
    prompt,
    is_public: isPublic,
    ...(name.trim() ? { name: name.trim() } : {}),
    ...(schema.schemaText.trim() ? { json_schema: schemaIn(schema.schemaText) } : {}),
  })
  return (
    <form onSubmit={(event) => void create(event)}>
      <div class="run-columns">
        <div class="stack">
          <Field
            label="Name (optional; one that exists gets its next version)"
            value={name}
            maxLength={255}
            onText={setName}
          />
          <label class="field">
            <span>Instructions</span>
            <textarea rows={6} value={prompt} onInput={(event) => setPrompt(event.currentTarget.value)} />
          </label>
          {source.choices.length > 0 && <Cases choices={source.choices} chosen={chosen} onChange={setChosen} />}
          <label class="check">
            <input
              type="checkbox"
              checked={isPublic}
              onChange={({ currentTarget }) => setIsPublic(currentTarget.checked)}
            />
            <span>Public: all workspaces of this server can use it</span>
          </label>
        </div>
        <SchemaEditor
          schema={schema}
          onText={(text) => change(schemaFromText(text))}
          onFields={(fields) => change(schemaFromFields(fields, schema.schemaText))}
        />
        <div class="run-foot">
          <div role="alert">
            <Problem text={problem} />
            {made && problem && (
              <p class="small">
                The skill <Link to={`/skills/${made.id}`}>{made.name}</Link> exists; its test cases were not all added.
              </p>
            )}
          </div>
          <button
            type="submit"
            class="primary large"
            disabled={isBusy || prompt.trim() === '' || schema.schemaProblem !== ''}
          >
            {isBusy ? 'Creating…' : 'Create skill'}
          </button>
          {chosen.size > 0 && <span class="soft small">with {count(chosen.size, 'test case')}</span>}
        </div>
        {!source.from && <BundleDrop name={name.trim()} isPublic={isPublic} onProblem={setProblem} />}
      </div>
    </form>
  )
}

/** Reviewed documents; for a single execution that one, because the user chose it. */
const firstChosen = ({ choices }: SkillSource): ReadonlySet<string> =>
  new Set(choices.filter(({ isReviewed }) => isReviewed || choices.length === 1).map(({ executionId }) => executionId))

interface CasesProps {
  readonly choices: readonly CaseChoice[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** Selects the documents that become test cases. */
function Cases({ choices, chosen, onChange }: CasesProps) {
  const reviewed = choices.filter(({ isReviewed }) => isReviewed)
  const choose = (list: readonly CaseChoice[]) => onChange(new Set(list.map(({ executionId }) => executionId)))
  return (
    <fieldset class="case-choices">
      <legend>Test cases ({chosen.size})</legend>
      <p class="small soft">
        Choose documents whose answers are right. The skill is evaluated on them, and a program is compiled from them.
        {reviewed.length < choices.length && ' An answer that nobody reviewed counts as right.'}
      </p>
      {choices.length > 1 && (
        <p class="acts">
          <button type="button" class="small" onClick={() => choose(reviewed)} disabled={reviewed.length === 0}>
            Reviewed ({reviewed.length})
          </button>
          <button type="button" class="small" onClick={() => choose(choices)}>
            All ({choices.length})
          </button>
          <button type="button" class="small" onClick={() => choose([])}>
            None
          </button>
        </p>
      )}
      <ul class="case-list rows">
        {choices.map(({ executionId, name, isReviewed, lowestConfidence }) => (
          <li key={executionId}>
            <label class="check">
              <input
                type="checkbox"
                checked={chosen.has(executionId)}
                onChange={({ currentTarget }) => {
                  const next = new Set(chosen)
                  if (currentTarget.checked) next.add(executionId)
                  else next.delete(executionId)
                  onChange(next)
                }}
              />
              <span class="grow name">{visible(name)}</span>
              <span class="small soft nowrap">
                {isReviewed ? 'reviewed' : lowestConfidence !== null && `lowest ${wholePercent(lowestConfidence)}`}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
