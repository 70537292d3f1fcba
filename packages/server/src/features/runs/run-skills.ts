import { Fault } from '@skillrun/core/fault.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import { needsModel, refuseOtherWork } from '@skillrun/reader/extract/needs-model.ts'
import type { Wanted } from '@skillrun/reader/fields/instruction.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { type ChatTurn, messageText } from '../../agent/conversation.ts'
import type { EnabledSkill, SkillContents } from '../../agent/enabled-skill.ts'
import { withHints } from '../../agent/schema/schema-hints.ts'
import type { Tool } from '../../agent/tool.ts'
import { type Execution, type ExecutionRequest, toolsetNames } from '../executions/executions.ts'
import type { InputStorage } from '../inputs/inputs.ts'
import { evalsFolder, type LoadParts, loadBundle, type PinnedSkill } from '../skills/skills.ts'

/** Toolsets that skills name and this server lacks, in words; undefined if there are none. */
export function missingToolsets(skills: readonly PinnedSkill[], extra: readonly Tool[] = []): string | undefined {
  const there = toolsetNames(extra)
  const missing = [...new Set(skills.flatMap((skill) => skill.toolsets ?? []))].filter((name) => !there.includes(name))
  return missing.length === 0
    ? undefined
    : `A skill requires toolsets that this server does not have: ${missing.join(', ')}`
}

/** Dependencies of loading bundles. */
export const bundlesOf = ({
  storage,
  processPool,
}: {
  storage: Pick<InputStorage, 'blobs'>
  processPool: ProcessPool
}): LoadParts => ({
  blobs: storage.blobs,
  processPool,
})

/** The pinned skills of a run; each bundle is loaded on first use. */
export function enabledSkills(
  parts: LoadParts,
  of: { workspaceId: string; request: Pick<ExecutionRequest, 'skills' | 'publicScripts'> },
): readonly EnabledSkill[] {
  return (of.request.skills ?? []).map((pinned) => {
    let loading: Promise<SkillContents> | undefined
    return {
      name: pinned.name,
      description: pinned.description,
      mayRunScripts: !pinned.isForeign || of.request.publicScripts === true,
      load(signal) {
        loading ??= loadBundle(parts, { workspaceId: of.workspaceId, pinned, signal }).then(withoutCases)
        return loading
      },
    }
  })
}

/** A bundle without the answers of its cases: an agent that can read them proves nothing in an evaluation. */
const withoutCases = (bundle: SkillContents): SkillContents => ({
  ...bundle,
  files: bundle.files.filter(({ path }) => !path.startsWith(evalsFolder)),
})

/** The program that bundles of the closed service bring. */
const pipelineFile = 'pipeline.py'

/**
 * Fault `unsupported_pipeline` when program mode is asked for and a skill brings its own program: a program of this server would silently
 * replace it.
 */
export async function refusePipelines(
  parts: LoadParts,
  execution: Pick<Execution, 'workspaceId' | 'request'>,
  signal: AbortSignal,
): Promise<void> {
  if (!execution.request.programAsked) return
  for (const skill of enabledSkills(parts, execution)) {
    const { files } = await skill.load(signal)
    if (files.some(({ path }) => path === pipelineFile))
      throw new Fault(
        'unsupported',
        'unsupported_pipeline',
        `The skill ${JSON.stringify(skill.name)} brings its own program, ${pipelineFile}, which this server cannot run: it is written for the vlmrun module of another service. Leave out execution_mode and mode: then the instructions and the schema of the skill apply`,
      )
  }
}

/** The task of the embedded engine: a schema to fill, or without one the document's own fields. */
export interface ReadingTask {
  readonly schema: JsonSchema | null
  readonly wanted: Wanted
}

/**
 * The request of an execution as a task for the embedded engine, with what its skills' instructions say about fields of the schema. Throws
 * Fault `needs_model` when the prompt, a skill or a chat message asks for anything else, and Faults when a bundle is gone.
 */
export async function readingTask(
  parts: LoadParts,
  execution: Pick<Execution, 'workspaceId' | 'request'>,
  signal: AbortSignal,
): Promise<ReadingTask> {
  const { schema, prompt, inputs, values, chat } = execution.request
  const skills = await Promise.all(
    enabledSkills(parts, execution).map(async (skill) => ({ name: skill.name, ...(await skill.load(signal)) })),
  )
  if (chat && chat.functionChoice !== 'auto')
    throw needsModel('A reply that must call one of your tools needs a language model.')
  if (chat && schema === null && hasNoDocument(inputs))
    throw needsModel('There is no document, and a conversation without one needs a language model.')
  const wanted = refuseOtherWork({
    texts: [{ where: 'the prompt', text: prompt }, ...(chat ? otherMessages(chat) : [])],
    skills,
    schema,
    inputs: [...inputs.map(({ name }) => name), ...Object.keys(values)],
  })
  const instructions = skills.map((one) => one.instructions).join('\n\n')
  return { schema: schema === null ? null : withHints(schema, instructions), wanted }
}

/** Whether a chat came without documents: with a schema, its last user message is then read as one. */
export const hasNoDocument = (inputs: ExecutionRequest['inputs']): boolean =>
  inputs.every(({ source }) => source.kind === 'text')

/** The messages of a chat besides the last: system messages, and the user's since the last reply. */
function otherMessages({ messages }: ChatTurn): { where: string; text: string }[] {
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant')
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return messages.flatMap((message, index) => {
    if (message.role === 'system') return [{ where: 'the system message', text: messageText(message) }]
    if (message.role === 'user' && index > lastReply && index < last)
      return [{ where: 'a message', text: messageText(message) }]
    return []
  })
}
