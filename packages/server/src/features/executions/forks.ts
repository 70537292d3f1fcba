import type { Json } from '@skillrun/core/json.ts'
import { differencesOf } from '@skillrun/core/json-differences.ts'
import { z } from 'zod'
import { ignoredFields } from '../../adapters/http/ignored-fields.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { idempotencyKeyOf } from '../idempotency/idempotency.ts'
import { forkExecution } from './accept/fork.ts'
import { recordOf } from './present.ts'
import { refuseUnretained } from './retention.ts'
import { type ExecutionRouteParts, replyToCreated } from './routes.ts'
import { loadExecution } from './store/find-execution.ts'
import { executionRecord } from './wire/record.ts'
import { executeRequest } from './wire/request.ts'

const { config, model, batch } = executeRequest.shape
const ofConfig = config.unwrap().unwrap()

const forkRequest = z
  .object({
    from_step: z
      .int()
      .min(1)
      .max(1_000_000)
      .describe('`seq` of the first step to run again; the steps before it are kept'),
    config: ofConfig
      .extend({ model: model.describe('Another model, as in `model` of an execute request') })
      .nullish()
      .describe('Fields that replace those of the original request'),
    model: model.describe('Another model'),
    tool_results: z
      .record(z.string().regex(/^[1-9]\d{0,6}$/), z.unknown())
      .nullish()
      .describe(
        'Other results of kept tool calls, by the `seq` of their steps: JSON that the tool would have returned',
      ),
    batch,
  })
  .meta({ id: 'ForkRequest' })

const differencesMax = 1_000

const diffQuery = z.object({
  of: z.enum(['response', 'record']).default('response').describe('What to compare'),
})

const diff = z
  .array(
    z.object({
      path: z.string().describe('JSON Pointer into the response, or into the record'),
      left: z.unknown().describe('The value in execution {id}; null if absent'),
      right: z.unknown().describe('The value in execution {other}; null if absent'),
    }),
  )
  .meta({ id: 'ExecutionDiff' })

/** Forks executions at a step, and compares two executions. */
export function forkRoutes(parts: ExecutionRouteParts & { readonly storageBytesMax: number | undefined }): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/agent/executions/{id}/fork',
      operation: 'forkExecution',
      tag: 'executions',
      scope: 'execute',
      summary:
        'Run an execution anew from one of its steps, as a new execution that keeps the steps before it; with another prompt, model, schema, skills or tool results',
      params: z.object({ id: z.string() }),
      body: forkRequest,
      reply: { status: 201, description: 'The new execution', schema: executionRecord },
      failures: [404, 409],
      handle: async ({ db, caller, params, body: given, sentBody, headers, origin, signal }) => {
        const { from_step: fromStep, tool_results: toolResults, ...asked } = given
        const { model: ofConfig, ...config } = asked.config ?? {}
        const body = { ...asked, config, model: asked.model ?? ofConfig }
        const created = await forkExecution(
          { ...parts, db },
          {
            ...{ caller, body, origin, signal, id: params.id, fromStep, toolResults: toolResults ?? {} },
            ignored: ignoredFields(forkRequest, sentBody),
            idempotencyKey: idempotencyKeyOf(headers),
          },
        )
        return replyToCreated({ ...parts, db }, created, { waits: body.batch === false, headers, signal })
      },
    }),
    route({
      method: 'get',
      path: '/v1/agent/executions/{id}/diff/{other}',
      operation: 'diffExecutions',
      tag: 'executions',
      scope: 'read',
      summary: `Compare the responses of two executions field by field, or their records with of=record; at most ${differencesMax} differences`,
      params: z.object({ id: z.string(), other: z.string() }),
      query: diffQuery,
      reply: { status: 200, description: 'The differences', schema: diff },
      failures: [404, 409],
      handle: async ({ db, caller: { workspaceId }, params, query }) => {
        const sides = await Promise.all(
          [params.id, params.other].map(async (id) => {
            const execution = await loadExecution({ db }, { workspaceId, id })
            // An answer that must not be kept goes to the first reader of its record only.
            refuseUnretained(execution)
            return (query.of === 'record' ? recordOf(execution) : execution.response) as Json
          }),
        )
        const found = await differencesOf(sides[0] ?? null, sides[1] ?? null, differencesMax)
        return { json: found.map(({ path, left = null, right = null }) => ({ path, left, right })) }
      },
    }),
  ]
}
