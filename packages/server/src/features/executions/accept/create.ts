import { Fault } from '@skillrun/core/fault.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import type { FrameRequest } from '@skillrun/reader/media/timed/frame-times.ts'
import type { Caller } from '../../../adapters/http/route.ts'
import { invalid } from '../../../adapters/http/validation.ts'
import { ofShare } from '../../../adapters/process-pool/process-pool.ts'
import { skillLineBytesMax } from '../../../agent/enabled-skill.ts'
import { refuseBadSchema } from '../../../agent/schema/refuse-schema.ts'
import { microsOf } from '../../../core/money.ts'
import type { Agent } from '../../agents/agents.ts'
import { bodySha256 } from '../../idempotency/idempotency.ts'
import { readSlots } from '../../inputs/inputs.ts'
import { defaultModel, isSecondGeneration, type Models } from '../../models/models.ts'
import { tierOf } from '../../pricing/pricing.ts'
import { type PinnedSkill, resolveSkills, type SkillEntry } from '../../skills/skills.ts'
import type { ExecutionState } from '../execution.ts'
import type { ExecutionRequest } from '../execution-request.ts'
import { mayRetain } from '../retention.ts'
import { findExecution } from '../store/find-execution.ts'
import type { ExecuteRequest } from '../wire/request.ts'
import { acceptExecution, type CreateParts, ownIdOf } from './accept.ts'
import { approvalRuleOf } from './approval-rule.ts'
import { readBase } from './base-execution.ts'
import type { CreateCall } from './create-call.ts'
import { findFirst } from './idempotency.ts'
import type { Intake } from './intake.ts'
import { readMetadata } from './metadata.ts'
import { findNamedAgent, runAgentOf, withDefaultsOf } from './request-agent.ts'
import { firstOfPrograms, toolNames, toolsAskedFor, toolsetNames } from './toolsets.ts'

/**
 * Accepts an execution: validates everything it can, then writes the record and its job in one transaction. When this resolves, the
 * execution is durable. The same key with the same body returns the first execution.
 *
 * Throws ValidationFailures, and Faults `missing` (agent, file) and `conflict` (key with another body).
 */
export function createExecution(parts: CreateParts, call: CreateCall): Promise<ExecutionState> {
  const sameAs = call.sameAs ?? call.body
  return orFirstAnswer(parts, { call, sameAs }, () => acceptBody(parts, call))
}

async function acceptBody(parts: CreateParts, given: CreateCall): Promise<ExecutionState> {
  const { agent, body, request, route, chosenBy } = await prepare(parts, given)
  const call = { ...given, body }
  return acceptExecution(parts, call, {
    sameAs: call.sameAs ?? given.body,
    agent: agent && runAgentOf(agent),
    request: {
      ...request,
      ...(call.chat ? { chat: call.chat.turn } : {}),
      ...(call.transcription ? { transcription: true } : {}),
      ...(call.embedding ? { embedding: call.embedding } : {}),
    },
    model: route.model,
    modelChosenBy: chosenBy,
    tier: tierOf(body.config?.service_tier),
    sessionId: sessionOf(body),
    callbackUrl: body.callback_url ?? null,
  })
}

interface ChosenRoute {
  readonly route: ReturnType<Models['route']>
  /** Who chose the model identifier. */
  readonly chosenBy: 'request' | 'skill' | 'default'
}

/** A request that passed every check that needs no write. */
interface Prepared extends ChosenRoute {
  /** The agent that the body names, or the one with its prompt, if any. */
  readonly agent: Agent | undefined
  /** The body with the defaults of that agent. */
  readonly body: ExecuteRequest
  readonly request: ExecutionRequest
}

/**
 * Parses and validates a body without writing. Files are checked later, under their locks.
 *
 * Throws ValidationFailures, and a Fault `missing` for an unknown agent.
 */
export async function prepare(
  parts: CreateParts,
  given: Pick<CreateCall, 'caller' | 'body' | 'chat' | 'evaluationId' | 'signal'>,
): Promise<Prepared> {
  // Messages of a chat identify no agent.
  const agent = given.chat ? undefined : await findNamedAgent(parts, given)
  const body = agent ? withDefaultsOf(agent, given.body) : given.body
  refuseAbsentFeatures(parts.intake, body)
  const request = await readRequest(parts, { ...given, body })
  const chosen = routeOf(parts.intake, body, request)
  refuseToolsOfPrograms(body, chosen.route.model)
  // The baseline arm of an evaluation runs inputs without a skill.
  if (!given.chat && given.evaluationId === undefined) refuseNothingToDo(request)
  return { agent, body, request, ...chosen }
}

