import { tierOf } from '../../pricing/pricing.ts'
import type { ExecutionState } from '../execution.ts'
import type { ExecutionRequest } from '../execution-request.ts'
import { refuseUnretained } from '../retention.ts'
import { loadOriginal } from '../store/find-execution.ts'
import type { ExecuteRequest } from '../wire/request.ts'
import { acceptExecution, type CreateParts } from './accept.ts'
import { orFirstAnswer, readRequest, refuseAbsentFeatures, sessionOf } from './create.ts'
import type { CreateCall } from './create-call.ts'
import { findNamedAgent, runAgentOf, withDefaultsOf } from './request-agent.ts'

type Config = NonNullable<ExecuteRequest['config']>

/** The fields of `config` that override each part of a request: without any of them, the part stays unchanged. */
const spokenFor: Readonly<
  Record<
    Exclude<
      keyof ExecutionRequest,
      'inputs' | 'values' | 'metadata' | 'chat' | 'transcription' | 'embedding' | 'holdNotice'
    >,
    readonly (keyof Config)[]
  >
> = {
  prompt: ['prompt'],
  schema: ['json_schema', 'response_model'],
  pageIndices: ['page_indices'],
  frames: ['video_segment_duration', 'video_frames_per_segment'],
  grounded: ['grounding', 'confidence'],
  caching: ['caching'],
  cachingAsked: ['caching'],
  programAsked: ['execution_mode', 'mode'],
  path: ['path'],
  timeoutSeconds: ['timeout_seconds'],
  maxSteps: ['max_steps'],
  maxWrongRate: ['max_wrong_rate'],
  review: ['review'],
  baseExecution: ['base_execution'],
  approval: ['require_approval'],
  tools: ['tool_names', 'tools_type'],
  maxCostMicros: ['max_cost_dollars'],
  skills: ['skills'],
  publicScripts: ['allow_public_scripts'],
}

/** Fields of `config` for which null is a value. */
const meansNull: ReadonlySet<string> = new Set<keyof Config>(['max_wrong_rate'])

/** Whether a request gives this field of `config`. Null means that it does not, except where null is a value. */
export const isGiven = (field: string, value: unknown): boolean =>
  value !== undefined && (value !== null || meansNull.has(field))

/**
 * Creates an execution from the request of execution `id` and the overrides in `body`: fields of `config` and `metadata` one by one, inputs
 * slot by slot (null removes a slot). A name or a prompt chooses the agent anew. The first execution does not change.
 *
 * Throws as `createExecution` does, and Fault `missing` for an id that this workspace does not have.
 */
export function rerunExecution(parts: CreateParts, call: CreateCall & { id: string }): Promise<ExecutionState> {
  const sameAs = { rerun: call.id.toLowerCase(), body: call.body }
  return orFirstAnswer(parts, { call, sameAs }, () => acceptRerun(parts, call))
}

async function acceptRerun(parts: CreateParts, given: CreateCall & { id: string }): Promise<ExecutionState> {
  // Another agent brings its own defaults except inputs: those of the first execution stay.
  const other = given.body.name ? await findNamedAgent(parts, given) : undefined
  const call = other ? { ...given, body: withDefaultsOf({ ...other, inputs: null }, given.body) } : given
  const { body, caller } = call
  const first = await loadOriginal(parts.db, { workspaceId: caller.workspaceId, id: call.id })
  refuseUnretained(first)
  const route = parts.intake.models.route(body.model ?? first.model)
  refuseAbsentFeatures(parts.intake, body)
  const kept = withoutSlots(first.request, Object.keys(body.inputs ?? {}))
  const asked = await readRequest(parts, call, { beside: kept.inputs.length > 0 })
  const request = merged(other ? { ...kept, prompt: '', schema: null } : kept, asked, body)
  const agent = { id: first.agentId, name: first.name, prompt: '', schema: null }
  return acceptExecution(parts, call, {
    sameAs: { rerun: first.id, body: given.body },
    request,
    model: route.model,
    modelChosenBy: body.model ? 'request' : first.modelChosenBy,
    tier: body.config?.service_tier ? tierOf(body.config.service_tier) : first.tier,
    sessionId: sessionOf(body) ?? first.sessionId,
    callbackUrl: body.callback_url ?? first.callbackUrl,
    ...(other ? { agent: runAgentOf(other) } : body.config?.prompt ? {} : { agent }),
  })
}

/** A request without what these slots contributed. */
function withoutSlots(request: ExecutionRequest, slots: readonly string[]): ExecutionRequest {
  const isOf = (name: string) => slots.some((slot) => name === slot || name.startsWith(`${slot}/`))
  return {
    ...request,
    inputs: request.inputs.filter((input) => !isOf(input.name)),
    values: Object.fromEntries(Object.entries(request.values).filter(([slot]) => !slots.includes(slot))),
  }
}

export function merged(
  first: ExecutionRequest,
  asked: ExecutionRequest,
  { config, metadata, toolsets }: ExecuteRequest,
): ExecutionRequest {
  const given = Object.entries(spokenFor)
    .filter(([, fields]) => fields.some((field) => isGiven(field, config?.[field])))
    .map(([part]) => part as keyof typeof spokenFor)
  // Another prompt is another question: no turn of the chat any more, no transcription and no embedding.
  const { chat, transcription, embedding, holdNotice: _, ...rest } = first
  const isSameTask = !given.includes('prompt') && !given.includes('schema')
  return {
    ...rest,
    ...(chat && !given.includes('prompt') ? { chat } : {}),
    ...(transcription && isSameTask ? { transcription } : {}),
    ...(embedding && isSameTask ? { embedding } : {}),
    ...Object.fromEntries(given.map((part) => [part, asked[part]])),
    ...(toolsets ? { tools: asked.tools ?? null } : {}),
    // Instructions among the new inputs add to the existing prompt.
    prompt: given.includes('prompt') ? asked.prompt : [first.prompt, asked.prompt].filter(Boolean).join('\n'),
    inputs: [...first.inputs, ...asked.inputs],
    values: { ...first.values, ...asked.values },
    metadata: metadata ? { ...first.metadata, ...asked.metadata } : first.metadata,
  }
}
