import { runKey, type Telemetry } from '../../../adapters/telemetry/telemetry.ts'
import { type Ending, type Execution, type Step, tokensOf, turnOf } from '../../executions/executions.ts'
import { tierMicros } from '../../pricing/pricing.ts'
import type { Run } from '../run-state.ts'

const seconds = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime()) / 1000

/**
 * Reports a run whose end is written: metrics, and spans by OpenTelemetry's conventions for generative AI (`invoke_agent`, `chat`,
 * `execute_tool`). Only names, sizes and times, no content. Steps of earlier workers are left out.
 */
export function observeRun(
  telemetry: Telemetry,
  run: Run,
  { status, usage, error, now: endedAt }: Pick<Ending, 'status' | 'usage' | 'error' | 'now'>,
): void {
  const { execution, fence, startedAt } = run
  const { attempt } = fence
  const engine = run.transcript.findLast((step) => step.kind === 'model')?.name ?? execution.answeredBy ?? 'none'
  const { tier } = execution
  telemetry.count('runs_ended', { status, code: error?.code ?? '', tier, engine })
  telemetry.observe('execution', { tier, engine }, seconds(execution.createdAt, endedAt))
  if (attempt === 1) telemetry.observe('pickup', { tier }, seconds(execution.createdAt, startedAt))
  telemetry.count('cost_micros', { tier, engine }, tierMicros(usage.standardMicros ?? 0, tier))
  const key = runKey(attempt)
  telemetry.span({
    executionId: execution.id,
    key,
    name: `invoke_agent ${execution.name}`,
    startedAt,
    endedAt,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': nameParts(engine).provider,
      'gen_ai.agent.name': execution.name,
      'gen_ai.request.model': execution.model,
      ...(execution.sessionId === null ? {} : { 'gen_ai.conversation.id': execution.sessionId }),
      'skillrun.execution.id': execution.id,
      'skillrun.attempt': attempt,
      'skillrun.service_tier': tier,
      'skillrun.status': status,
    },
    ...(error && { error: error.code }),
  })
  for (const step of run.transcript) if (step.attempt === attempt) observeStep(telemetry, step, { execution, key })
}

function observeStep(telemetry: Telemetry, step: Step, of: { execution: Execution; key: string }): void {
  const { kind, name, startedAt, endedAt } = step
  telemetry.count('steps', { kind, name })
  telemetry.observe('step', { kind, name }, seconds(startedAt, endedAt))
  const turn = turnOf(step)
  const tokens = tokensOf(step)
  if (tokens) {
    const { inputTokens, cachedInputTokens, outputTokens } = tokens
    telemetry.count('tokens', { engine: name, kind: 'input' }, inputTokens)
    telemetry.count('tokens', { engine: name, kind: 'cached_input' }, cachedInputTokens)
    telemetry.count('tokens', { engine: name, kind: 'output' }, outputTokens)
  }
  if (kind === 'input') return
  const { execution, key } = of
  const { provider, model } = nameParts(name)
  telemetry.span({
    executionId: execution.id,
    key: `step ${step.seq}`,
    parentKey: key,
    name: kind === 'model' ? `chat ${model}` : `execute_tool ${name}`,
    ...(kind === 'model' ? { kind: 'client' as const } : {}),
    startedAt,
    endedAt,
    attributes:
      kind === 'model'
        ? {
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': provider,
            'gen_ai.request.model': model,
            ...(turn
              ? {
                  'gen_ai.response.model': turn.model,
                  'gen_ai.usage.input_tokens': turn.usage.inputTokens,
                  'gen_ai.usage.cache_read.input_tokens': turn.usage.cachedInputTokens,
                  'gen_ai.usage.output_tokens': turn.usage.outputTokens,
                }
              : {}),
          }
        : { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
  })
}

/** `provider/model` as OpenTelemetry names the two; an engine of this server is both. */
function nameParts(name: string): { readonly provider: string; readonly model: string } {
  const [provider = name] = name.split('/')
  return { provider: provider === 'google' ? 'gcp.gemini' : provider, model: name.slice(name.indexOf('/') + 1) }
}
