import { useLoaded } from '../live.ts'
import { Problem } from '../parts/notes.tsx'
import type { ModelRoute } from '../wire.ts'

interface Description {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, object>>
}

const pollMs = 5_000

/** The health of the server and its database, and the engine of each model. */
export function HealthScreen() {
  const alive = useLoaded<{ status: string }>('/healthz', { everyMs: () => pollMs })
  const ready = useLoaded<{ status: string }>('/readyz', { everyMs: () => pollMs })
  const models = useLoaded<ModelRoute[]>('/v1/models')
  const description = useLoaded<Description>('/openapi.json')
  const engines = Map.groupBy(models.data ?? [], (one) => one.engine)
  return (
    <div class="narrow">
      <h1>Health</h1>
      <dl class="facts">
        <Fact name="Server" state={alive} good="answers" />
        <Fact name="Database" state={ready} good="answers" />
        <div>
          <dt>Interface</dt>
          <dd>{description.data ? description.data.info.version : '…'}</dd>
        </div>
        <div>
          <dt>API</dt>
          <dd>
            <a href="/openapi.json">{description.data ? `${Object.keys(description.data.paths).length} paths` : '…'}</a>
          </dd>
        </div>
      </dl>
      <h2>Models</h2>
      <Problem text={models.problem} />
      {[...engines].map(([engine, routes]) => (
        <section key={engine} class="card">
          <h3>
            {engine} <span class="soft small">answers</span>
          </h3>
          <ul class="chips">
            {routes.map(({ model }) => (
              <li key={model}>
                <code>{model}</code>
              </li>
            ))}
          </ul>
          {engine === 'embedded' && (
            <p class="soft small">
              Rules within this server, without a language model: it reads documents and fills schemas, with evidence
              for each field.
            </p>
          )}
        </section>
      ))}
    </div>
  )
}

function Fact({ name, state, good }: { name: string; state: { data: unknown; problem: string }; good: string }) {
  const isGood = state.data !== undefined && state.problem === ''
  return (
    <div>
      <dt>{name}</dt>
      <dd class={state.problem ? 'bad' : isGood ? 'good' : ''}>{state.problem || (isGood ? good : '…')}</dd>
    </div>
  )
}
