import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import {
  type ExecutionState,
  executionKey,
  executionRecord,
  hasEnded,
  loadExecution,
  readOnce,
  recordOf,
  waitForEnd,
} from '../executions/executions.ts'
import { followProgress } from './progress.ts'
import { artifactUri } from './resources.ts'
import { type McpCall, type McpToolOutput, mcpTool } from './tool.ts'

/** Seconds that `run` waits: below the 60 seconds after which many clients give up a request. */
const defaultWaitSeconds = 45
const waitSecondsMax = 600

const waitSeconds = z
  .number()
  .min(0)
  .max(waitSecondsMax)
  .default(defaultWaitSeconds)
  .describe('How long to wait for the end. If it takes longer, the reply has the current status: call wait with the id')
const executionId = z.string().min(1).max(100).describe('Id of the execution, as run returned it')

const shared = {
  inputs: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Inputs by a name of your choice. Each is a text, an http(s) URL, a data URL, {"file_id": "…"} of an uploaded file, or any JSON value; {"path": "…"} names a file of this computer and works through `skillrun mcp` only. Use an array for several documents',
    ),
  model: z.string().max(255).optional().describe('Model identifier; default: the one of the skill or the server'),
  session_id: z.string().max(255).optional().describe('Groups executions and their artifacts'),
  request_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('An id that you choose. Repeating a call with the same id and arguments returns the first execution'),
  wait_seconds: waitSeconds,
}
const prompt = z.string().max(200_000).optional().describe('What to do with the inputs')
const schema = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('JSON Schema of the answer. Name the fields that you want; allow null for what may be absent')
const skill = z.string().min(1).max(500).describe('A name or name:version from list_skills')

const runInput = z.strictObject({
  prompt,
  json_schema: schema,
  skill: skill.optional(),
  ...shared,
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Further fields of `config` of POST /v1/agent/execute, such as max_cost_dollars or page_indices'),
})
const runSkillInput = z.strictObject({ skill, prompt, ...shared })

/** An execution as tools return it; `evidence` has its own tool. */
const executionOutput = executionRecord
  .pick({
    id: true,
    name: true,
    status: true,
    response: true,
    reviewed_response: true,
    error: true,
    completeness: true,
    warnings: true,
    model: true,
    session_id: true,
    created_at: true,
    completed_at: true,
  })
  .extend({
    cost_dollars: z.number().nullable(),
    artifacts: z.array(
      z.object({ id: z.string(), filename: z.string(), content_type: z.string(), bytes: z.int(), uri: z.string() }),
    ),
    hint: z.string().optional().describe('What to do next'),
  })

export const runAgentTool = mcpTool({
  name: 'run',
  title: 'Run an agent on documents and other media',
  description:
    'Runs an agent on inputs and returns the execution with its response. Give a prompt, a JSON Schema of the answer, a skill, or several of them. Use it to extract fields from invoices, forms and reports, or to answer questions about files. Waits up to wait_seconds; an unfinished execution continues, and `wait` with its id returns the result. `evidence` says where each value was found.',
  input: runInput,
  output: executionOutput,
  isReadOnly: false,
  run: (input, call) => runAndWait(bodyOf(input), input.wait_seconds, call),
  begin: (input, call) => beginExecution(bodyOf(input), call),
})

export const runSkillTool = mcpTool({
  name: 'run_skill',
  title: 'Run a skill',
  description:
    'Runs a skill of the server on inputs. The skill brings its instructions, its schema of the answer and its scripts. list_skills names the skills. Otherwise the same as `run`.',
  input: runSkillInput,
  output: executionOutput,
  isReadOnly: false,
  run: (input, call) => runAndWait(bodyOf(input), input.wait_seconds, call),
  begin: (input, call) => beginExecution(bodyOf(input), call),
})

export const getExecutionTool = mcpTool({
  name: 'get_execution',
  title: 'Get an execution',
  description: 'Returns the current status of an execution and, once it has ended, its response and artifacts.',
  input: z.strictObject({ id: executionId }),
  output: executionOutput,
  isReadOnly: true,
  async run({ id }, call) {
    const { json } = await call.route('getExecution', { params: { id } })
    return outputOf(json as ExecutionJson, call)
  },
})

export const waitTool = mcpTool({
  name: 'wait',
  title: 'Wait for an execution',
  description:
    'Waits until an execution has completed, failed or paused, at most wait_seconds, and returns it. Call it again while the status is pending, enqueued or running.',
  input: z.strictObject({ id: executionId, wait_seconds: waitSeconds }),
  output: executionOutput,
  isReadOnly: true,
  async run({ id, wait_seconds: seconds }, call) {
    // Checks the scope: `read`.
    await call.route('listExecutionEvents', { params: { id }, headers: { accept: 'application/json' } })
    return settled(await stateOf(id, call), seconds, call)
  },
})

type RunInput = z.infer<typeof runInput> | z.infer<typeof runSkillInput>

