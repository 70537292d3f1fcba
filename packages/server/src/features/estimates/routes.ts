import { z } from 'zod'
import { type Route, route } from '../../adapters/http/route.ts'
import { dollarsOf, type Micros } from '../../core/money.ts'
import { findAgent } from '../agents/agents.ts'
import { type CreateParts, executeRequest, prepare, refuseMissingFiles, withSkills } from '../executions/executions.ts'
import { type Tier, tierMicros, tierOf } from '../pricing/pricing.ts'
import { refuseForbiddenCallback } from '../webhooks/webhooks.ts'
import { type CostRange, rangeByPrices, rangeOf } from './estimate.ts'
import { estimatePath } from './path-estimate.ts'
import { type PastCost, recentCosts } from './recent-costs.ts'

interface EstimateParts extends Omit<CreateParts, 'db'> {
  /** The fixed price of one call of a tool or engine. */
  readonly toolPrice: (name: string) => Micros
}

/** Below this number of executions of one agent, use those of the whole model. */
const agentExecutionsMin = 3

const range = z
  .object({ low_dollars: z.number(), expected_dollars: z.number(), high_dollars: z.number() })
  .meta({ id: 'CostRange' })
const byTier = z.object({ standard: range, flex: range, priority: range })
const estimate = z
  .object({
    model: z.string(),
    engine: z.string().describe('The engine that would answer: `embedded`, or `provider/model`'),
    service_tier: z.enum(['standard', 'flex', 'priority']).describe('Service tier of the request'),
    agent: byTier,
    program: byTier.nullable().describe('As a program; null if this key has no such runs of this agent and model'),
    path: z
      .object({
        executions: z.int().describe('Number of past executions of the same request with the same models'),
        by: z
          .enum(['path', 'agent', 'prices'])
          .describe(
            'What `cost` is based on: these executions; without any, the executions behind `agent`, whose tokens are taken at the prices of the models of the path; or only the prices',
          ),
        cost: byTier,
        asked: z
          .record(z.string(), z.object({ low: z.number(), expected: z.number(), high: z.number() }))
          .describe('Engine → the share of executions in which it is asked, with bounds that hold with 95 %'),
        fields: z
          .record(z.string(), z.number())
          .describe('`program`, `rules` or an engine → the share of fields that it answers'),
      })
      .meta({ id: 'PathEstimate' })
      .nullable()
      .describe('With `config.path: "cheapest"`; otherwise null'),
    basis: z.object({
      by: z
        .enum(['agent', 'model', 'prices'])
        .describe(
          'What the estimate is based on: past executions of this key with the same agent and model, with the same model, or only the prices',
        ),
      executions: z.int().describe('Number of past executions that `agent` is computed from'),
      program_executions: z.int(),
    }),
  })
  .meta({ id: 'CostEstimate' })

/** Estimates the cost of an execution in advance. Records nothing. */
export function estimateRoutes(parts: EstimateParts): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/agent/estimate',
      operation: 'estimateExecution',
      tag: 'executions',
      scope: 'execute',
      summary:
        'Estimate the cost of an execution in each tier, from past executions of this key. Invalid bodies are rejected as in POST /v1/agent/execute',
      body: executeRequest,
      reply: {
        status: 200,
        description:
          '10th percentile, mean and 90th percentile of similar executions; without any, computed from the prices',
        schema: estimate,
      },
      failures: [404],
      handle: async ({ db, caller, body, signal }) => {
        const { workspaceId, keyId } = caller
        const prepared = await prepare({ ...parts, db }, { caller, body, signal })
        const { request: checked } = prepared
        await refuseMissingFiles(
          { clock: parts.clock, signingSecret: parts.intake.signingSecret, tx: db },
          { call: { caller }, request: checked, now: parts.clock.now() },
        )
        await refuseForbiddenCallback(parts.intake.egress, prepared.body.callback_url ?? null)
        const { route: modelRoute } = prepared
        const request = withSkills(prepared.request, parts.intake.extraTools)
        const agent =
          prepared.agent ?? (await findAgent(db, { workspaceId, name: null, prompt: prepared.request.prompt }))
        const past = await recentCosts(db, { workspaceId, keyId, model: modelRoute.model })
        const { by, agentCosts, programCosts } = similarCosts(past, agent?.id)
        const { engine } = modelRoute.choose({
          pages: request.inputs.length,
          images: request.inputs.filter((one) => one.modality === 'image').length,
          toolsNamed: request.tools?.length ?? 0,
          schema: request.schema,
        })
        const program = rangeOf(programCosts)
        const { ladder } = modelRoute
        const cost = rangeOf(agentCosts)
        const { toolPrice } = parts
        const path = await estimatePath(db, { workspaceId, request, ladder, toolPrice, agent: { engine, cost } })
        return {
          json: {
            model: modelRoute.model,
            engine: engine.name,
            service_tier: tierOf(prepared.body.config?.service_tier),
            agent: inTiers(cost ?? rangeByPrices(request, engine, toolPrice)),
            program: program ? inTiers(program) : null,
            path: path
              ? { ...path, asked: { ...path.asked }, fields: { ...path.fields }, cost: inTiers(path.cost) }
              : null,
            basis: {
              by,
              executions: agentCosts.length,
              program_executions: programCosts.length,
            },
          },
        }
      },
    }),
  ]
}

/** The costs of executions of the same agent, or of its whole model if the agent has too few. */
function similarCosts(past: readonly PastCost[], agentId: string | undefined) {
  const ofAgent = past.filter((one) => agentId !== undefined && one.agentId === agentId)
  const hasEnough = ofAgent.filter((one) => one.mode === 'agent').length >= agentExecutionsMin
  const costsOf = (executions: typeof past, mode: 'agent' | 'program') =>
    executions.filter((one) => one.mode === mode).map((one) => one.micros)
  const agentCosts = costsOf(hasEnough ? ofAgent : past, 'agent')
  const by = agentCosts.length === 0 ? ('prices' as const) : hasEnough ? ('agent' as const) : ('model' as const)
  return { by, agentCosts, programCosts: costsOf(ofAgent, 'program') }
}

const inTiers = (cost: CostRange) => {
  const inTier = (tier: Tier) => ({
    low_dollars: dollarsOf(tierMicros(cost.low, tier)),
    expected_dollars: dollarsOf(tierMicros(cost.expected, tier)),
    high_dollars: dollarsOf(tierMicros(cost.high, tier)),
  })
  return { standard: inTier('standard'), flex: inTier('flex'), priority: inTier('priority') }
}
