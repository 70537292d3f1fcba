import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { queryBoolean } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { dollarsOf } from '../../core/money.ts'
import type { ExecutionInput } from '../inputs/inputs.ts'
import type { PinnedSkill } from '../skills/skills.ts'
import { withSkills } from './accept/request-skills.ts'
import type { Execution } from './execution.ts'
import { refuseUnretained } from './retention.ts'
import { approversOf } from './review-and-approval.ts'
import { loadOriginal } from './store/find-execution.ts'

const asked = z
  .looseObject({
    name: z.string(),
    model: z.string(),
    inputs: z.record(z.string(), z.unknown()),
    config: z.looseObject({ service_tier: z.string() }),
  })
  .meta({ id: 'ExecutionRequest' })

/** Reads back the request of an execution. */
export function askedRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/agent/executions/{id}/request',
      operation: 'getExecutionRequest',
      tag: 'executions',
      scope: 'read',
      summary: 'Get the request of an execution, as a body for POST /v1/agent/execute',
      params: z.object({ id: z.string() }),
      query: z.object({
        skill_schema: queryBoolean(
          false,
          'Whether config.json_schema has the schema of a skill where the request has none',
        ),
      }),
      reply: { status: 200, description: 'The request', schema: asked },
      failures: [404, 409],
      handle: async ({ db, caller, params, query }) => {
        const execution = await loadOriginal(db, { workspaceId: caller.workspaceId, id: params.id })
        refuseUnretained(execution)
        const { request } = execution
        const schema = query.skill_schema ? withSkills(request).schema : request.schema
        return { json: askedOf({ ...execution, request: { ...request, schema } }) }
      },
    }),
  ]
}

/** A body of POST /v1/agent/execute. */
export interface AskedBody extends JsonObject {
  readonly name: string
  readonly model: string
  readonly inputs: JsonObject
  readonly config: JsonObject & { readonly service_tier: string }
}

/** The body that repeats this execution. Spells out the defaults that the server filled in. */
export function askedOf({ name, model, tier, callbackUrl, request }: Execution): AskedBody {
  const read = request.inputs.map((input) => [input.name, itemOf(input, request.values)] as const)
  const {
    prompt,
    schema,
    pageIndices,
    frames,
    timeoutSeconds,
    maxSteps,
    maxWrongRate,
    tools,
    maxCostMicros,
    review,
    approval,
    baseExecution,
    metadata,
    skills = [],
  } = request
  return {
    name,
    model,
    inputs: { ...request.values, ...grouped(read) },
    config: {
      ...(prompt === '' ? {} : { prompt }),
      ...(schema === null ? {} : { json_schema: schema }),
      service_tier: tier,
      ...(pageIndices ? { page_indices: pageIndices } : {}),
      ...(frames ? { video_segment_duration: frames.segmentSeconds, video_frames_per_segment: frames.perSegment } : {}),
      ...(request.grounded ? { grounding: true } : {}),
      ...(request.caching ? {} : { caching: false }),
      ...(request.caching && request.cachingAsked ? { caching: true } : {}),
      ...(request.programAsked ? { execution_mode: 'program' } : {}),
      ...(request.path ? { path: request.path } : {}),
      ...(timeoutSeconds === null ? {} : { timeout_seconds: timeoutSeconds }),
      ...(maxSteps ? { max_steps: maxSteps } : {}),
      ...(maxWrongRate === undefined ? {} : { max_wrong_rate: maxWrongRate }),
      ...(review ? { review: { below: review.below, add_cases: review.addCases } } : {}),
      ...(approval
        ? {
            require_approval: {
              completion: approval.completion,
              tools: [...approval.tools],
              timeout_seconds: approval.timeoutSeconds,
              on_timeout: approval.onTimeout,
              approvers: [...approversOf(approval)],
            },
          }
        : {}),
      ...(baseExecution ? { base_execution: baseExecution } : {}),
      ...(tools ? { tool_names: tools } : {}),
      ...(skills.length > 0 ? { skills: skills.map(entryOf) } : {}),
      ...(request.publicScripts ? { allow_public_scripts: true } : {}),
      ...(maxCostMicros === null || maxCostMicros === undefined ? {} : { max_cost_dollars: dollarsOf(maxCostMicros) }),
    },
    ...(callbackUrl === null ? {} : { callback_url: callbackUrl }),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  }
}

/** An entry with the pinned version, or with the inline bundle. */
const entryOf = ({ id, name, description, skillVersion, inline }: PinnedSkill): Json =>
  inline === null
    ? { type: 'skill_reference', skill_id: id ?? name, skill_version: skillVersion }
    : { type: 'inline', name, description, source: { type: 'base64', media_type: 'application/zip', data: inline } }

/** A bare text is also a value. */
function itemOf({ name, modality, source, detail }: ExecutionInput, values: JsonObject): Json {
  if (source.kind === 'file') return { type: 'input_file', file_id: source.fileId }
  if (source.kind === 'text') return Object.hasOwn(values, name) ? source.text : textItem(source.text)
  switch (modality) {
    case 'image':
      return { type: 'image_url', image_url: { url: source.url, ...(detail ? { detail } : {}) } }
    case 'video':
      return { type: 'video_url', video_url: { url: source.url } }
    case 'audio':
      return { type: 'audio_url', audio_url: { url: source.url } }
    default:
      return { type: 'file_url', file_url: { url: source.url } }
  }
}

/** Joins the items of an array slot, `name/0`, `name/1` …; everything else stays a slot. */
function grouped(items: readonly (readonly [string, Json])[]): Record<string, Json> {
  const slotOf = (name: string): string | undefined => /^(.*)\/\d+$/.exec(name)?.[1]
  const bySlot = Object.entries(Object.groupBy(items, ([name]) => slotOf(name) ?? name))
  return Object.fromEntries(
    bySlot.flatMap(([slot, own = []]): [string, Json][] => {
      const isArray = own.every(([name], index) => name === `${slot}/${index}`)
      return isArray
        ? [[slot, own.map(([, item]) => (typeof item === 'string' ? textItem(item) : item))]]
        : [...own].map(([name, item]) => [name, item])
    }),
  )
}

/** Inside an array a text must be an item: an array with a bare text is plain JSON. */
const textItem = (text: string): Json => ({ type: 'text', text })