/** A request needs a prompt or a skill, or a schema for its inputs. An agent brings its own prompt. */
function refuseNothingToDo({ inputs, values, prompt, skills = [], schema }: ExecutionRequest): void {
  if (prompt !== '' || skills.length > 0) return
  if (inputs.length === 0 && Object.keys(values).length === 0)
    throw invalid(['body', 'inputs'], 'Give inputs, config.prompt or both', { type: 'missing' })
  if (schema === null)
    throw invalid(
      ['body', 'config', 'prompt'],
      'The request has inputs but no task: give config.prompt, config.json_schema, config.skills, or the name of an agent in name',
      { type: 'missing' },
    )
}

/** The route of the body's model, or of the first skill that names one, or of the default. Throws ValidationFailures. */
function routeOf(
  { models }: Intake,
  body: ExecuteRequest,
  { skills = [] }: Pick<ExecutionRequest, 'skills'>,
): ChosenRoute {
  const at = skills.findIndex((skill) => skill.model !== null)
  const { name, model = null } = skills[at] ?? {}
  if (body.model) return { route: models.route(body.model), chosenBy: 'request' }
  if (model === null) return { route: models.route(defaultModel), chosenBy: 'default' }
  try {
    return { route: models.route(model), chosenBy: 'skill' }
  } catch {
    throw invalid(
      ['body', 'config', 'skills', at],
      `The skill ${JSON.stringify(name)} requires the model ${JSON.stringify(model)}, which this server does not have; choose another with model`,
      { type: 'unknown_model' },
    )
  }
}

/**
 * Calls `accept`. When that refuses the call, returns the execution of its idempotency key if there is one: the first answer stands even
 * after its skill or agent was deleted.
 */
export async function orFirstAnswer(
  { db }: CreateParts,
  { call, sameAs }: { call: CreateCall; sameAs: object },
  accept: () => Promise<ExecutionState>,
): Promise<ExecutionState> {
  try {
    return await accept()
  } catch (error) {
    const { workspaceId } = call.caller
    const keys = { id: ownIdOf(call.body) ?? call.body.id ?? undefined, header: call.idempotencyKey }
    if (!keys.id && !keys.header) throw error
    // Something now missing may have existed when the key was used with another body, so report that conflict first.
    const asked = { ...keys, workspaceId, bodySha256: await bodySha256(sameAs), refusesOthers: error instanceof Fault }
    const first = await findFirst(db, asked)
    const existing = first === undefined ? undefined : await findExecution(db, { workspaceId, id: first })
    if (!existing) throw error
    return existing
  }
}

/** Segments of ten seconds with one image each, for the values that the caller leaves out. */
function framesOf(config: NonNullable<ExecuteRequest['config']>): FrameRequest | null {
  const { video_segment_duration: segmentSeconds, video_frames_per_segment: perSegment } = config
  if (!segmentSeconds && !perSegment) return null
  return { segmentSeconds: segmentSeconds ?? 10, perSegment: perSegment ?? 1 }
}

export const sessionOf = (body: ExecuteRequest): string | null => {
  const { session_id } = readMetadata(body)
  return typeof session_id === 'string' ? session_id : null
}

/** The request of a body. `beside`: there are documents already, so a short text is an instruction. */
export async function readRequest(
  parts: CreateParts,
  { caller, body, signal }: Pick<CreateCall, 'caller' | 'body' | 'signal'>,
  options: { beside: boolean } = { beside: false },
): Promise<ExecutionRequest> {
  const config = body.config ?? {}
  const metadata = readMetadata(body)
  const slots = readSlots((body.inputs ?? {}) as Record<string, unknown>, options)
  const schema = (config.json_schema ?? config.response_model ?? null) as JsonSchema | null
  if (schema !== null)
    await refuseBadSchema(ofShare(parts.intake.processPool, { group: caller.workspaceId, rank: 1 }), {
      schema,
      loc: ['body', 'config', config.json_schema ? 'json_schema' : 'response_model'],
      signal,
    })
  return {
    inputs: slots.inputs,
    values: slots.values,
    prompt: [config.prompt ?? '', ...slots.instructions].filter(Boolean).join('\n'),
    schema,
    // Some clients send an empty list for all pages.
    pageIndices: config.page_indices?.length ? config.page_indices : null,
    frames: framesOf(config),
    grounded: Boolean(config.grounding || config.confidence),
    // Without retention there is no caching either.
    caching: (config.caching ?? true) && mayRetain({ metadata }),
    ...(config.caching === true ? { cachingAsked: true } : {}),
    programAsked: (config.execution_mode ?? config.mode) === 'program',
    ...(config.path ? { path: config.path } : {}),
    timeoutSeconds: config.timeout_seconds ?? null,
    maxSteps: config.max_steps ?? null,
    ...(config.max_wrong_rate === undefined ? {} : { maxWrongRate: config.max_wrong_rate }),
    ...(config.require_approval ? { approval: approvalRuleOf(config.require_approval) } : {}),
    ...(config.review ? { review: { below: config.review.below, addCases: config.review.add_cases ?? false } } : {}),
    ...(config.base_execution
      ? { baseExecution: await readBase(parts.db, { workspaceId: caller.workspaceId, id: config.base_execution }) }
      : {}),
    tools: toolsAskedFor(body, parts.intake.extraTools),
    maxCostMicros: microsOf(config.max_cost_dollars ?? null),
    metadata,
    publicScripts: config.allow_public_scripts ?? false,
    skills: await pinSkills(parts, { caller, entries: config.skills ?? [], signal }),
  }
}

