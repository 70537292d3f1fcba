import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { byteSize, count, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { ConfirmButton } from '../parts/buttons.tsx'
import { Nothing, Problem } from '../parts/notes.tsx'
import { go, Link, useHere } from '../router.tsx'
import { change, draft, letProgramsAnswer } from '../run/draft.ts'
import { visible } from '../visible.ts'
import { type Program, type Skill, skillPath } from '../wire.ts'
import { BundleTab } from './bundle-tab.tsx'
import { CasesTab } from './cases-tab.tsx'
import { EvaluationsTab } from './evaluations-tab.tsx'
import { ImprovementsTab } from './improvements-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { ProgramsTab } from './programs-tab.tsx'

const tabs = [
  { name: 'overview', label: 'Overview' },
  { name: 'bundle', label: 'Bundle' },
  { name: 'cases', label: 'Test cases' },
  { name: 'evaluations', label: 'Evaluations' },
  { name: 'improvements', label: 'Improvements' },
  { name: 'programs', label: 'Programs' },
]
const pollMs = 1_500

const isUnfinished = (skill: Skill | undefined): boolean => skill?.status === 'pending' || skill?.status === 'running'

/** One version of a skill: its bundle, its results, its programs. */
export function SkillScreen({ id }: { id: string }) {
  const {
    data: skill,
    problem,
    status,
  } = useLoaded<Skill>(skillPath(id), {
    everyMs: (now) => (isUnfinished(now) ? pollMs : 0),
  })
  const here = useHere()
  const tab = tabs.find((one) => one.name === here.searchParams.get('tab'))?.name ?? 'overview'
  if (!skill)
    return status === 404 ? <Nothing>This workspace has no skill with this id.</Nothing> : <Problem text={problem} />
  return (
    <>
      <Head skill={skill} />
      {skill.error && <Problem text={skill.error.message} />}
      {skill.warnings?.map(({ code, message }) => (
        <p key={code} class="hint" role="status">
          {message}
        </p>
      ))}
      {isUnfinished(skill) && (
        <p class="waiting running" role="status">
          <i aria-hidden="true" /> Creating the skill…
        </p>
      )}
      <nav class="tabs" aria-label="Parts of the skill">
        {tabs.map(({ name, label }) => (
          <Link key={name} to={`/skills/${id}?tab=${name}`} aria-current={name === tab ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      {tab === 'overview' && <OverviewTab skill={skill} />}
      {tab === 'bundle' && <BundleTab key={id} skill={skill} />}
      {tab === 'cases' && <CasesTab skill={skill} />}
      {tab === 'evaluations' && <EvaluationsTab skill={skill} />}
      {tab === 'improvements' && <ImprovementsTab skill={skill} />}
      {tab === 'programs' && <ProgramsTab skill={skill} />}
    </>
  )
}

function Head({ skill }: { skill: Skill }) {
  const { failure, attempt } = useAttempt()
  const remove = async () => {
    await attempt(async () => {
      await call(skillPath(skill.id), { method: 'DELETE' })
      go('/skills')
    })
  }
  const use = async () => {
    const { skills } = draft.get()
    change({
      skills: [
        ...skills,
        {
          type: 'skill_reference',
          skill_id: skill.name,
          skill_version: skill.is_latest === false ? skill.skill_version : 'latest',
        },
      ],
    })
    const programs = await call<readonly Program[]>(skillPath(skill.id, '/programs')).catch(() => [])
    if (programs.some(({ status, skill_id }) => status === 'ready' && skill_id === skill.id)) letProgramsAnswer(true)
    go('/')
  }
  return (
    <header class="head">
      <p class="small soft">
        <Link to="/skills">Skills</Link> / <code class="name">{skill.id}</code>
      </p>
      <div class="head-line">
        <h1 class="name">{skill.name}</h1>
        {skill.is_public && <span class="tag">public</span>}
        {skill.is_held && <span class="tag held">on hold until an evaluation passes</span>}
        <span class="acts">
          <button type="button" class="primary" onClick={() => void use()}>
            Run with this skill
          </button>
          <Link class="button quiet" to={`/executions?skill_id=${encodeURIComponent(skill.id)}`}>
            Executions
          </Link>
          {skill.files && <ConfirmButton name="Delete" ask="Delete this version?" onDone={remove} />}
        </span>
      </div>
      <p class="name">{visible(skill.description)}</p>
      <p class="small soft facts-line">
        <span>
          version {skill.number ?? ''} <code>{skill.skill_version}</code>
          {skill.is_latest && ', the latest'}
        </span>
        <time dateTime={skill.created_at}>{longTime(skill.created_at)}</time>
        {skill.files && <span>{count(skill.files.length, 'file')}</span>}
        {skill.bytes !== undefined && <span>{byteSize(skill.bytes)}</span>}
        {skill.model && <span>{skill.model}</span>}
        {skill.toolsets && <span>tools {skill.toolsets.join(', ')}</span>}
        {skill.session_id && <span class="name">from session {skill.session_id}</span>}
      </p>
      <Problem text={failure} />
    </header>
  )
}
