import { z } from 'zod'
import { type Route, route } from '../../adapters/http/route.ts'
import { specOf, type Tool } from '../../agent/tool.ts'
import { dollarsOf } from '../../core/money.ts'
import type { Models } from '../models/models.ts'
import { multiplierThousandths, tiers } from '../pricing/pricing.ts'

export interface SettingsParts {
  readonly models: Models
  /** Limits in force by their configuration names; null: none. */
  readonly limits: Readonly<Record<string, number | null>>
  /** Tools that the operator added. */
  readonly extraTools?: readonly Tool[] | undefined
  readonly tools: readonly Tool[]
  /** Micro-dollars per call. */
  readonly toolPrice: (name: string) => number
}

const perMillion = z.number().describe('Dollars per million tokens, in the standard tier')

const settings = z
  .object({
    limits: z.record(z.string(), z.number().nullable()).describe('By their names in the configuration; null: none'),
    tiers: z.array(z.object({ tier: z.enum(tiers), price_factor: z.number() })),
    models: z.array(
      z.object({
        model: z.string(),
        engine: z.string().describe('The engine'),
        price: z
          .object({ input: perMillion, cached_input: perMillion, output: perMillion })
          .nullable()
          .describe('null: no price per token, as with the embedded engine, or it depends on the request'),
        context_tokens: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'Settings' })

const toolRecord = z
  .object({
    name: z.string(),
    toolset: z.string(),
    description: z.string(),
    input_schema: z.record(z.string(), z.unknown()),
    dollars_per_call: z.number(),
    is_available: z.boolean().describe('Whether this machine has what the tool needs'),
  })
  .meta({ id: 'Tool' })

/** The configuration of this server: limits, models with prices, tools. */
export function settingsRoutes({ models, limits, extraTools = [], tools: own, toolPrice }: SettingsParts): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/settings',
      operation: 'getSettings',
      tag: 'health',
      scope: 'read',
      summary: 'Get the limits of this server, and its models with their engines and prices',
      reply: { status: 200, description: 'The settings in force', schema: settings },
      handle: async () => ({
        json: {
          limits,
          tiers: tiers.map((tier) => ({ tier, price_factor: multiplierThousandths[tier] / 1000 })),
          models: models.routes.map(({ model, engine, fixed }) => {
            const facts = fixed?.kind === 'model' ? fixed.facts : undefined
            return {
              model,
              engine,
              price: facts
                ? {
                    input: dollarsOf(facts.rates.input),
                    cached_input: dollarsOf(facts.rates.cachedInput),
                    output: dollarsOf(facts.rates.output),
                  }
                : null,
              context_tokens: facts?.contextTokens ?? null,
            }
          }),
        },
      }),
    }),
    route({
      method: 'get',
      path: '/v1/tools',
      operation: 'listTools',
      tag: 'models',
      scope: 'any',
      summary: 'List the tools for executions, with their input schemas and prices',
      reply: { status: 200, description: 'The tools', schema: z.array(toolRecord) },
      handle: async () => ({
        json: [...own, ...extraTools].map((one) => {
          const { description, input } = specOf(one)
          return {
            name: one.name,
            toolset: one.toolset,
            description,
            input_schema: input,
            dollars_per_call: dollarsOf(toolPrice(one.name)),
            is_available: one.isAvailable?.() ?? true,
          }
        }),
      }),
    }),
  ]
}
