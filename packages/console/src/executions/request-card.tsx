import { label } from '../format.ts'
import { useLoaded } from '../live.ts'
import { CopyButton } from '../parts/buttons.tsx'
import { Facts } from '../parts/facts.tsx'
import { PageThumb } from '../parts/page-image.tsx'
import { visible } from '../visible.ts'
import type { Asked, Execution, StoredFile } from '../wire.ts'
import { curlOf } from './curl.ts'
import { type Source, sourcesOf } from './sources.ts'

/** The request. */
export function RequestCard({ asked }: { asked: Asked }) {
  const { prompt, json_schema, ...rest } = asked.config ?? {}
  const sources = sourcesOf(asked.inputs ?? {})
  return (
    <section class="stack" aria-label="Request">
      <h2 class="head-line">
        Request <CopyButton name="Copy as curl" text={() => curlOf(asked, location.origin)} />
      </h2>
      {sources.length > 0 && (
        <ul class="inputs">
          {sources.map((source) => (
            <li key={source.name}>
              <SourceLine source={source} />
            </li>
          ))}
        </ul>
      )}
      {typeof prompt === 'string' && (
        <>
          <h3>Prompt</h3>
          <p class="prompt">{visible(prompt)}</p>
        </>
      )}
      <Facts
        facts={Object.entries(rest).map(([name, value]) => [
          label(name),
          typeof value === 'string' ? value : JSON.stringify(value),
        ])}
      />
      {json_schema && (
        <details>
          <summary>Schema</summary>
          <pre class="code">{JSON.stringify(json_schema, null, 2)}</pre>
        </details>
      )}
    </section>
  )
}

function SourceLine({ source }: { source: Source }) {
  switch (source.kind) {
    case 'file':
      return <FileLine name={source.name} fileId={source.fileId} />
    case 'text':
      return <PlainLine name={source.name} detail={source.text} />
    case 'url':
      return <PlainLine name={source.name} detail={source.url} />
    case 'data':
      return <PlainLine name={source.name} detail={`${source.mediaType}, sent with the request`} />
    case 'value':
      return <PlainLine name={source.name} detail={JSON.stringify(source.value)} />
    case 'entry':
      return null
  }
}

const detailCharactersMax = 200

function PlainLine({ name, detail }: { name: string; detail: string }) {
  return (
    <span class="grow">
      <strong>{visible(name)}</strong>{' '}
      <span class="soft small block name">
        {visible(detail.length > detailCharactersMax ? `${detail.slice(0, detailCharactersMax)} …` : detail)}
      </span>
    </span>
  )
}

function FileLine({ name, fileId }: { name: string; fileId: string }) {
  const { data, problem } = useLoaded<StoredFile>(`/v1/files/${encodeURIComponent(fileId)}`)
  return (
    <>
      {data && <PageThumb file={data} />}
      <PlainLine name={name} detail={data?.filename ?? (problem || fileId)} />
    </>
  )
}

/** JSON of the execution, as returned by the API. */
export function JsonCard({ execution }: { execution: Execution }) {
  const text = () => JSON.stringify(execution, null, 2)
  return (
    <section class="stack" aria-label="JSON">
      <h2 class="head-line">
        JSON of the execution, as returned by the API <CopyButton text={text} />
      </h2>
      <pre class="code">{text()}</pre>
    </section>
  )
}