/** The current skills of a body. A model could not tell two of the same name apart. */
async function pinSkills(
  parts: CreateParts,
  { caller, entries, signal }: { caller: Caller; entries: readonly SkillEntry[]; signal: AbortSignal },
): Promise<readonly PinnedSkill[]> {
  if (entries.length === 0) return []
  const loc = ['body', 'config', 'skills']
  const processPool = ofShare(parts.intake.processPool, { group: caller.workspaceId, rank: 1 })
  const skills = await resolveSkills(
    { db: parts.db, processPool },
    { workspaceId: caller.workspaceId, entries, loc, signal },
  )
  const again = skills.findIndex(({ name }, at) => skills.findIndex((one) => one.name === name) < at)
  if (again >= 0)
    throw invalid([...loc, again], `The skill ${JSON.stringify(skills[again]?.name)} is enabled twice`, {
      type: 'duplicate_skill',
    })
  const names = toolNamesOf(parts.intake)
  for (const [at, { name, requireApproval }] of skills.entries()) {
    const unknown = requireApproval?.tools.find((tool) => !names.includes(tool))
    if (unknown !== undefined)
      throw invalid(
        [...loc, at],
        `The skill ${JSON.stringify(name)} requires an approval of the tool ${JSON.stringify(unknown)}, which this server does not have; it has ${names.join(', ')}`,
        { type: 'unknown_tool' },
      )
  }
  return skills.map(withShortDescription)
}

/** Keep as much of a stored skill's description as a prompt shows: long descriptions would slow down each read of the request. */
const withShortDescription = (skill: PinnedSkill): PinnedSkill =>
  skill.id === null || skill.description.length <= skillLineBytesMax
    ? skill
    : { ...skill, description: [...skill.description].slice(0, skillLineBytesMax).join('') }

/** The server's own tools, and those of its operator. */
const toolNamesOf = ({ extraTools = [] }: Intake): readonly string[] => [
  ...toolNames,
  ...extraTools.map(({ name }) => name),
]

/** Refuse features of the wire format that this version lacks: ignoring them silently would mislead the caller. */
export function refuseAbsentFeatures(intake: Intake, body: ExecuteRequest): void {
  const refuse = (at: (string | number)[], given: string | undefined, expected: readonly string[], message: string) => {
    throw invalid(at, message, { type: 'enum', input: given ?? null, ctx: { expected: expected.join(', ') } })
  }
  const names = toolNamesOf(intake)
  const { tool_names: named, require_approval: approval } = body.config ?? {}
  const refuseUnknownTools = (given: readonly string[] | null | undefined, at: readonly string[]) => {
    const unknown = given?.findIndex((name) => !names.includes(name)) ?? -1
    if (unknown >= 0)
      refuse(
        ['body', 'config', ...at, unknown],
        given?.[unknown],
        names,
        `Input should be one of ${names.map((name) => `'${name}'`).join(', ')}`,
      )
  }
  refuseUnknownTools(named, ['tool_names'])
  if (typeof approval === 'object') refuseUnknownTools(approval?.tools, ['require_approval', 'tools'])
  const wanted = body.toolsets ?? []
  const sets = toolsetNames(intake.extraTools)
  const unknownSet = wanted.findIndex((name) => !sets.includes(name))
  if (unknownSet >= 0)
    refuse(
      ['body', 'toolsets', unknownSet],
      wanted[unknownSet],
      sets,
      `Input should be a toolset of this server: ${sets.join(', ')}`,
    )
}

/** Tools that only programs can call are useless to a model that writes no program. */
function refuseToolsOfPrograms(body: ExecuteRequest, model: string): void {
  const first = isSecondGeneration(model) ? undefined : firstOfPrograms(body)
  if (first)
    throw invalid(
      ['body', ...first.loc],
      `${first.name} can only be used by programs, which svc-agent-2 models write; choose svc-agent-2 as the model, or remove the tool`,
      { type: 'tool_of_programs', input: first.name },
    )
}
