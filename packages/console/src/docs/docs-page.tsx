import { useEffect, useState } from 'preact/hooks'
import { CopyButton } from '../parts/buttons.tsx'
import { Field } from '../parts/field.tsx'
import { Mark } from '../parts/mark.tsx'
import { Nothing, Problem } from '../parts/notes.tsx'
import { curlOf, type Description, type Endpoint, endpointsOf, fits, type Parameter } from './description.ts'
import { SchemaView } from './schema-view.tsx'

/** The API reference, from the server's OpenAPI document. */
export function DocsPage() {
  const [description, setDescription] = useState<Description>()
  const [problem, setProblem] = useState('')
  const [wanted, setWanted] = useState('')
  useEffect(() => {
    fetch('/openapi.json', { credentials: 'omit' })
      .then(async (reply) => setDescription((await reply.json()) as Description))
      .catch(() => setProblem('The server does not respond. Reload the page in a moment.'))
  }, [])
  // The anchor in the address exists only after the page is rendered.
  useEffect(() => {
    if (description && location.hash)
      document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  }, [description])
  const groups = description
    ? [...endpointsOf(description)].map(([tag, list]) => [tag, list.filter((one) => fits(one, wanted))] as const)
    : []
  const shown = groups.filter(([, list]) => list.length > 0)
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a href="/" class="brand" aria-label="Skillrun">
          <Mark />
          <span>Skillrun</span>
        </a>
        <nav aria-label="Links">
          <a href="/">Console</a>
          <a href="/docs/api" aria-current="page">
            API
          </a>
          <a href="/openapi.json">openapi.json</a>
        </nav>
      </header>
      <main id="main" tabIndex={-1} class="docs">
        <Problem text={problem} />
        {description && (
          <>
            <div class="docs-side">
              <Field label="Find" type="search" value={wanted} placeholder="path or keyword" onText={setWanted} />
              <Contents groups={shown} />
            </div>
            <div class="docs-body">
              <h1>
                API <span class="soft small">{description.info.version}</span>
              </h1>
              <Prose text={description.info.description ?? ''} />
              <p class="small soft">
                Every request needs the header <code>Authorization: Bearer KEY</code>, unless stated otherwise. An error
                returns <code>{'{"detail": "one sentence"}'}</code>; a request that is not valid answers 422 with every
                place that is wrong.
              </p>
              {shown.length === 0 && <Nothing>No endpoint matches.</Nothing>}
              {shown.map(([tag, list]) => (
                <section key={tag} aria-label={tag}>
                  <h2 class="docs-tag">{tag}</h2>
                  {list.map((one) => (
                    <EndpointCard key={one.operation.operationId} endpoint={one} description={description} />
                  ))}
                </section>
              ))}
              {wanted === '' && <Schemas description={description} />}
            </div>
          </>
        )}
      </main>
    </>
  )
}

function Contents({ groups }: { groups: readonly (readonly [string, readonly Endpoint[]])[] }) {
  return (
    <nav aria-label="Endpoints" class="docs-contents">
      {groups.map(([tag, list]) => (
        <details key={tag} open>
          <summary>{tag}</summary>
          <ul>
            {list.map(({ method, path, operation }) => (
              <li key={operation.operationId}>
                <a href={`#${operation.operationId}`}>
                  <Method method={method} /> <span class="name">{path}</span>
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  )
}

const Method = ({ method }: { method: string }) => <code class={`method ${method}`}>{method.toUpperCase()}</code>

/** The Markdown of the description: paragraphs, bold words and code. */
function Prose({ text }: { text: string }) {
  return text.split('\n\n').map((paragraph) => (
    <p key={paragraph}>
      {paragraph.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part, at) => {
        if (at % 2 === 0) return part
        return part.startsWith('`') ? <code>{part.slice(1, -1)}</code> : <strong>{part.slice(2, -2)}</strong>
      })}
    </p>
  ))
}

function EndpointCard({ endpoint, description }: { endpoint: Endpoint; description: Description }) {
  const { method, path, operation } = endpoint
  const body = operation.requestBody?.content ?? {}
  const curl = curlOf(endpoint, description, location.origin)
  return (
    <article class="card endpoint" id={operation.operationId} aria-label={`${method.toUpperCase()} ${path}`}>
      <h3>
        <Method method={method} /> <a href={`#${operation.operationId}`}>{path}</a>
      </h3>
      <p>{operation.summary}</p>
      {operation.security?.length === 0 && <p class="small soft">No key required.</p>}
      <Parameters list={operation.parameters ?? []} />
      {Object.entries(body).map(([type, { schema }]) => (
        <details key={type}>
          <summary>
            Body <code>{type}</code>
          </summary>
          {schema && <SchemaView schema={schema} />}
        </details>
      ))}
      <details>
        <summary>Responses</summary>
        <dl class="schema-fields">
          {Object.entries(operation.responses).map(([status, { description: detail, content }]) => (
            <div key={status}>
              <dt>
                <code class={status.startsWith('2') ? 'good' : ''}>{status}</code>
              </dt>
              <dd>
                <p class="small">{detail}</p>
                {Object.entries(content ?? {}).map(([type, { schema }]) =>
                  schema ? <SchemaView key={type} schema={schema} /> : <code key={type}>{type}</code>,
                )}
              </dd>
            </div>
          ))}
        </dl>
      </details>
      <details>
        <summary>curl example</summary>
        <pre class="code">{curl}</pre>
        <CopyButton text={() => curl} />
      </details>
    </article>
  )
}

function Parameters({ list }: { list: readonly Parameter[] }) {
  if (list.length === 0) return null
  return (
    <dl class="schema-fields">
      {list.map((one) => (
        <div key={`${one.in} ${one.name}`}>
          <dt>
            <code>{one.name}</code> <span class="soft small">{one.in}</span>
            {one.required && <span class="needed small">required</span>}
          </dt>
          <dd>
            {one.description && <p class="small">{one.description}</p>}
            <SchemaView schema={{ ...one.schema, description: '' }} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Schemas({ description }: { description: Description }) {
  return (
    <section aria-label="Schemas">
      <h2 class="docs-tag">Schemas</h2>
      {Object.entries(description.components.schemas).map(([name, schema]) => (
        <article key={name} class="card endpoint" id={`schema-${name}`} aria-label={name}>
          <h3>{name}</h3>
          <SchemaView schema={schema} />
        </article>
      ))}
    </section>
  )
}
