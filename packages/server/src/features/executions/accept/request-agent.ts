import type { Clock } from '@skillrun/core/clock.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import type { Caller } from '../../../adapters/http/route.ts'
import { type Agent, findAgent, identifyAgent, versionedName } from '../../agents/agents.ts'
import type { ExecutionRequest } from '../execution-request.ts'
import { mayRetain } from '../retention.ts'
import type { ExecuteRequest } from '../wire/request.ts'

/** The agent of an execution. */
export interface RunAgent extends Pick<Agent, 'prompt' | 'schema'> {
  /** Null for a chat, which has no agent. */
  readonly id: string | null
  /** `<name>:<version>`, or `chat`. */
  readonly name: string
}

/** The agent that a body names, or the one with exactly its prompt, if any. Fault `missing` for an unknown name. */
export function findNamedAgent(
  { db }: { db: Sql },
  { caller, body }: { caller: Pick<Caller, 'workspaceId'>; body: ExecuteRequest },
): Promise<Agent | undefined> {
  const prompt = body.config?.prompt ?? ''
  if (!body.name && prompt === '') return Promise.resolve(undefined)
  return findAgent(db, { workspaceId: caller.workspaceId, name: body.name ?? null, prompt })
}

/** A body with the agent's defaults for absent fields. */
export function withDefaultsOf(
  agent: Pick<Agent, 'prompt' | 'schema' | 'inputs' | 'skills' | 'serviceTier' | 'callbackUrl'>,
  body: ExecuteRequest,
): ExecuteRequest {
  const config = body.config ?? {}
  const hasInputs = Object.keys(body.inputs ?? {}).length > 0
  return {
    ...body,
    inputs: hasInputs ? body.inputs : agent.inputs,
    callback_url: body.callback_url ?? agent.callbackUrl,
    config: {
      ...config,
      prompt: config.prompt || agent.prompt,
      ...(config.json_schema || config.response_model ? {} : { json_schema: agent.schema }),
      skills: config.skills ?? (agent.skills ? [...agent.skills] : null),
      service_tier: config.service_tier ?? agent.serviceTier,
    },
  }
}

/** The agent of a request. A prompt that must not be kept creates no agent: the nameless agent of the workspace stands for it. */
export async function agentOf(
  parts: { sql: Sql; clock: Clock },
  of: { workspaceId: string; name: string | null; request: ExecutionRequest },
): Promise<RunAgent> {
  const { workspaceId, name, request } = of
  // Messages of a chat identify no agent.
  if (request.chat) return { id: null, name: 'chat', prompt: '', schema: null }
  const asked = { workspaceId, name, prompt: request.prompt }
  const found = mayRetain(request) ? await identifyAgent(parts, asked) : await findAgent(parts.sql, asked)
  return runAgentOf(found ?? (await identifyAgent(parts, { ...asked, name: null, prompt: '' })))
}

export const runAgentOf = (agent: Agent): RunAgent => ({ ...agent, name: versionedName(agent) })
