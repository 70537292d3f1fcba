import type { JsonSchema } from '../../kit/json.ts'
import { jsonb, type Sql } from '../../seams/db/db.ts'

/** A named, versioned agent of a workspace. */
export interface Agent {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly prompt: string
  readonly schema: JsonSchema | null
}

const columns = 'id, name, version, prompt, json_schema as schema'

/** The agent of this name, of the asked version or its newest. */
export async function findAgentByName(
  sql: Sql,
  agent: { workspaceId: string; name: string; version: number | null },
): Promise<Agent | undefined> {
  const rows = await sql.query<Agent>(
    `select ${columns} from agents where workspace_id = $1 and name = $2 and ($3::integer is null or version = $3) order by version desc limit 1`,
    [agent.workspaceId, agent.name, agent.version],
  )
  return rows[0]
}

/** The agent that this prompt identifies; `sha256` is of the normalised prompt. */
export async function findAgentByPrompt(
  sql: Sql,
  agent: { workspaceId: string; sha256: Buffer },
): Promise<Agent | undefined> {
  const rows = await sql.query<Agent>(
    `select ${columns} from agents where workspace_id = $1 and prompt_sha256 = $2 order by version desc limit 1`,
    [agent.workspaceId, agent.sha256],
  )
  return rows[0]
}

/** Adds version 1 of an agent. Where its name is taken by another prompt's agent, `suffix` makes it unique. */
export async function insertAgent(
  sql: Sql,
  agent: {
    id: string
    workspaceId: string
    name: string
    suffix: string
    prompt: string
    sha256: Buffer
    schema: JsonSchema | null
    createdAt: Date
  },
): Promise<Agent> {
  for (const name of [agent.name, `${agent.name}-${agent.suffix}`, `${agent.name}-${agent.id}`]) {
    const rows = await sql.query<Agent>(
      `insert into agents (id, workspace_id, name, version, description, prompt, prompt_sha256, json_schema, created_at, updated_at)
       values ($1, $2, $3, 1, '', $4, $5, $6, $7, $7) on conflict (workspace_id, name, version) do nothing returning ${columns}`,
      [
        agent.id,
        agent.workspaceId,
        name,
        agent.prompt,
        agent.sha256,
        agent.schema === null ? null : jsonb(agent.schema),
        agent.createdAt,
      ],
    )
    if (rows[0]) return rows[0]
  }
  throw new Error('an id was given twice')
}
