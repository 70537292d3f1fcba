import type { ArtifactList } from '@skillrun/client/openapi.ts'
import { call } from '../api.ts'
import { useLoaded } from '../live.ts'
import { useImage } from '../parts/page-image.tsx'
import { Player } from './player.tsx'

type Artifact = ArtifactList['items'][number]

const none: readonly Artifact[] = []

/** The artifacts of an execution. A new `version` reloads them. */
export function useArtifacts(executionId: string, version: string): readonly Artifact[] {
  const query = new URLSearchParams({ execution_id: executionId })
  const { data } = useLoaded<readonly Artifact[]>(`/v1/artifacts/list?${query}&${version}`, {
    load: async (_, signal) => (await call<ArtifactList>(`/v1/artifacts/list?${query}`, { signal })).items,
  })
  return data ?? none
}

/** An artifact: a chart, an image crop, audio. */
export function ArtifactsCard({ executionId, artifacts }: { executionId: string; artifacts: readonly Artifact[] }) {
  const query = new URLSearchParams({ execution_id: executionId })
  return (
    <section aria-label="Artifacts">
      <h2 class="unseen">Files created</h2>
      <ul class="artifacts">
        {artifacts.map((one) => (
          <li key={one.object_id}>
            <ArtifactView one={one} path={`/v1/artifacts?${query}&object_id=${encodeURIComponent(one.object_id)}`} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Fetched with the key, and shown as the type in its id; any other type can only be saved. */
function ArtifactView({ one, path }: { one: Artifact; path: string }) {
  const { url, problem } = useImage(path)
  const kind = one.object_id.split('_')[0]
  return (
    <figure>
      {kind === 'img' && url && <img src={url} alt={one.filename} />}
      {(kind === 'vid' || kind === 'aud') && url && (
        <Player mediaType={kind === 'vid' ? 'video' : 'audio'} url={url} name={one.filename} />
      )}
      <figcaption class="small">
        <span class="name">{one.filename}</span>{' '}
        {url && (
          <a href={url} download={one.filename}>
            Save
          </a>
        )}{' '}
        <span class="soft">{problem}</span>
      </figcaption>
    </figure>
  )
}
