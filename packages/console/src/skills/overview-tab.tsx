import type { ComponentChildren } from 'preact'
import { call } from '../api.ts'
import { count, dollars, percent, points } from '../format.ts'
import { useLoaded, useStart } from '../live.ts'
import { Facts } from '../parts/facts.tsx'
import { Problem, Skeletons } from '../parts/notes.tsx'
import { Link } from '../router.tsx'
import { SchemaFields } from '../run/skill-schema.tsx'
import { isJsonObject, type Program, type Skill, type SkillCase, type SkillEvaluation, skillPath } from '../wire.ts'
import { SkillPath } from './skill-path.tsx'

const pollMs = 1_500

/** The stages of a skill from instructions to a program, with figures and the next action. */
export function OverviewTab({ skill }: { skill: Skill }) {
  const cases = useLoaded<readonly SkillCase[]>(skillPath(skill.id, '/cases'))
  const evaluations = useLoaded<readonly SkillEvaluation[]>(skillPath(skill.id, '/evaluations'), {
    everyMs: (list) => (list?.some(({ status }) => status === 'running') ? pollMs : 0),
  })
  const programs = useLoaded<readonly Program[]>(skillPath(skill.id, '/programs'), {
    everyMs: (list) => (list?.some(({ status }) => status === 'compiling' || status === 'candidate') ? pollMs : 0),
  })
  const evaluating = useStart(evaluations)
  const compiling = useStart(programs)
  const problem = evaluating.failure || compiling.failure || cases.problem || evaluations.problem || programs.problem
  if (!cases.data || !evaluations.data || !programs.data)
    return problem ? <Problem text={problem} /> : <Skeletons rows={10} />
  const begin = (step: 'evaluate' | 'programs') => () =>
    call(skillPath(skill.id, `/${step}`), { method: 'POST', body: {} })
  const evaluation = evaluations.data.find(({ skill_id }) => skill_id === skill.id)
  const program = programs.data.find(({ skill_id }) => skill_id === skill.id)
  const done = stepsDone({ cases: cases.data.length, evaluation, program })
  return (
    <>
      <Problem text={problem} />
      <SkillPath done={done} />
      <div class="path-cards">
        <InstructionsCard skill={skill} />
        <CasesCard skill={skill} cases={cases.data} isNext={done === 1} />
        <EvaluationCard
          evaluation={evaluation}
          cases={cases.data.length}
          isNext={done === 2}
          isPressed={evaluating.isPressed}
          at={`/skills/${skill.id}?tab=evaluations`}
          onStart={() => void evaluating.start(begin('evaluate'))}
        />
        <ProgramCard
          program={program}
          cases={cases.data.length}
          isNext={done === 3}
          isPressed={compiling.isPressed}
          at={`/skills/${skill.id}?tab=programs`}
          onStart={() => void compiling.start(begin('programs'))}
        />
      </div>
    </>
  )
}

interface Progress {
  readonly cases: number
  readonly evaluation: SkillEvaluation | undefined
  readonly program: Program | undefined
}

function stepsDone({ cases, evaluation, program }: Progress): number {
  if (program?.status === 'ready') return 4
  if (cases === 0) return 1
  return evaluation?.status === 'completed' ? 3 : 2
}

interface CardProps {
  readonly number: number
  readonly title: string
  /** The next action. */
  readonly act?: ComponentChildren
  readonly children: ComponentChildren
}

function Card({ number, title, act, children }: CardProps) {
  return (
    <section class="card path-card" aria-label={title}>
      <h2>
        <span>
          <span class="soft">{number}</span> {title}
        </span>
        {act}
      </h2>
      {children}
    </section>
  )
}

function InstructionsCard({ skill }: { skill: Skill }) {
  const properties = isJsonObject(skill.json_schema) ? skill.json_schema['properties'] : undefined
  return (
    <Card
      number={1}
      title="Instructions and schema"
      act={
        <Link class="button quiet" to={`/skills/${skill.id}?tab=bundle`}>
          Open
        </Link>
      }
    >
      <Figure value={isJsonObject(properties) ? Object.keys(properties).length : 0} of="fields" />
      {isJsonObject(skill.json_schema) ? (
        <SchemaFields schema={skill.json_schema} />
      ) : (
        <p class="soft">No schema: each request brings its own, or gets the text and key facts.</p>
      )}
    </Card>
  )
}

