import { briefTime, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { go, Link } from '../router.tsx'
import { fillFrom } from '../run/draft.ts'
import { SchemaFields } from '../run/skill-schema.tsx'
import { visible } from '../visible.ts'
import { type AgentInfo, isJsonObject } from '../wire.ts'

const shownMax = 200

/** The named prompts of the workspace, each in its latest version. */
export function AgentsScreen() {
  const { data, problem } = useLoaded<readonly AgentInfo[]>(`/v1/agent?limit=${shownMax}`)
  return (
    <>
      <div class="head-line">
        <h1>Agents</h1>
        <Link to="/" class="button primary">
          New run
        </Link>
      </div>
      <Problem text={problem} />
      {!data && !problem && <Skeletons />}
      {data?.length === 0 && (
        <Nothing title="No agents yet">
          <p>
            Every prompt that runs becomes an agent with a name and a version. Executing the name runs that version
            again.
          </p>
        </Nothing>
      )}
      {data && data.length > 0 && (
        <ul class="rows" aria-label="Agents">
          {data.map((agent) => (
            <li key={agent.id}>
              <AgentRow agent={agent} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function AgentRow({ agent }: { agent: AgentInfo }) {
  const { name, version, prompt, json_schema, updated_at } = agent
  const run = () => {
    fillFrom({ config: { prompt, ...(isJsonObject(json_schema) ? { json_schema } : {}) } })
    go('/')
  }
  return (
    <details class="agent-row">
      <summary class="row">
        <span class="grow">
          <strong class="name">
            {name}:{version}
          </strong>
          <span class="soft small block clamp">{visible(prompt) || 'No prompt'}</span>
        </span>
        <time class="small soft" dateTime={updated_at} title={longTime(updated_at)}>
          {briefTime(updated_at)}
        </time>
      </summary>
      <div class="agent-detail stack tight">
        <p class="prompt">{visible(prompt)}</p>
        {isJsonObject(json_schema) && <SchemaFields schema={json_schema} />}
        <p class="acts">
          <button type="button" class="primary" onClick={run}>
            Use for a run
          </button>
          <Link class="button" to={`/executions?name=${encodeURIComponent(name)}`}>
            Executions
          </Link>
        </p>
      </div>
    </details>
  )
}
