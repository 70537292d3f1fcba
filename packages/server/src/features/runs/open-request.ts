import type { ModelRequest } from '../../adapters/models/model.ts'
import { conversationOpening } from '../../agent/conversation.ts'
import { documentTextJob } from '../../agent/document-text.ts'
import { type EnabledSkill, skillsInFull, skillsText } from '../../agent/enabled-skill.ts'
import { tokensOf } from '../../agent/fit-context.ts'
import { type OpeningContents, openingOf } from '../../agent/opening.ts'
import { specOf, type Tool, wireName } from '../../agent/tool.ts'
import { limits } from '../../core/limits.ts'
import { skillsRead } from '../../tools/skills-read/skills-read.ts'
import { refuseLong } from './chat-turn.ts'
import { scopeOf, tierOfProvider } from './model-of-run.ts'
import type { EngineParts, ModelEngine } from './parts.ts'
import { showInputs } from './reading/page-images.ts'
import { type ParsedInput, packedOf } from './reading/read-inputs.ts'
import type { Run } from './run-state.ts'

/** The question of the first turn; see `openingOf`. */
export async function openRequest(
  parts: EngineParts,
  run: Run,
  from: {
    engine: ModelEngine
    parsedInputs: readonly ParsedInput[]
    tools: readonly Tool[]
    skills: readonly EnabledSkill[]
  },
): Promise<ModelRequest> {
  const { facts } = from.engine
  const { request } = run.execution
  const asMany = request.chat?.outputTokensMax ?? facts.outputTokensMax
  const outputTokensMax = Math.min(asMany, facts.outputTokensMax, Math.floor(facts.contextTokens / 4))
  const specs = from.tools.map(specOf)
  const documents = packedOf(from.parsedInputs)
  const named = new Set(documents.map((one) => one.input))
  // A text slot is a document already.
  const values = Object.fromEntries(Object.entries(request.values).filter(([slot]) => !named.has(slot)))
  const skills = facts.callsTools
    ? skillsText(from.skills, { readTool: wireName(skillsRead) })
    : await skillsInFull(from.skills, run.signal)
  const taken = tokensOf(JSON.stringify([specs, request.schema, request.chat ?? request.prompt, values, skills]))
  // Documents get half of the remaining room; tools can read the rest.
  const room = Math.max(0, facts.contextTokens - outputTokensMax - taken)
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal }
  const asked = { documents, charactersMax: Math.floor(room * 1.5) }
  const texts = documents.length === 0 ? [] : await parts.processPool.run(documentTextJob, asked, terms)
  const opening: OpeningContents = {
    skills,
    documents: texts,
    shown: await showInputs(parts, run, { texts, parsedInputs: from.parsedInputs, facts }),
    scope: scopeOf(parts, run.execution),
    values,
    prompt: request.prompt,
    schema: request.schema,
    tools: specs,
    outputTokensMax,
    wallMs: parts.models.wallMs,
  }
  const tier = tierOfProvider(run.execution)
  if (!request.chat) return { ...openingOf(opening), ...tier }
  const conversation = conversationOpening(request.chat, opening)
  refuseLong(conversation, facts.contextTokens)
  return { ...conversation, ...tier }
}
