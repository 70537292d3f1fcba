import type { Waiting } from './follow.ts'
import { newId } from './http.ts'
import type { AgentExecuteRequest, AgentExecutionResponse, Json } from './openapi.ts'

/** A document for the tool: one of the three. */
export interface ToolDocument {
  readonly text?: string
  readonly url?: string
  /** Of an uploaded file. */
  readonly file_id?: string
}

/** What a model gives the tool. */
export interface DocumentToolInput {
  readonly documents: readonly ToolDocument[]
  readonly task?: string
  readonly json_schema?: Readonly<Record<string, unknown>>
  readonly skill?: string
}

/** What the tool gives the model. */
export interface DocumentToolOutput {
  readonly execution_id: string
  readonly status: string
  readonly response: Json
  readonly error: string | null
  /** Where values come from, by JSON Pointer into `response`. */
  readonly evidence: Readonly<Record<string, { readonly page: number | null; readonly quote: string }>>
}

/** What the author of the tool decides for the model. */
export interface DocumentToolOptions {
  /** Name or id of the skill to use; the model may then name no other. */
  readonly skill?: string
  readonly model?: string
  readonly maxCostDollars?: number
}

interface Runner {
  runSettled(request: AgentExecuteRequest, how?: Waiting): Promise<AgentExecutionResponse>
  readonly executions: { cancel(id: string): Promise<unknown> }
}

/** A model reads the evidence of so many values; the execution has all. */
const evidenceMax = 50

const documentSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'The document itself, as text' },
    url: { type: 'string', description: 'Where the document can be fetched' },
    file_id: { type: 'string', description: 'The id of an uploaded file' },
  },
  additionalProperties: false,
} as const

/**
 * A tool for the models of other frameworks, which reads documents with this server: name, description and JSON Schema of its input, and
 * the function to call.
 */
export function documentTool(client: Runner, { skill, model, maxCostDollars }: DocumentToolOptions = {}) {
  const properties = {
    documents: { type: 'array', items: documentSchema, minItems: 1 },
    task: { type: 'string', description: 'What to do, in words' },
    json_schema: { type: 'object', description: 'JSON Schema of the response, with a description for each field' },
    ...(skill === undefined ? { skill: { type: 'string', description: 'Name of a skill of the server' } } : {}),
  }
  return {
    name: 'read_documents',
    description:
      'Read documents (PDF, scans, images, office files, emails, text) and get the values that json_schema asks for, each with its place in the document; or, with task, an answer in words. Give each document as text, url or file_id. Returns the response and its evidence. A null value was not found: do not guess it.',
    inputSchema: {
      type: 'object',
      properties,
      required: ['documents'],
      additionalProperties: false,
    },
    /** Not every framework checks the input against the schema. The execution of a call that `signal` aborts is cancelled. */
    async execute(input: DocumentToolInput, { signal }: { readonly signal?: AbortSignal | undefined } = {}) {
      const other = Object.keys(input).find((name) => !Object.hasOwn(properties, name))
      if (other !== undefined)
        throw new TypeError(`There is no parameter ${other}; there are: ${Object.keys(properties).join(', ')}`)
      if (!Array.isArray(input.documents) || input.documents.length === 0)
        throw new TypeError('Give at least one document in the list documents')
      const skillId = skill ?? input.skill
      const id = newId()
      const request: AgentExecuteRequest = {
        id,
        inputs: { documents: input.documents.map(itemOf) },
        config: {
          ...(input.task ? { prompt: input.task } : {}),
          ...(input.json_schema ? { json_schema: input.json_schema as Record<string, Json> } : {}),
          ...(skillId ? { skills: [{ skill_id: skillId }] } : {}),
          ...(maxCostDollars === undefined ? {} : { max_cost_dollars: maxCostDollars }),
        },
        ...(model === undefined ? {} : { model }),
      }
      try {
        return outputOf(await client.runSettled(request, signal ? { signal } : {}))
      } catch (error) {
        // Nobody reads the answer of a call that was given up.
        if (signal?.aborted) await client.executions.cancel(id).catch(() => undefined)
        throw error
      }
    },
  }
}

function itemOf(document: ToolDocument): Record<string, Json> {
  // Models that must name every property give null for the others.
  const given = Object.entries(document ?? {}).filter(([, value]) => value !== null && value !== undefined)
  const [[name, value] = ['', '']] = given
  if (given.length === 1 && typeof value === 'string') {
    if (name === 'text') return { type: 'text', text: value }
    if (name === 'file_id') return { type: 'input_file', file_id: value }
    if (name === 'url') return { type: 'file_url', file_url: { url: value } }
  }
  throw new TypeError('Give each document as exactly one of text, url and file_id')
}

function outputOf({ id, status, response, error, evidence }: AgentExecutionResponse): DocumentToolOutput {
  const places = Object.entries(evidence ?? {}).filter(([, one]) => one.quote !== undefined)
  return {
    execution_id: id,
    status,
    response: response as Json,
    error: error?.message ?? null,
    evidence: Object.fromEntries(
      places.slice(0, evidenceMax).map(([path, { page, quote }]) => [path, { page: page ?? null, quote: quote ?? '' }]),
    ),
  }
}
