import { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { FailureBody } from '../../adapters/http/failure-form.ts'
import { type Incoming, type Reply, type Route, route } from '../../adapters/http/route.ts'
import { arrayOf } from '../../adapters/http/schemas.ts'
import { awaitTurn, endOfTurn, type TurnParts, turnFailure } from '../chat/chat.ts'
import { createExecution, embedTool, listSteps, resultOf } from '../executions/executions.ts'
import { idempotencyKeyOf } from '../idempotency/idempotency.ts'
import type { EmbeddingRoute } from '../models/models.ts'

export interface EmbeddingParts extends Omit<TurnParts, 'db'> {
  /** Longest wait for the vectors, in milliseconds. */
  readonly chatWaitMs: number
  /** The configured embedding models. */
  readonly embedders: readonly Pick<EmbeddingRoute, 'identifier' | 'name'>[]
}

const path = '/v1/openai/embeddings'
/** As many texts as OpenAI takes. */
const textsMax = 2_048
const text = z.string().min(1, 'A text must not be empty')

/** Body of POST /v1/openai/embeddings. Unknown parameters are refused. */
const embeddingsRequest = z
  .strictObject({
    model: z.string().min(1).max(200),
    input: z.union([text, arrayOf(text, textsMax, 1)], {
      error:
        'input must be a text or a list of texts: lists of tokens, images and files are not supported, send the text itself',
    }),
    dimensions: z.int().min(1).max(100_000).nullish(),
    encoding_format: z.enum(['float', 'base64']).nullish(),
    user: z.string().max(500).nullish().describe('A label, kept in the metadata of the execution'),
    max_cost_dollars: z.number().nonnegative().max(1_000_000).nullish(),
    timeout_seconds: z.number().positive().max(86_400).nullish(),
  })
  .meta({ id: 'OpenAIEmbeddingsRequest' })
type EmbeddingsRequest = z.infer<typeof embeddingsRequest>

const embeddings = z
  .looseObject({
    object: z.literal('list'),
    data: z.array(
      z.object({
        object: z.literal('embedding'),
        index: z.int(),
        embedding: z
          .union([z.array(z.number()), z.string()])
          .describe('With `encoding_format: base64`, the base64 of float32 numbers, lowest byte first'),
      }),
    ),
    model: z.string(),
    usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
    execution_id: z.string(),
  })
  .meta({ id: 'OpenAIEmbeddings' })

/** The part of a recorded step that is used here. */
const vectorsOfStep = z.looseObject({ vectors: z.array(z.string()) })

/** OpenAI's embeddings, as executions whose steps hold the vectors. */
export function embeddingRoutes(parts: EmbeddingParts): Route[] {
  return [
    route({
      method: 'post',
      path,
      operation: 'createEmbedding',
      tag: 'openai',
      scope: 'execute',
      summary: 'Turn texts into vectors; needs a configured embedding model',
      body: embeddingsRequest,
      reply: { status: 200, description: 'The vectors, in the order of the texts', schema: embeddings },
      failures: [400, 402, 404, 409],
      handle: (call) => embed(parts, call),
    }),
  ]
}

async function embed(
  parts: EmbeddingParts,
  call: Pick<Incoming<unknown, unknown, EmbeddingsRequest>, 'db' | 'caller' | 'headers' | 'body' | 'signal'>,
): Promise<Reply<z.infer<typeof embeddings> | FailureBody>> {
  const { db, caller, headers, body, signal } = call
  const model = identifierOf(parts, body.model)
  const own = { ...parts, db }
  const texts = typeof body.input === 'string' ? [body.input] : body.input
  const created = await createExecution(own, {
    caller,
    signal,
    body: {
      inputs: { texts },
      // The caller waits: this process runs it at once if it can.
      batch: false,
      config: {
        prompt: 'Embed the texts',
        max_cost_dollars: body.max_cost_dollars,
        timeout_seconds: body.timeout_seconds,
      },
      ...(body.user ? { metadata: { user: body.user } } : {}),
    },
    embedding: { model, dimensions: body.dimensions ?? null },
    sameAs: body,
    idempotencyKey: idempotencyKeyOf(headers),
  })
  const place = { workspaceId: caller.workspaceId, id: created.id }
  const awaited = awaitTurn(own, place, {
    waitMs: parts.chatWaitMs,
    signal,
    goesOn: Boolean(idempotencyKeyOf(headers)),
  })
  const ended = await endOfTurn(awaited.following)
  const about = { execution: created.id }
  if (ended?.status !== 'completed') return { ...turnFailure({ ...awaited, path }, ended), about }
  const steps = await listSteps(db, place)
  const vectors = steps
    .filter(({ kind, name }) => kind === 'tool' && name === embedTool)
    .flatMap((step) => resultOf(step, vectorsOfStep).vectors)
  const tokens = ended.usage.inputTokens ?? 0
  const rest = {
    model: body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    execution_id: created.id,
  }
  return {
    stream: Readable.from(jsonOf(vectors, body.encoding_format === 'base64', rest)),
    headers: { 'Content-Type': 'application/json' },
    about,
  }
}

/** The identifier of a configured model, by that identifier or by `provider/model`. Throws a Fault `missing`. */
function identifierOf({ embedders }: Pick<EmbeddingParts, 'embedders'>, model: string): string {
  const found = embedders.find(({ identifier, name }) => identifier === model || name === model)
  if (found) return found.identifier
  const advice =
    embedders.length === 0
      ? 'this server has no embedding models; the operator sets them under `embeddings` in the configuration'
      : `use ${embedders.map(({ identifier }) => identifier).join(' or ')}`
  throw new Fault(
    'missing',
    'model_not_found',
    `The embedding model ${JSON.stringify(model.slice(0, 100))} is not configured here: ${advice}`,
  )
}

/** The reply in pieces: writing millions of numbers at once would block the process. */
function* jsonOf(vectors: readonly string[], isBase64: boolean, rest: JsonObject): Generator<string> {
  yield '{"object":"list","data":['
  for (const [index, vector] of vectors.entries()) {
    const embedding = isBase64 ? vector : numbersOf(vector)
    yield `${index > 0 ? ',' : ''}${JSON.stringify({ object: 'embedding', index, embedding })}`
  }
  yield `],${JSON.stringify(rest).slice(1)}`
}

function numbersOf(vector: string): number[] {
  const bytes = Buffer.from(vector, 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}
