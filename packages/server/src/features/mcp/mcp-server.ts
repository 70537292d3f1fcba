import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  CancelTaskRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListTasksRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type ProgressToken,
  RELATED_TASK_META_KEY,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { Fault } from '@skillrun/core/fault.ts'
import { ValidationFailure } from '../../adapters/http/validation.ts'
import { getExecutionTool, runAgentTool, runSkillTool, taskResult, waitTool } from './execution-tools.ts'
import { evidenceTool, searchDocumentTool } from './reading-tools.ts'
import { getPrompt, listPrompts, listResources, readResource, resourceTemplates } from './resources.ts'
import { listSkillsTool } from './skill-tools.ts'
import { cancelTask, createdTask, findTask, listTasks } from './tasks.ts'
import { jsonSchemaOf, type McpCall, type McpTool, type McpToolOutput } from './tool.ts'

const tools: readonly McpTool[] = [
  runAgentTool,
  getExecutionTool,
  waitTool,
  evidenceTool,
  searchDocumentTool,
  listSkillsTool,
  runSkillTool,
]

const declared = tools.map((one) => ({
  name: one.name,
  title: one.title,
  description: one.description,
  inputSchema: jsonSchemaOf(one.input, 'input'),
  outputSchema: jsonSchemaOf(one.output, 'output'),
  annotations: { readOnlyHint: one.isReadOnly, destructiveHint: false, openWorldHint: !one.isReadOnly },
  execution: { taskSupport: one.begin ? ('optional' as const) : ('forbidden' as const) },
}))

const instructions =
  'Skillrun runs agents with skills over documents, images, audio and video. Call run with inputs and a JSON Schema or a prompt, or run_skill with a skill from list_skills. Unfinished executions continue: call wait with their id. Before you rely on a value with low confidence, call evidence.'

type Meta = { readonly progressToken?: ProgressToken | undefined } | undefined

/** The part of the SDK's handler context in use here. */
interface Extra {
  readonly signal: AbortSignal
  sendNotification(notification: {
    method: 'notifications/progress'
    params: { progressToken: ProgressToken; progress: number; message: string }
  }): Promise<void>
}

/**
 * The MCP server of one HTTP request. It keeps no state between requests: an execution is the state of a task, so clients can continue with
 * another process, or with this one after a crash.
 */
export function mcpServerOf(of: Omit<McpCall, 'onProgress'>, version: string): Server {
  const server = new Server(
    { name: 'skillrun', title: 'Skillrun', version },
    {
      capabilities: {
        tools: {},
        prompts: {},
        resources: {},
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      },
      instructions,
    },
  )
  const callOf = (extra: Extra, meta: Meta): McpCall => ({
    ...of,
    signal: AbortSignal.any([of.signal, extra.signal]),
    onProgress: progressSender(extra, meta),
  })

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: declared }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.find((one) => one.name === params.name)
    if (!tool)
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(params.name.slice(0, 100))}; the tools are: ${tools.map((one) => one.name).join(', ')}`,
      )
    const call = callOf(extra, params._meta)
    if (params.task === undefined)
      return withErrors(async () => resultOf(await tool.run(parsed(tool, params.arguments), call)))
    const { begin } = tool
    if (!begin) throw new McpError(ErrorCode.MethodNotFound, `The tool ${tool.name} cannot run as a task`)
    const begun = await asMcpErrors(async () => createdTask(await begin(parsed(tool, params.arguments), call), call))
    return { task: begun }
  })

  server.setRequestHandler(GetTaskRequestSchema, ({ params }, extra) =>
    asMcpErrors(() => findTask(params.taskId, callOf(extra, undefined))),
  )
  server.setRequestHandler(ListTasksRequestSchema, ({ params }, extra) =>
    asMcpErrors(() => listTasks(params?.cursor, callOf(extra, undefined))),
  )
  server.setRequestHandler(CancelTaskRequestSchema, ({ params }, extra) =>
    asMcpErrors(() => cancelTask(params.taskId, callOf(extra, undefined))),
  )
  server.setRequestHandler(GetTaskPayloadRequestSchema, ({ params }, extra) =>
    asMcpErrors(async () => {
      const call = callOf(extra, params._meta)
      const { taskId } = await findTask(params.taskId, call)
      return {
        ...resultOf(await taskResult(taskId, call)),
        _meta: { [RELATED_TASK_META_KEY]: { taskId } },
      }
    }),
  )

  server.setRequestHandler(ListPromptsRequestSchema, ({ params }, extra) =>
    asMcpErrors(() => listPrompts(params?.cursor, callOf(extra, undefined))),
  )
  server.setRequestHandler(GetPromptRequestSchema, ({ params }, extra) =>
    asMcpErrors(() => getPrompt(params.name, params.arguments?.['task'], callOf(extra, undefined))),
  )
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, extra) =>
    asMcpErrors(() => listResources(params?.cursor, callOf(extra, undefined))),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, extra) =>
    asMcpErrors(() => readResource(params.uri, callOf(extra, undefined))),
  )
  return server
}

function progressSender(extra: Extra, meta: Meta): McpCall['onProgress'] {
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  return (message) => {
    progress += 1
    extra
      .sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } })
      // After a disconnect the client's request ends by its own signal.
      .catch(() => undefined)
  }
}

/** The arguments of a call. Throws Fault `bad_arguments`. */
function parsed(tool: McpTool, given: unknown): never {
  const { success, data, error } = tool.input.safeParse(given ?? {})
  if (success) return data as never
  const problems = error.issues.map((issue) => `${issue.path.join('.') || 'the arguments'}: ${issue.message}`)
  throw new Fault('invalid', 'bad_arguments', `${tool.name}: ${problems.join('; ')}`)
}

function resultOf({ structured, links = [], isFailure = false }: McpToolOutput) {
  return {
    content: [
      { type: 'text' as const, text: JSON.stringify(structured) },
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    structuredContent: structured,
    ...(isFailure ? { isError: true } : {}),
  }
}

/** Why a request was refused, for the client's model; undefined for internal errors. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof ValidationFailure)
    return error.details.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('\n')
  return error instanceof Fault ? error.message : undefined
}

/** A refused call is a result with `isError`, so that the client's model reads why and can correct it. */
async function withErrors<T>(work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    return { content: [{ type: 'text' as const, text: refusal }], isError: true }
  }
}

async function asMcpErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refusal = refusalOf(error)
    throw refusal === undefined ? error : new McpError(ErrorCode.InvalidParams, refusal)
  }
}
