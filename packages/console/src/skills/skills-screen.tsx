import { useState } from 'preact/hooks'
import { briefTime, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { useMay } from '../rights.ts'
import { Link } from '../router.tsx'
import { visible } from '../visible.ts'
import type { ListedSkill } from '../wire.ts'
import { ShippedList } from './shipped-list.tsx'

const listMax = 1000

/** The latest versions of the workspace's skills and of public ones. */
export function SkillsScreen() {
  const { data, problem } = useLoaded<readonly ListedSkill[]>(
    `/v1/skills?grouped=true&order_by=updated_at&limit=${listMax}`,
  )
  const [wanted, setWanted] = useState('')
  const may = useMay()
  const word = wanted.trim().toLowerCase()
  const shown = (data ?? []).filter((one) => `${one.name} ${one.description}`.toLowerCase().includes(word))
  return (
    <>
      <div class="head-line">
        <h1>Skills</h1>
        {may('skills:write') && (
          <Link to="/skills/new" class="button primary">
            New skill
          </Link>
        )}
      </div>
      <Problem text={problem} />
      {!data && !problem && <Skeletons />}
      {data && data.length > 0 && (
        <label class="field find-field">
          <span>Find</span>
          <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </label>
      )}
      {data?.length === 0 && (
        <Nothing title="No skills yet">
          <p>
            A skill keeps instructions and a schema under a name. With test cases it can be evaluated, and compiled to a
            program that answers without a model.
          </p>
          <p>
            Create one from a run whose answer you like: open it under <Link to="/executions">Executions</Link> and
            choose “Create skill”.
          </p>
        </Nothing>
      )}
      {data && data.length > 0 && shown.length === 0 && <Nothing>No skill matches.</Nothing>}
      {shown.length > 0 && (
        <ul class="rows" aria-label="Skills">
          {shown.map((one) => (
            <li key={one.id}>
              <Link class="row skill-row" to={`/skills/${one.id}`}>
                <span class="grow">
                  <strong class="name">{one.name}</strong> {one.is_public && <span class="tag">public</span>}
                  <span class="soft small block clamp">{visible(one.description)}</span>
                </span>
                <span class="small soft">
                  <code>{one.skill_version}</code>{' '}
                  <time dateTime={one.updated_at} title={longTime(one.updated_at)}>
                    {briefTime(one.updated_at)}
                  </time>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {data && <ShippedList known={data.map(({ name }) => name)} />}
    </>
  )
}
