import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { Db } from '../../adapters/db/db.ts'
import type { Egress } from '../../adapters/egress/egress.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { ofShare, type ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { refuseBadSchema } from '../../agent/schema/refuse-schema.ts'
import { refuseForbiddenCallback } from '../webhooks/webhooks.ts'
import { type Agent, createAgent, findAgent } from './agents.ts'
import { sampleOf } from './json-sample.ts'
import { findAgentById, listAgents } from './store.ts'
import {
  type AgentInfo,
  type AgentLookup,
  agentInfo,
  agentListQuery,
  createdAgent,
  createRequest,
  lookupQuery,
  lookupRequest,
} from './wire.ts'

export interface AgentRouteParts {
  readonly clock: Clock
  readonly processPool: ProcessPool
  readonly egress: Pick<Egress, 'check'>
}

const info = { description: 'The agent', schema: agentInfo }

/** Creates and reads named agents. */
export function agentRoutes(parts: AgentRouteParts): Route[] {
  return [createRoute(parts), listRoute(), ...lookupRoutes(), findRoute()]
}

function createRoute(parts: AgentRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/agent/create',
    operation: 'createAgent',
    tag: 'agents',
    scope: 'execute',
    summary: 'Create an agent: a named prompt with defaults for its executions; an existing name gets its next version',
    body: createRequest,
    reply: { status: 201, description: 'The agent', schema: createdAgent },
    handle: async ({ db, caller, body, signal }) => {
      const { config } = body
      await refuseForbiddenCallback(parts.egress, body.callback_url ?? null)
      const schema = (config.json_schema ?? null) as JsonObject | null
      if (schema !== null) {
        const processPool = ofShare(parts.processPool, { group: caller.workspaceId, rank: 1 })
        await refuseBadSchema(processPool, { schema, loc: ['body', 'config', 'json_schema'], signal })
      }
      const agent = await createAgent(
        { ...parts, db },
        {
          workspaceId: caller.workspaceId,
          name: body.name ?? null,
          prompt: config.prompt,
          schema,
          inputs: (body.inputs ?? null) as JsonObject | null,
          skills: (config.skills ?? null) as JsonObject[] | null,
          serviceTier: config.service_tier ?? null,
          callbackUrl: body.callback_url ?? null,
        },
      )
      const { id, name, version, created_at, updated_at, status } = infoOf(agent)
      return { json: { id, name, version, created_at, updated_at, status } }
    },
  })
}

function listRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/agent',
    operation: 'listAgents',
    tag: 'agents',
    scope: 'read',
    summary: 'List the agents of this workspace, newest first, each in its latest version',
    query: agentListQuery,
    reply: { status: 200, description: 'The agents', schema: z.array(agentInfo) },
    handle: async ({ db, caller, query }) => {
      const agents = await listAgents(db, { workspaceId: caller.workspaceId, ...query })
      return { json: agents.map(infoOf) }
    },
  })
}

/** Some clients send a GET with a body, others a POST: both work. */
function lookupRoutes(): Route[] {
  return (['post', 'get'] as const).map((method) =>
    route({
      method,
      path: '/v1/agent/lookup',
      operation: method === 'post' ? 'lookupAgent' : 'lookupAgentByQuery',
      tag: 'agents',
      scope: 'read',
      summary: 'Find an agent by id, by name (or name:version), or by prompt',
      query: lookupQuery,
      body: lookupRequest,
      reply: { status: 200, ...info },
      failures: [404],
      handle: async ({ db, caller, query, body }) => {
        const { workspaceId } = caller
        const wanted = oneOf({ ...query, ...withoutNulls(body) })
        if (wanted.id) return { json: infoOf(await loadAgent(db, { workspaceId, id: wanted.id })) }
        const agent = await findAgent(db, { workspaceId, name: wanted.name ?? null, prompt: wanted.prompt ?? '' })
        if (!agent) throw new Fault('missing', 'unknown_agent', 'This workspace has no agent with this prompt')
        return { json: infoOf(agent) }
      },
    }),
  )
}

const withoutNulls = (wanted: AgentLookup): object =>
  Object.fromEntries(Object.entries(wanted ?? {}).filter(([, value]) => value !== null && value !== undefined))

function oneOf(wanted: NonNullable<AgentLookup>): NonNullable<AgentLookup> {
  const given = (['id', 'name', 'prompt'] as const).filter((key) => wanted[key])
  if (given.length === 1) return wanted
  throw invalid(
    ['body'],
    `Give exactly one of id, name and prompt${given.length === 0 ? '' : `, not ${given.join(' and ')}`}`,
    { type: given.length === 0 ? 'missing' : 'value_error' },
  )
}

function findRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/agents/{id}',
    operation: 'getAgent',
    tag: 'agents',
    scope: 'read',
    summary: 'Read an agent',
    params: z.object({ id: z.string() }),
    reply: { status: 200, ...info },
    failures: [404],
    handle: async ({ db, caller, params }) => ({
      json: infoOf(await loadAgent(db, { workspaceId: caller.workspaceId, id: params.id })),
    }),
  })
}

async function loadAgent(db: Db, where: { workspaceId: string; id: string }): Promise<Agent> {
  const id = where.id.toLowerCase()
  const agent = isId(id) ? await findAgentById(db, { workspaceId: where.workspaceId, id }) : undefined
  if (!agent) throw new Fault('missing', 'unknown_agent', 'This workspace has no agent with this id')
  return agent
}

/** The wire format of an agent. */
const infoOf = (agent: Agent): AgentInfo => ({
  id: agent.id,
  name: agent.name,
  version: agent.version,
  description: agent.description,
  prompt: agent.prompt,
  json_schema: agent.schema,
  json_sample: agent.schema === null ? null : sampleOf(agent.schema),
  created_at: agent.createdAt.toISOString(),
  updated_at: agent.updatedAt.toISOString(),
  status: 'completed',
})