function CasesCard({ skill, cases, isNext }: { skill: Skill; cases: readonly SkillCase[]; isNext: boolean }) {
  const bundled = cases.filter(({ source }) => source === 'bundle').length
  return (
    <Card
      number={2}
      title="Test cases"
      act={
        <Link class={isNext ? 'button primary' : 'button quiet'} to={`/skills/${skill.id}?tab=cases`}>
          {cases.length === 0 ? 'Add cases' : 'Open'}
        </Link>
      }
    >
      <Figure value={cases.length} of="known answers" />
      {cases.length === 0 ? (
        <p class="soft">Correct an execution, and add it: its inputs and right answer become a test case.</p>
      ) : (
        <p class="soft">
          {[
            cases.length > bundled && `${cases.length - bundled} from executions and people`,
            bundled > 0 && `${bundled} in the bundle, for evaluations alone`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
    </Card>
  )
}

interface RunCardProps {
  readonly cases: number
  readonly isNext: boolean
  readonly isPressed: boolean
  /** The tab with all details. */
  readonly at: string
  readonly onStart: () => void
}

function EvaluationCard(props: RunCardProps & Pick<Progress, 'evaluation'>) {
  const { evaluation, cases, isNext, isPressed, at, onStart } = props
  const isRunning = evaluation?.status === 'running'
  const report = evaluation?.report
  const lift = report?.lift?.without
  return (
    <Card
      number={3}
      title="Evaluation"
      act={
        <button
          type="button"
          class={isNext ? 'primary' : ''}
          disabled={cases === 0 || isRunning || isPressed}
          onClick={onStart}
        >
          {isRunning ? 'Evaluating…' : evaluation ? 'Evaluate again' : 'Evaluate'}
        </button>
      }
    >
      {!evaluation && <p class="soft">Runs the test cases with the skill and without it, and compares each field.</p>}
      {isRunning && <Working text={`${count(evaluation.runs, 'run')}, in the flex tier`} />}
      {evaluation?.error && <Problem text={evaluation.error.message} />}
      {report && (
        <>
          <Figure value={percent(report.arms.with?.agreement ?? 0)} of="of fields agree with the test cases" />
          <Facts
            facts={[
              ['Without the skill', share(report.arms.without?.agreement)],
              ...(lift ? [['Difference', `${points(lift.mean)} points`] as const] : []),
              ['Cost', dollars(report.arms.with?.cost_dollars ?? null)],
              ['Cases', report.cases],
            ]}
          />
          {report.cases < cases && <p class="soft">{count(cases - report.cases, 'case')} added since.</p>}
          <Link to={at}>By field</Link>
        </>
      )}
    </Card>
  )
}

function ProgramCard(props: RunCardProps & Pick<Progress, 'program'>) {
  const { program, cases, isNext, isPressed, at, onStart } = props
  const isRunning = program?.status === 'compiling' || program?.status === 'candidate'
  return (
    <Card
      number={4}
      title="Program"
      act={
        <button
          type="button"
          class={isNext ? 'primary' : ''}
          disabled={cases === 0 || isRunning || isPressed}
          onClick={onStart}
        >
          {isRunning ? 'Compiling…' : program ? 'Compile again' : 'Compile'}
        </button>
      }
    >
      {!program && (
        <p class="soft">
          Writes fixed code from the test cases. It answers documents of the same kind by itself, and passes on what it
          does not know.
        </p>
      )}
      {isRunning && <Working text="Writing and testing the program" />}
      {program?.reason && <Problem text={program.reason} />}
      {program && !isRunning && (
        <>
          <Figure value={program.runs} of={program.status === 'ready' ? 'runs answered' : program.status} />
          <Facts
            facts={[
              ...(program.gate ? gateFacts(program.gate) : []),
              ['Error rate at most', program.shadow.bound === 1 ? 'not yet known' : percent(program.shadow.bound)],
              ['Cost per run', dollars(program.economics.program_run_dollars)],
            ]}
          />
          <Link to={at}>Gate and source</Link>
        </>
      )}
    </Card>
  )
}

const gateFacts = ({ checks, cases }: NonNullable<Program['gate']>) =>
  [
    ['Checks passed', `${checks.filter(({ passed }) => passed).length} of ${checks.length}`],
    ['Cases answered', `${cases.answered} of ${cases.answered + cases.declined + cases.failed}`],
  ] as const

const share = (agreement: number | undefined): string => (agreement === undefined ? '–' : percent(agreement))

function Figure({ value, of }: { value: number | string; of: string }) {
  return (
    <p>
      <strong class="large-figure">{value}</strong> <span class="soft">{of}</span>
    </p>
  )
}

function Working({ text }: { text: string }) {
  return (
    <p class="waiting running" role="status">
      <i aria-hidden="true" /> {text}
    </p>
  )
}
