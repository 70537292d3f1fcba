import { useState } from 'preact/hooks'
import { dollars, label } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { Link } from '../router.tsx'
import { SchemaFields } from '../run/skill-schema.tsx'
import type { JsonObject, Tool } from '../wire.ts'
import { ToolForm } from './tool-form.tsx'

/** The tools for executions and chats. */
export function ToolsScreen() {
  const { data, problem } = useLoaded<readonly Tool[]>('/v1/tools')
  const [wanted, setWanted] = useState('')
  const word = wanted.trim().toLowerCase()
  const shown = (data ?? []).filter((one) => `${one.name} ${one.description}`.toLowerCase().includes(word))
  return (
    <>
      <div class="head-line">
        <h1>Tools</h1>
        <Link to="/chat" class="button">
          Try in a chat
        </Link>
      </div>
      <Problem text={problem} />
      {!data && !problem && <Skeletons rows={10} />}
      {data && (
        <label class="field find-field">
          <span>Find</span>
          <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </label>
      )}
      {data && shown.length === 0 && <Nothing>No tool matches.</Nothing>}
      {[...Map.groupBy(shown, ({ toolset }) => toolset)].map(([toolset, tools]) => (
        <section key={toolset} class="stack tight" aria-label={`Toolset ${toolset}`}>
          <h2>{label(toolset)}</h2>
          <ul class="rows">
            {tools.map((tool) => (
              <li key={tool.name}>
                <ToolRow tool={tool} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function ToolRow({ tool }: { tool: Tool }) {
  const { name, description, input_schema, dollars_per_call, is_available } = tool
  return (
    <details class="agent-row">
      <summary class="row">
        <span class="grow">
          <strong class="name">{name}</strong>
          <span class="soft small block clamp">{description}</span>
        </span>
        {!is_available && <span class="tag held">not on this machine</span>}
        <span class="small soft">{dollars_per_call > 0 ? `${dollars(dollars_per_call)} a call` : 'free'}</span>
      </summary>
      <div class="agent-detail stack tight">
        <p class="prompt">{description}</p>
        <h3>Input</h3>
        <SchemaFields schema={input_schema as JsonObject} />
        {is_available && <ToolForm tool={tool} />}
      </div>
    </details>
  )
}
