import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import { type WrittenCall, writtenCalls } from '@skillrun/reader/fields/written-calls.ts'
import type { ToolResult } from '../../adapters/models/model.ts'
import { callTool, type Tool, wireName } from '../../agent/tool.ts'
import { tools } from '../../tools/tools.ts'
import { takeApproval } from '../approvals/approvals.ts'
import { type Ending, type ExecutionRequest, isToolCall, resultOf, usageOf } from '../executions/executions.ts'
import { toolContext } from './answer-with-model.ts'
import type { EngineParts } from './parts.ts'
import { readInputs } from './reading/read-inputs.ts'
import { illustratorOfRun, mediaOfRun, transcriberOfRun, webOfRun } from './reading/run-media.ts'
import { reservePrice } from './reserve-price.ts'
import { ReplayDiverged, type Run } from './run-state.ts'
import { toolResult } from './steps/recorded.ts'
import { beginStep, record, recordedBy } from './transcript.ts'

/** The tool calls that make up a request; undefined for any other request. */
export function callsOf({ prompt, schema, skills = [], chat }: ExecutionRequest): readonly WrittenCall[] | undefined {
  return schema !== null || skills.length > 0 || chat ? undefined : writtenCalls(prompt)
}

/** The tools that a request may call: those that it names, else all. */
export function toolsOfRequest({ tools: named = null }: ExecutionRequest, extra: readonly Tool[]): readonly Tool[] {
  return [...tools, ...extra].filter(({ name }) => named === null || named.includes(name))
}

/**
 * Makes the calls that a prompt spells out, in order and without a model: the response is the result of the only call, or the list of all
 * results. Skips calls in the transcript. Throws Fault `unknown_tool` and Fault `tool_failed`.
 */
export async function answerWithCalls(
  parts: EngineParts,
  run: Run,
  calls: readonly WrittenCall[],
): Promise<Pick<Ending, 'status' | 'response' | 'evidence' | 'error' | 'usage' | 'now'>> {
  const all = toolsOfRequest(run.execution.request, parts.tools.extra)
  const wanted = calls.map((call) => ({ call, tool: toolOf(call, all) }))
  const parsedInputs = await readInputs(parts, run)
  const context = {
    ...toolContext(parts, parsedInputs, []),
    skills: [],
    media: mediaOfRun(parts, run),
    ...webOfRun(parts, run),
    ...transcriberOfRun(parts, run),
    ...illustratorOfRun(parts),
  }
  const results: Json[] = recordedBy(run)
    .filter(isToolCall)
    .map((step) => outputOf(resultOf(step, toolResult)))
  for (const [index, { call, tool }] of wanted.entries()) {
    if (index < results.length) continue
    if (run.replayed) throw new ReplayDiverged(`the record has no result of ${tool.name}`)
    const id = `call_${index + 1}`
    beginStep(run)
    const reservation = await reservePrice(parts, run, { name: tool.name })
    await takeApproval(parts, run, { tool: tool.name, input: call.input })
    const startedAt = parts.clock.now()
    const onBug = (error: unknown) => parts.tools.onBug(error, { execution: run.execution.id, tool: tool.name })
    const result = await callTool(
      { tools: [tool], context, onBug },
      { id, name: wireName(tool), input: call.input },
      run.signal,
    )
    const { name, output, failed } = result
    await record(parts, run, {
      kind: 'tool',
      name: tool.name,
      detail: { call: id, input: call.input },
      result: { name, output, failed },
      startedAt,
      reservation,
      ...(failed ? { costMicros: 0 } : {}),
    })
    results.push(outputOf(result))
  }
  return {
    status: 'completed',
    response: results.length === 1 ? (results[0] ?? null) : results,
    evidence: null,
    error: null,
    usage: usageOf(run.transcript),
    now: parts.clock.now(),
  }
}

function toolOf({ name }: WrittenCall, all: readonly Tool[]): Tool {
  const found = all.find((one) => one.name === name)
  if (found) return found
  throw new Fault(
    'invalid',
    'unknown_tool',
    `The prompt calls ${JSON.stringify(name)}, which is not a tool of this request; its tools are: ${all.map((one) => one.name).join(', ')}`,
  )
}

function outputOf({ name, output, failed }: Pick<ToolResult, 'name' | 'output' | 'failed'>): Json {
  if (!failed) return output
  const why = isJsonObject(output) && typeof output['error'] === 'string' ? output['error'] : 'it failed'
  throw new Fault('invalid', 'tool_failed', `${name.replace('_', '.')}: ${why}`)
}
