import type { Asking, Http, Stoppable } from './http.ts'
import type { AgentCreateRequest, AgentCreationResponse, AgentInfo, AgentLookupRequest, Operations } from './openapi.ts'

/** The agents of a server. */
export function agentsOf(http: Http) {
  const post = <T>(path: string, body: unknown, how: Asking = {}) =>
    http.json<T>(path, { ...how, method: 'POST', body })
  return {
    list: (query?: Partial<Operations['listAgents']['query']>, how?: Stoppable) =>
      http.json<readonly AgentInfo[]>('/v1/agent', { ...how, query }),
    get: (id: string, how?: Stoppable) => http.json<AgentInfo>(`/v1/agents/${encodeURIComponent(id)}`, how),
    lookup: (by: AgentLookupRequest, how?: Stoppable) =>
      post<AgentInfo>('/v1/agent/lookup', by, { ...how, repeatable: true }),
    /** Creates an agent, or the next version of an agent with this name. */
    create: (agent: AgentCreateRequest, how?: Stoppable) => post<AgentCreationResponse>('/v1/agent/create', agent, how),
  }
}
