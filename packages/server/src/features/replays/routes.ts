import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { type Route, route } from '../../adapters/http/route.ts'
import { ofShare } from '../../adapters/process-pool/process-pool.ts'
import {
  type Execution,
  type ExecutionError,
  hasEnded,
  listSteps,
  loadOriginal,
  refuseUnretained,
} from '../executions/executions.ts'
import { type EngineParts, replayRun } from '../runs/runs.ts'
import { compareReplay, differencesMax } from './compare.ts'

const replayReply = z
  .object({
    execution_id: z.string(),
    equal: z.boolean().describe('The replay gave the same output, byte for byte'),
    differences: z
      .array(
        z.object({
          path: z.string().describe('JSON Pointer into the record, or `/steps/<seq>/…`'),
          was: z.unknown().describe('The recorded value; null if absent'),
          is: z.unknown().describe('The value in the replay; null if absent'),
        }),
      )
      .describe(`At most ${differencesMax}`),
    model_calls: z.literal(0),
  })
  .meta({ id: 'Replay' })

/** Replaying records. */
export function replayRoutes(parts: Omit<EngineParts, 'db'>): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/agent/executions/{id}/replay',
      operation: 'replayExecution',
      tag: 'executions',
      scope: 'execute',
      summary:
        'Run an execution that has ended again from its transcript, without model calls, and compare the output; nothing is written or charged',
      params: z.object({ id: z.string() }),
      reply: { status: 200, description: 'The result of the replay', schema: replayReply },
      failures: [404, 409],
      handle: async ({ db, caller: { workspaceId }, params, signal }) => {
        const execution = await loadOriginal(db, { workspaceId, id: params.id })
        const { id } = execution
        refuseToReplay(execution)
        const transcript = await listSteps(db, { workspaceId, id })
        const own = { ...parts, db, processPool: ofShare(parts.processPool, { group: workspaceId, rank: 1 }) }
        const differences = await replayRun(own, { execution, transcript, signal })
          .then((replayed) => compareReplay(execution, transcript, replayed))
          .catch((error: unknown) => {
            const isOurs = execution.isTrusted !== false || error instanceof Fault || signal.aborted
            throw isOurs ? error : badTranscript()
          })
        return {
          json: {
            execution_id: id,
            equal: differences.length === 0,
            differences: differences.map(({ path, left = null, right = null }) => ({ path, was: left, is: right })),
            model_calls: 0 as const,
          },
          about: { execution: id },
        }
      },
    }),
  ]
}

/** The signer of an imported execution's capsule may have made up its steps. */
const badTranscript = (): Fault =>
  new Fault(
    'conflict',
    'bad_transcript',
    'The steps of this execution, which was imported from another server, do not have the form that this server records',
  )

/** Failures caused outside the run: the transcript does not explain them. */
const outside = ['cancelled', 'rejected', 'timeout', 'poison', 'internal', 'max_steps']

const isFromOutside = ({ code, retryable }: ExecutionError): boolean =>
  retryable || outside.includes(code) || code.startsWith('provider_')

/** Faults `conflict`: `not_ended`, `not_retained`, `not_replayable`. */
function refuseToReplay(execution: Execution): void {
  const { status, error } = execution
  if (!hasEnded(status))
    throw new Fault(
      'conflict',
      'not_ended',
      `The execution is ${status}; only one that is completed or failed can be replayed`,
    )
  refuseUnretained(execution)
  if (error && isFromOutside(error))
    throw new Fault(
      'conflict',
      'not_replayable',
      `The execution failed with ${error.code}, which does not follow from its transcript, so there is no output to replay. Rerun it, or fork it from one of its steps`,
    )
}
