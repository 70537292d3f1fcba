import { textOfSaid } from '../../agent/conversation.ts'
import { Fault } from '../../kit/fault.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kit/json.ts'
import { limits } from '../../kit/limits.ts'
import type { Workshop } from '../../seams/workshop/workshop.ts'
import type { SessionHistory } from '../chat/chat.ts'
import type { Models } from '../models/models.ts'
import { bundleTerms, type CheckedBundle, reviseBundleJob } from './bundle.ts'
import type { Distilled } from './distil.ts'
import type { SkillVersion } from './skill.ts'

/** Of a session's history as a model is shown it: its end, which says most. */
const historyCharactersMax = 40_000
const responseCharactersMax = 2_000

const task = `Write the instructions of a skill: what somebody who never saw this session must know to do the same work on other inputs.
Keep every rule that was asked for, in the user's own words where they matter, and what was corrected on the way. Leave out whatever belongs to one input alone: its names, numbers, dates.
Do not describe the schema of the answer; it goes along. Write Markdown, addressed to whoever does the work.`

const schema: JsonObject = {
  type: 'object',
  properties: {
    description: { type: 'string', description: 'One or two sentences: what the skill does and when to use it' },
    instructions: { type: 'string', description: 'The instructions, in Markdown' },
  },
  required: ['description', 'instructions'],
  additionalProperties: false,
}

/**
 * The model that is to write: the preferred one where a language model answers it, else the stronger one of its family. One of the
 * first generation where there is one: the second would write a program that writes.
 */
export function writerOf(models: Models, preferred: string): string | undefined {
  const family = preferred.split(':')[0] ?? preferred
  const [first, second] = [preferred, `${family}:pro`]
  const isFirst = !preferred.startsWith('svc-agent-2')
  const known = [...(isFirst ? [first, second] : []), 'svc-agent-1:pro', 'svc-agent-1:fast', first, second]
  return known.find((name) => {
    try {
      return models.route(name).fixed?.kind === 'model'
    } catch {
      return false
    }
  })
}

/** The request that asks a model for instructions: a draft by rule, and what was said and answered. */
export function writingBody(
  of: { model: string; distilled: Distilled },
  { messages, executions }: SessionHistory,
): JsonObject {
  const said = messages.map(({ said: one }) => `${one.role}: ${textOfSaid(one)}`)
  const done = executions
    .filter((one) => one.status === 'completed')
    .map(({ config, response }) => {
      const answer = JSON.stringify(response).slice(0, responseCharactersMax)
      return `asked: ${typeof config['prompt'] === 'string' ? config['prompt'] : '(nothing in words)'}\nanswered: ${answer}`
    })
  const history = (said.length > 0 ? said : done).join('\n\n').slice(-historyCharactersMax)
  return {
    model: of.model,
    inputs: {
      draft: { type: 'text', text: of.distilled.instructions },
      history: { type: 'text', text: history },
    },
    config: { prompt: task, json_schema: schema, tool_names: [] },
  }
}

/** The draft with the instructions that a model wrote; undefined for a response that holds none. */
export async function withWritten(
  { workshop }: { workshop: Workshop },
  of: { version: SkillVersion; path: string; response: Json; describes: boolean; signal: AbortSignal },
): Promise<CheckedBundle | undefined> {
  const { response } = of
  const text = (key: string) => {
    const value = isJsonObject(response) ? response[key] : undefined
    return typeof value === 'string' && value.trim() !== '' && !value.includes('\u0000') ? value.trim() : undefined
  }
  const instructions = text('instructions')
  if (instructions === undefined) return undefined
  const description = of.describes ? (text('description') ?? null) : null
  const changes = {
    path: of.path,
    prompt: instructions.slice(0, limits.promptCharactersMax),
    description: description?.slice(0, limits.skillDescriptionCharactersMax) ?? null,
    schema: null,
  }
  return workshop.run(reviseBundleJob, changes, { ...bundleTerms, signal: of.signal }).catch((error: unknown) => {
    // A draft that holds is better than words that do not.
    if (error instanceof Fault && !error.retryable) return undefined
    throw error
  })
}
