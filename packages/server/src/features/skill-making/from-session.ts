import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject } from '@skillrun/core/json.ts'
import { isAboutExtraction } from '@skillrun/reader/extract/needs-model.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { loadSession, type SessionExecution, type SessionHistory } from '../chat/chat.ts'
import { writerOf } from '../models/models.ts'
import {
  type Asker,
  type CreateRequest,
  checkBundle,
  commitVersion,
  insertVersion,
  keepZip,
  loadSkill,
  refusedAt,
  type SkillParts,
  type SkillVersion,
  writeProof,
} from '../skills/skills.ts'
import { describe, distil, distilledFiles, type Inherited } from './distil.ts'
import type { NamingParts } from './from-prompt.ts'
import { exampleOf } from './improve.ts'
import { makeNamed, nameByModel } from './name-skill.ts'
import { firstProofJob, proveTopic } from './prove.ts'
import { askedIn } from './session-turns.ts'
import { turnsOf, writingBody } from './write-instructions.ts'

/**
 * Makes a skill from the requests and answers of a session. It stays pending until the session's last execution, run again with it, gives
 * the same answer. Fault `missing` (`unknown_session`), Fault `conflict` while nothing is completed but something is running, and a
 * ValidationFailure for a session without material for a skill.
 */
export async function createFromSession(parts: NamingParts, asker: Asker, body: CreateRequest): Promise<SkillVersion> {
  const { workspaceId } = asker
  const sessionId = body.session_id ?? ''
  const history = keptOf(await loadSession(parts.db, { workspaceId, sessionId }))
  const asked = askedIn(history)
  const last = lastAsked(asked, { history, sessionId })
  const inherited = await inheritedBy(parts, workspaceId, last)
  const distilled = distil(asked, { inherited, standing: standingIn(history) })
  if (!distilled) throw undistillable('its last execution has neither a prompt nor a schema')
  const made = body.name ? undefined : await nameByModel(parts, asker, distilled)
  const description = body.description ?? made?.description ?? describe(distilled)
  const isPublic = body.is_public ?? false
  const model = writerOf(parts.intake.models, last.model)
  const writing = model === undefined ? null : writingBody({ model, distilled }, history)
  return makeNamed(parts, asker, { name: body.name, made, ...distilled }, async (name, reserveName) => {
    const files = distilledFiles(distilled, { name, description, isPublic })
    const checked = await refusedAt(['body', 'session_id'], checkBundle(parts, asker, { files }))
    const version = await keepZip(parts, asker, {
      ...{ name, description, isPublic, checked, sessionId },
      origin: 'session',
      status: 'pending',
    })
    const place = { workspaceId, id: version.id }
    await commitVersion(parts, { version, asker, action: 'skill.create' }, async (tx) => {
      await reserveName(tx)
      await insertVersion(tx, version)
      await writeProof(tx, place, { original_id: last.id, execution_id: null, agreement: null, disagreements: [] })
      await parts.queue.add(
        tx,
        proveTopic,
        firstProofJob({
          ...place,
          keyId: asker.keyId,
          writing,
          turns: turnsOf(distilled),
          example: last.turn === undefined ? null : exampleOf(last),
          describes: !body.description,
        }),
      )
    })
    return loadSkill(parts, place)
  })
}

/** The last request and answer, which prove the skill. */
function lastAsked<One>(
  asked: readonly One[],
  { history: { executions }, sessionId }: { history: SessionHistory; sessionId: string },
): One {
  if (executions.length === 0)
    throw new Fault(
      'missing',
      'unknown_session',
      `This workspace has no session ${JSON.stringify(sessionId.slice(0, 100))}`,
    )
  const last = asked.at(-1)
  if (last !== undefined) return last
  if (executions.some(({ status }) => status === 'completed'))
    throw undistillable('all its replies call tools of the caller, which a skill does not have')
  if (executions.some((one) => one.status !== 'failed'))
    throw new Fault(
      'conflict',
      'session_running',
      'No execution of the session has completed yet; try again when one has',
    )
  const why = executions.at(-1)?.failure
  throw undistillable(`none of its executions has completed${why ? `; the last one failed: ${why}` : ''}`)
}

/** Only messages of turns in the history: the others must not be kept. */
function keptOf(history: SessionHistory): SessionHistory {
  const ids = new Set(history.executions.map((one) => one.id))
  return { ...history, messages: history.messages.filter((one) => ids.has(one.executionId)) }
}

/** The system messages of the chat. */
const standingIn = ({ messages }: SessionHistory): readonly string[] =>
  messages.flatMap(({ message }) => (message.role === 'system' ? [message.text] : []))

const undistillable = (why: string) =>
  invalid(['body', 'session_id'], `The session cannot be made into a skill: ${why}`, {
    type: 'session_not_distillable',
  })

/** The instructions of the stored skills of an execution. Inline skills are gone. */
async function inheritedBy(
  parts: SkillParts,
  workspaceId: string,
  { config }: SessionExecution,
): Promise<readonly Inherited[]> {
  const entries = Array.isArray(config['skills']) ? config['skills'] : []
  const found: Inherited[] = []
  for (const entry of entries) {
    const id = isJsonObject(entry) ? entry['skill_id'] : undefined
    if (typeof id !== 'string') continue
    const skill = await loadSkill(parts, { workspaceId, id }).catch(() => undefined)
    if (!skill) continue
    const { instructions, schema } = skill.facts
    found.push({ name: skill.name, instructions, schema, isAboutExtraction: isAboutExtraction(skill.facts) })
  }
  return found
}
