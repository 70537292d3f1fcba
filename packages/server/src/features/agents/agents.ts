import { createHash } from 'node:crypto'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { type Agent, findAgentByName, findAgentByPrompt, insertAgent, insertNextVersion } from './store.ts'

export type { Agent } from './store.ts'

/** Words that say nothing about what an agent is for. */
const fillers = new Set(
  'a an the of and or to from in on for with by is are this that these all any please you your me my i it its as into'.split(
    ' ',
  ),
)
/** The name that always runs exactly this version. */
export const versionedName = ({ name, version }: Pick<Agent, 'name' | 'version'>): string => `${name}:${version}`

const nameWordsMax = 5
const nameCharactersMax = 60

/** Prompts that differ only in white space, case and Unicode form identify the same agent. */
export const normalisedPrompt = (prompt: string): string =>
  prompt.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Names an agent after the first distinctive words of its prompt: `extract-invoice-fields`. */
export function nameFromPrompt(prompt: string): string {
  const words = normalisedPrompt(prompt).match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !fillers.has(word)).slice(0, nameWordsMax)
  return telling.join('-').slice(0, nameCharactersMax) || 'agent'
}

/** Splits `<name>:<version>`; a bare name, and `latest`, mean the newest version. */
export function parseAgentName(text: string): { name: string; version: number | null } {
  const match = /^(.*?)(?::([^:]*))?$/s.exec(text)
  const version = match?.[2]
  if (version === undefined || version === '' || version.toLowerCase() === 'latest')
    return { name: match?.[1] ?? text, version: null }
  if (!/^[1-9]\d{0,8}$/.test(version))
    throw new Fault(
      'missing',
      'unknown_agent',
      `There is no agent ${JSON.stringify(text.slice(0, 300))}; the version must be a whole number or "latest"`,
    )
  return { name: match?.[1] ?? text, version: Number(version) }
}

/**
 * Finds the agent that a request names, or else the one with the request's prompt; undefined without a name when no agent has the prompt.
 * Throws a Fault `missing` when this workspace has no agent of that name.
 */
export async function findAgent(
  sql: Sql,
  request: { workspaceId: string; name: string | null; prompt: string },
): Promise<Agent | undefined> {
  const { workspaceId, name } = request
  if (name === null) return findAgentByPrompt(sql, { workspaceId, sha256: promptSha256(request.prompt) })
  const found = await findAgentByName(sql, { workspaceId, ...parseAgentName(name) })
  if (found) return found
  throw new Fault('missing', 'unknown_agent', `This workspace has no agent named ${JSON.stringify(name.slice(0, 300))}`)
}

const promptSha256 = (prompt: string): Buffer => createHash('sha256').update(normalisedPrompt(prompt)).digest()

/**
 * Finds the agent of a request as `findAgent` does, or creates one named after the prompt. Without name and prompt it is the nameless agent
 * `agent`.
 */
export async function identifyAgent(
  parts: { sql: Sql; clock: Clock },
  request: { workspaceId: string; name: string | null; prompt: string },
): Promise<Agent> {
  const { sql, clock } = parts
  const { workspaceId, prompt } = request
  const found = await findAgent(sql, request)
  if (found) return found
  const sha256 = promptSha256(prompt)
  // Two concurrent first requests with the same prompt must not create two agents.
  await lockPrompt(sql, workspaceId, sha256)
  const concurrent = await findAgentByPrompt(sql, { workspaceId, sha256 })
  if (concurrent) return concurrent
  const now = clock.now()
  return insertAgent(sql, {
    id: newId(now),
    workspaceId,
    prompt,
    description: '',
    // The schema of whichever request came first does not become the agent's.
    schema: null,
    createdAt: now,
    name: nameFromPrompt(prompt),
    suffix: sha256.toString('hex').slice(0, 6),
    sha256,
  })
}

const lockPrompt = (sql: Sql, workspaceId: string, sha256: Buffer) =>
  sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`agent ${workspaceId} ${sha256.toString('hex')}`])

const descriptionCharactersMax = 200

/**
 * Creates an agent, or its next version: under `name`, else for the agent with this prompt, else under a name made from the prompt. Two
 * concurrent calls create two versions.
 */
export async function createAgent(
  parts: { db: Db; clock: Clock },
  asked: Pick<Agent, 'prompt' | 'schema' | 'inputs' | 'skills' | 'serviceTier' | 'callbackUrl'> & {
    workspaceId: string
    name: string | null
  },
): Promise<Agent> {
  const { workspaceId, name, prompt, schema, ...rest } = asked
  const sha256 = promptSha256(prompt)
  const now = parts.clock.now()
  const description = prompt
    .trim()
    .replaceAll(/\s+/g, ' ')
    .slice(0, descriptionCharactersMax)
    .replace(/[\uD800-\uDBFF]$/, '')
  const agent = { id: newId(now), workspaceId, prompt, schema, sha256, description, rest, createdAt: now }
  return parts.db.transaction(async (tx) => {
    if (name !== null) return insertNextVersion(tx, { ...agent, name })
    await lockPrompt(tx, workspaceId, sha256)
    const known = await findAgentByPrompt(tx, { workspaceId, sha256 })
    if (known) return insertNextVersion(tx, { ...agent, name: known.name })
    return insertAgent(tx, { ...agent, name: nameFromPrompt(prompt), suffix: sha256.toString('hex').slice(0, 6) })
  })
}
