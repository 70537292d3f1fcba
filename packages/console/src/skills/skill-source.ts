import { valueAt } from '@skillrun/core/json.ts'
import { call } from '../api.ts'
import { type Batch, type BatchItem, batchPath } from '../batches/wire.ts'
import { type Asked, type Execution, isJsonObject, type Json, type JsonObject } from '../wire.ts'

/** A document that can become a test case: an execution with an answer. */
export interface CaseChoice {
  readonly executionId: string
  readonly name: string
  readonly isReviewed: boolean
  readonly lowestConfidence: number | null
}

/** The source of a new skill. */
export interface SkillSource {
  /** Where the user started, and its label. */
  readonly from?: { readonly path: string; readonly name: string }
  readonly prompt: string
  readonly schema: JsonObject | undefined
  readonly choices: readonly CaseChoice[]
}

/** For runs with a schema and no prompt. */
const defaultPrompt = 'Extract the fields of the schema from the document.'

const executionPath = (id: string, rest = ''): string => `/v1/agent/executions/${encodeURIComponent(id)}${rest}`

/** The request and the answer of an execution. */
export async function sourceOfExecution(id: string, signal: AbortSignal): Promise<SkillSource> {
  const [execution, asked] = await Promise.all([
    call<Execution>(executionPath(id), { signal }),
    call<Asked>(executionPath(id, '/request'), { signal }),
  ])
  const confidences = Object.entries(execution.evidence ?? {}).flatMap(([pointer, { confidence }]) =>
    (valueAt(execution.response as Json, pointer) ?? null) === null ? [] : [confidence],
  )
  return {
    from: { path: `/executions/${id}`, name: execution.name },
    ...taskOf(asked),
    choices: [
      {
        executionId: id,
        name: execution.name,
        isReviewed: execution.review?.status === 'done',
        lowestConfidence: confidences.length > 0 ? Math.min(...confidences) : null,
      },
    ],
  }
}

/** A skill cannot have more cases. */
const itemsMax = 1000

/** The request of a batch, and its answered documents. */
export async function sourceOfBatch(id: string, signal: AbortSignal): Promise<SkillSource> {
  const [batch, items] = await Promise.all([
    call<Batch>(batchPath(id), { signal }),
    call<readonly BatchItem[]>(batchPath(id, `/items?status=completed&limit=${itemsMax}`), { signal }),
  ])
  const choices = items.flatMap(({ execution_id, file_name, client_id, index, review, lowest_confidence }) =>
    execution_id === null
      ? []
      : [
          {
            executionId: execution_id,
            name: file_name ?? client_id ?? `Document ${index + 1}`,
            isReviewed: review === 'done',
            lowestConfidence: lowest_confidence,
          },
        ],
  )
  const [first] = choices
  const asked = first ? await call<Asked>(executionPath(first.executionId, '/request'), { signal }) : {}
  return { from: { path: `/batches/${id}`, name: batch.name ?? 'Batch' }, ...taskOf(asked), choices }
}

function taskOf({ config = {} }: Asked): Pick<SkillSource, 'prompt' | 'schema'> {
  const { prompt, json_schema: schema } = config
  return {
    prompt: typeof prompt === 'string' && prompt.trim() !== '' ? prompt : defaultPrompt,
    schema: isJsonObject(schema) ? schema : undefined,
  }
}
