import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import type { OpenApi } from '../../adapters/http/openapi.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import type { Models } from '../models/models.ts'
import { listDomains } from '../predictions/predictions.ts'

const ok = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })
const healthy = { json: { status: 'ok' as const } }

/** Language models follow the prompt, the schema and the skills; the others have a built-in schema. */
const agentDomain = {
  domain: 'agent',
  name: 'Agent',
  description: 'Any input, according to the prompt, schema and skills of the request',
}

const reply = { status: 200, description: 'The server is healthy', schema: ok }

/** Whether the process is alive and ready. */
export function livingRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/healthz',
      operation: 'isAlive',
      tag: 'health',
      scope: 'public',
      summary: 'The process responds',
      reply,
      handle: async () => healthy,
    }),
    route({
      method: 'get',
      path: '/readyz',
      operation: 'isReady',
      tag: 'health',
      scope: 'public',
      summary: 'The database responds too',
      reply,
      failures: [503],
      handle: async ({ db }) => {
        try {
          await db.query('select 1')
        } catch (error) {
          throw new Fault('unavailable', 'not_ready', 'The database does not respond', { cause: error })
        }
        return healthy
      },
    }),
  ]
}

/** Liveness, readiness, validation of the caller's key; models; the OpenAPI document. */
export function healthRoutes(parts: { models: Models; openApi: () => OpenApi }): Route[] {
  return [
    ...livingRoutes(),
    route({
      method: 'get',
      path: '/v1/health',
      operation: 'checkKey',
      tag: 'health',
      scope: 'any',
      summary: 'The key is valid',
      reply,
      handle: async () => healthy,
    }),
    route({
      method: 'get',
      path: '/v1/openai/health',
      operation: 'checkOpenAiKey',
      tag: 'health',
      scope: 'any',
      summary: 'The key is valid, for clients whose base URL is /v1/openai',
      reply,
      handle: async () => healthy,
    }),
    route({
      method: 'get',
      path: '/v1/models',
      operation: 'listModels',
      tag: 'models',
      scope: 'any',
      summary: 'List the models of this server and their engines',
      reply: {
        status: 200,
        description: 'The models',
        schema: z.array(z.object({ model: z.string(), domain: z.string(), engine: z.string() }).meta({ id: 'Model' })),
      },
      handle: async () => ({
        json: parts.models.routes.map(({ model, engine }) => ({ model, domain: 'agent', engine })),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/domains',
      operation: 'listDomains',
      tag: 'models',
      scope: 'any',
      summary: 'List the domains: agent, and those with built-in schemas',
      reply: {
        status: 200,
        description: 'The domains',
        schema: z.array(
          z.object({ domain: z.string(), name: z.string(), description: z.string() }).meta({ id: 'Domain' }),
        ),
      },
      handle: async () => {
        const shipped = await listDomains()
        return {
          json: [agentDomain, ...shipped.map(({ domain, name, description }) => ({ domain, name, description }))],
        }
      },
    }),
    route({
      method: 'get',
      path: '/openapi.json',
      operation: 'getOpenApi',
      tag: 'health',
      scope: 'public',
      summary: 'This document',
      reply: { status: 200, description: 'OpenAPI 3.1', schema: z.looseObject({ openapi: z.string() }) },
      handle: async () => ({ json: parts.openApi() }),
    }),
  ]
}
