import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { jsonb, readEach, type Sql } from '../../adapters/db/db.ts'
import { largeJsonb } from '../../adapters/db/large-json.ts'

/** An immutable version of a named agent of a workspace. */
export interface Agent {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly description: string
  readonly prompt: string
  readonly schema: JsonSchema | null
  /** Slots that apply when an execution gives none. */
  readonly inputs: JsonObject | null
  /** Skill entries in wire format. */
  readonly skills: readonly JsonObject[] | null
  readonly serviceTier: 'auto' | 'default' | 'standard' | 'flex' | 'priority' | null
  readonly callbackUrl: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `id, name, version, description, prompt, json_schema as schema, inputs, skills, service_tier as "serviceTier",
  callback_url as "callbackUrl", created_at as "createdAt", updated_at as "updatedAt"`

interface AgentName {
  readonly workspaceId: string
  readonly name: string
  readonly version: number | null
}

async function findByNames(sql: Sql, names: readonly AgentName[]): Promise<readonly (Agent | undefined)[]> {
  return findByKeys(sql, names, {
    keyOf: ({ workspaceId, name, version }) => JSON.stringify([workspaceId, name, version]),
    text: byName,
    paramsOf: (given) => [
      given.map(({ workspaceId }) => workspaceId),
      given.map(({ name }) => name),
      given.map(({ version }) => version),
    ],
  })
}

const byName = `select (place - 1)::integer as at, found.*
  from unnest($1::uuid[], $2::text[], $3::integer[]) with ordinality as given (workspace, name, version, place), lateral (
    select ${columns} from agents where workspace_id = given.workspace and agents.name = given.name
      and (given.version is null or agents.version = given.version) order by agents.version desc limit 1) as found`

/** The agent of this name: the version asked for, or the newest. */
export const findAgentByName = (sql: Sql, agent: AgentName): Promise<Agent | undefined> =>
  readEach(sql, findByNames, agent)

/** Equal keys are looked up once. */
async function findByKeys<Key>(
  sql: Sql,
  keys: readonly Key[],
  by: { keyOf: (key: Key) => string; text: string; paramsOf: (keys: readonly Key[]) => readonly unknown[] },
): Promise<readonly (Agent | undefined)[]> {
  const different = new Map(keys.map((key) => [by.keyOf(key), key]))
  const names = [...different.keys()]
  const rows = await sql.query<Agent & { at: number }>(by.text, by.paramsOf([...different.values()]))
  const found = new Map(rows.map(({ at, ...agent }) => [names[at], agent]))
  return keys.map((key) => found.get(by.keyOf(key)))
}

export async function findAgentById(sql: Sql, agent: { workspaceId: string; id: string }): Promise<Agent | undefined> {
  const rows = await sql.query<Agent>(`select ${columns} from agents where workspace_id = $1 and id = $2`, [
    agent.workspaceId,
    agent.id,
  ])
  return rows[0]
}

interface AgentPrompt {
  readonly workspaceId: string
  /** Of the normalised prompt. */
  readonly sha256: Buffer
}

const findByPrompts = (sql: Sql, prompts: readonly AgentPrompt[]): Promise<readonly (Agent | undefined)[]> =>
  findByKeys(sql, prompts, {
    keyOf: ({ workspaceId, sha256 }) => `${workspaceId} ${sha256.toString('hex')}`,
    text: byPrompt,
    paramsOf: (given) => [given.map(({ workspaceId }) => workspaceId), given.map(({ sha256 }) => sha256)],
  })

const byPrompt = `select (place - 1)::integer as at, found.*
  from unnest($1::uuid[], $2::bytea[]) with ordinality as given (workspace, sha256, place), lateral (
    select ${columns} from agents where workspace_id = given.workspace and prompt_sha256 = given.sha256
      order by version desc, created_at desc limit 1) as found`

/** The agent with this prompt. */
export const findAgentByPrompt = (sql: Sql, agent: AgentPrompt): Promise<Agent | undefined> =>
  readEach(sql, findByPrompts, agent)

/** The newest version of each name, newest first. */
export async function listAgents(
  sql: Sql,
  list: { workspaceId: string; skip: number; limit: number },
): Promise<readonly Agent[]> {
  return sql.query<Agent>(
    `select ${columns} from agents as one
     where workspace_id = $1 and not exists (
       select from agents as newer where newer.workspace_id = $1 and newer.name = one.name and newer.version > one.version)
     order by created_at desc, id desc limit $2 offset $3`,
    [list.workspaceId, list.limit, list.skip],
  )
}

export interface NewAgent extends Pick<Agent, 'id' | 'prompt' | 'schema' | 'createdAt'> {
  readonly workspaceId: string
  /** Of the normalised prompt. */
  readonly sha256: Buffer
  readonly description: string
  readonly rest?: Pick<Agent, 'inputs' | 'skills' | 'serviceTier' | 'callbackUrl'>
}

const orNull = async (value: Json | undefined): Promise<string | null> =>
  value === null || value === undefined ? null : largeJsonb(value as Record<string, unknown>)

/** Adds a version of an agent; undefined if that version exists. */
async function insertVersion(
  sql: Sql,
  agent: NewAgent & { name: string; version: number },
): Promise<Agent | undefined> {
  const { rest } = agent
  const rows = await sql.query<Agent>(
    `insert into agents (id, workspace_id, name, version, description, prompt, prompt_sha256, json_schema, inputs, skills, service_tier, callback_url, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
     on conflict (workspace_id, name, version) do nothing returning ${columns}`,
    [
      agent.id,
      agent.workspaceId,
      agent.name,
      agent.version,
      agent.description,
      agent.prompt,
      agent.sha256,
      agent.schema === null ? null : jsonb(agent.schema),
      await orNull(rest?.inputs),
      rest?.skills ? jsonb(rest.skills) : null,
      rest?.serviceTier ?? null,
      rest?.callbackUrl ?? null,
      agent.createdAt,
    ],
  )
  return rows[0]
}

/** Adds version 1 of an agent. When another prompt's agent has the name, `suffix` makes it unique. */
export async function insertAgent(sql: Sql, agent: NewAgent & { name: string; suffix: string }): Promise<Agent> {
  for (const name of [agent.name, `${agent.name}-${agent.suffix}`, `${agent.name}-${agent.id}`]) {
    const made = await insertVersion(sql, { ...agent, name, version: 1 })
    if (made) return made
  }
  throw new Error('an id was given twice')
}

/** Adds the next version of a name, starting at 1. Tries the next number again when a concurrent call took it. */
export async function insertNextVersion(sql: Sql, agent: NewAgent & { name: string }): Promise<Agent> {
  for (;;) {
    const newest = await findAgentByName(sql, { workspaceId: agent.workspaceId, name: agent.name, version: null })
    const made = await insertVersion(sql, { ...agent, version: (newest?.version ?? 0) + 1 })
    if (made) return made
  }
}
