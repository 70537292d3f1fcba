import type { Http, Stoppable } from './http.ts'
import type { ArtifactList } from './openapi.ts'

/** Where to look: in an execution, or in all of a session. */
export type ArtifactPlace = { readonly execution_id: string } | { readonly session_id: string }

/** The artifacts of a server. */
export function artifactsOf(http: Http) {
  return {
    list: (place: ArtifactPlace & { readonly limit?: number }, how?: Stoppable) =>
      http.json<ArtifactList>('/v1/artifacts/list', { ...how, query: { ...place } }),
    /** The bytes, by the id in a response or by name; `body` of the reply is their stream. */
    content: (
      which: ArtifactPlace & ({ readonly object_id: string } | { readonly filename: string }),
      how?: Stoppable,
    ) => http.send('/v1/artifacts', { ...how, query: { ...which } }),
  }
}