/** The arguments of a tool as a body of POST /v1/agent/execute. */
function bodyOf(input: RunInput): object {
  const { inputs, prompt, skill, model, session_id: session, request_id: id } = input
  const more = 'config' in input ? (input.config ?? {}) : {}
  const schema = 'json_schema' in input ? input.json_schema : undefined
  return {
    batch: true,
    ...(id === undefined ? {} : { id }),
    ...(model === undefined ? {} : { model }),
    ...(session === undefined ? {} : { metadata: { session_id: session } }),
    ...(inputs === undefined
      ? {}
      : { inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, inputOf(value, name)])) }),
    config: {
      ...more,
      ...(prompt === undefined ? {} : { prompt }),
      ...(schema === undefined ? {} : { json_schema: schema }),
      ...(skill === undefined ? {} : { skills: [{ skill_id: skill }] }),
    },
  }
}

function inputOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => inputOf(item, name))
  const keys = isJsonObject(value) ? Object.keys(value) : []
  if (!isJsonObject(value) || keys.length !== 1) return value
  if (typeof value['file_id'] === 'string') return { type: 'input_file', file_id: value['file_id'] }
  if (typeof value['path'] === 'string')
    throw new Fault(
      'invalid',
      'no_local_files',
      `inputs.${name}: the server cannot read ${JSON.stringify(value['path'].slice(0, 200))} of your computer. Connect through "skillrun mcp", which uploads it, or give a URL, a data URL or a file_id`,
    )
  return value
}

async function beginExecution(body: object, call: McpCall): Promise<string> {
  const { json } = await call.route('executeAgent', { body })
  return (json as ExecutionJson).id
}

async function runAndWait(body: object, seconds: number, call: McpCall): Promise<McpToolOutput> {
  return settled(await stateOf(await beginExecution(body, call), call), seconds, call)
}

const stateOf = (id: string, { db, caller }: McpCall): Promise<ExecutionState> =>
  loadExecution({ db }, { workspaceId: caller.workspaceId, id })

/** The execution at its end or pause, or its state after `seconds`. */
async function settled(execution: ExecutionState, seconds: number, call: McpCall): Promise<McpToolOutput> {
  const stopProgress = followProgress(call, execution.id)
  try {
    return await resultOf(await waitForEnd(call, execution, { waitMs: seconds * 1000, signal: call.signal }), call)
  } finally {
    stopProgress()
  }
}

/** The result of a task: waits for the end of its execution, however long that takes. */
export async function taskResult(id: string, call: McpCall): Promise<McpToolOutput> {
  const stopProgress = followProgress(call, id)
  try {
    for (;;) {
      const execution = await stateOf(id, call)
      if (hasEnded(execution.status)) return await resultOf(execution, call)
      await call.endings.wait(executionKey(execution), taskLookMs, call.signal)
      call.signal.throwIfAborted()
    }
  } finally {
    stopProgress()
  }
}

/** A paused execution may wait for long: poll it at this interval, in addition to notifications. */
const taskLookMs = 5_000

const resultOf = async (execution: ExecutionState, call: McpCall): Promise<McpToolOutput> =>
  outputOf(recordOf(await readOnce(call, execution)), call)

type ExecutionJson = z.infer<typeof executionRecord>

async function outputOf(record: ExecutionJson, call: McpCall): Promise<McpToolOutput> {
  const { id, status } = record
  const artifacts = hasEnded(status) ? await artifactsOf(id, call) : []
  const hint = hintOf(record)
  return {
    structured: {
      ...Object.fromEntries(
        Object.keys(executionOutput.shape).map((name) => [name, (record as Record<string, unknown>)[name]]),
      ),
      response: record.response ?? null,
      reviewed_response: record.reviewed_response ?? null,
      cost_dollars: record.usage.cost_dollars,
      artifacts: artifacts.map(({ uri, size, mimeType, name, id }) => ({
        id,
        filename: name,
        content_type: mimeType,
        bytes: size,
        uri,
      })),
      ...(hint === undefined ? {} : { hint }),
    },
    links: artifacts.map(({ id: _id, ...link }) => link),
    isFailure: status === 'failed',
  }
}

function hintOf({ id, status, response }: ExecutionJson): string | undefined {
  if (status === 'paused') return 'The execution is paused, until a person or a larger budget resumes it'
  if (!hasEnded(status)) return `The execution continues. Call wait with the id ${id}`
  return status === 'completed' && typeof response === 'object' && response !== null
    ? `Call evidence with the id ${id} to see where each value was found`
    : undefined
}

/** The artifacts of an execution; none for a key that may not read them. */
async function artifactsOf(id: string, { route }: McpCall) {
  const { json } = await route('listArtifacts', { query: { execution_id: id } }).catch((error: unknown) => {
    if (error instanceof Fault && error.kind === 'forbidden') return { json: { items: [] } }
    throw error
  })
  const { items } = json as {
    items: readonly { object_id: string; filename: string; content_type: string; bytes: number }[]
  }
  return items.map((one) => ({
    id: one.object_id,
    uri: artifactUri(id, one.object_id),
    name: one.filename,
    mimeType: one.content_type,
    size: one.bytes,
  }))
}
