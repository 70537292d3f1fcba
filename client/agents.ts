import type { Asking, Http, Stoppable } from './http.ts'
import type { Json } from './openapi.ts'

/** What is kept of an agent. */
export interface Agent {
  readonly id: string
  readonly name: string
  readonly version?: string | number
  readonly prompt?: string | null
  readonly json_schema?: Json
  readonly created_at: string
  readonly updated_at: string
  readonly status: string
}

/** The agents of a server. */
export function agentsOf(http: Http) {
  const post = <T>(path: string, body: unknown, how: Asking = {}) =>
    http.json<T>(path, { ...how, method: 'POST', body })
  return {
    list: (how?: Stoppable) => http.json<readonly Agent[]>('/v1/agent', how),
    get: (id: string, how?: Stoppable) => http.json<Agent>(`/v1/agents/${encodeURIComponent(id)}`, how),
    lookup: (by: { id: string } | { name: string } | { prompt: string }, how?: Stoppable) =>
      post<Agent>('/v1/agent/lookup', by, { ...how, repeatable: true }),
    /** Makes an agent, or the next version of one that has this name. */
    create: (agent: Readonly<Record<string, Json>>, how?: Stoppable) => post<Agent>('/v1/agent/create', agent, how),
  }
}
