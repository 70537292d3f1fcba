import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { type Route, route } from '../../adapters/http/route.ts'
import {
  findDomain,
  type HubDomain,
  hubVersion,
  listDomains,
  loadDomain,
  schemaResponse,
  schemaResponseOf,
} from './hub.ts'

const tag = 'predictions'
const hubDomain = z
  .object({
    domain: z.string(),
    name: z.string(),
    description: z.string(),
    supported_inputs: z.array(z.string()),
    tags: z.array(z.string()),
    sample_data: z.array(z.string()),
  })
  .meta({ id: 'HubDomain' })

const selection = z
  .string()
  .nullish()
  .refine((text) => !text, 'GraphQL selections are not supported; the reply has the whole schema')
const schemaRequest = z
  .object({
    domain: z.string().min(1).max(255),
    gql_stmt: selection,
    config: z.object({ gql_stmt: selection }).nullish(),
  })
  .meta({ id: 'SchemaRequest' })

const domainOf = ({ schema: _schema, prompt: _prompt, ...domain }: HubDomain): z.infer<typeof hubDomain> => ({
  ...domain,
  supported_inputs: [...domain.supported_inputs],
  tags: [...domain.tags],
  sample_data: [],
})

/** The domains with built-in schemas. */
export function hubRoutes(): Route[] {
  const schemaRoute = (path: string, operation: string): Route =>
    route({
      method: 'post',
      path,
      operation,
      tag,
      scope: 'any',
      summary: 'Get the JSON Schema of a domain',
      body: schemaRequest,
      reply: { status: 200, description: 'The schema', schema: schemaResponse },
      failures: [404],
      handle: async ({ body: { domain } }) => ({
        json: await schemaResponseOf(domain, (await loadDomain(domain)).schema),
      }),
    })
  return [
    schemaRoute('/v1/schema', 'getDomainSchema'),
    schemaRoute('/v1/hub/schema', 'getHubSchema'),
    route({
      method: 'get',
      path: '/v1/hub/info',
      operation: 'getHubInfo',
      tag,
      scope: 'any',
      summary: 'Get the version of the built-in schemas',
      reply: {
        status: 200,
        description: 'The version',
        schema: z.object({ version: z.string() }).meta({ id: 'HubInfo' }),
      },
      handle: async () => ({ json: { version: hubVersion } }),
    }),
    route({
      method: 'get',
      path: '/v1/hub/domains',
      operation: 'listHubDomains',
      tag,
      scope: 'any',
      summary: 'List the domains with built-in schemas',
      reply: { status: 200, description: 'The domains', schema: z.array(hubDomain) },
      handle: async () => ({ json: (await listDomains()).map(domainOf) }),
    }),
    route({
      method: 'get',
      path: '/v1/hub/domains/{domain}',
      operation: 'hasHubDomain',
      tag,
      scope: 'any',
      summary: 'Whether a domain has a built-in schema',
      params: z.object({ domain: z.string() }),
      reply: { status: 200, description: 'true or false', schema: z.boolean() },
      handle: async ({ params }) => ({ json: (await findDomain(params.domain)) !== undefined }),
    }),
    ...trainingRoutes(),
  ]
}

/** Datasets and fine-tuning: lists are empty, and starting one is refused with a 4xx, because clients retry every 5xx. */
function trainingRoutes(): Route[] {
  const none = (path: string, operation: string): Route =>
    route({
      method: 'get',
      path,
      operation,
      tag,
      scope: 'any',
      summary: 'Always an empty list: this server trains no models',
      reply: { status: 200, description: 'An empty list', schema: z.array(z.unknown()) },
      handle: async () => ({ json: [] }),
    })
  const unknown = (path: string, operation: string, what: string): Route =>
    route({
      method: 'get',
      path,
      operation,
      tag,
      scope: 'any',
      summary: 'Always a 404: this server trains no models',
      params: z.object({ id: z.string() }),
      reply: { status: 200, description: 'Never sent' },
      failures: [404],
      handle: async () => {
        throw new Fault('missing', 'unknown_id', `There is no ${what} with this id: this server trains no models`)
      },
    })
  const refused = (path: string, operation: string, remedy: string): Route =>
    route({
      method: 'post',
      path,
      operation,
      tag,
      scope: 'execute',
      summary: 'Always refused: this server trains no models',
      body: z.looseObject({}),
      reply: { status: 200, description: 'Never sent' },
      failures: [400],
      handle: async () => {
        throw new Fault('invalid', 'not_supported', `This server trains no models. ${remedy}`)
      },
    })
  const cases =
    'Keep known answers as cases of a skill instead (POST /v1/skills/{id}/cases), and compile it to a program'
  return [
    none('/v1/datasets', 'listDatasets'),
    unknown('/v1/datasets/{id}', 'getDataset', 'dataset'),
    refused('/v1/datasets/create', 'createDataset', cases),
    none('/v1/fine_tuning/jobs', 'listFineTuningJobs'),
    unknown('/v1/fine_tuning/jobs/{id}', 'getFineTuningJob', 'fine-tuning job'),
    none('/v1/fine_tuning/models', 'listFineTunedModels'),
    refused('/v1/fine_tuning/create', 'createFineTuning', cases),
    refused(
      '/v1/fine_tuning/provision',
      'provisionFineTuned',
      'Route a model identifier to a model of your own in the configuration instead',
    ),
    refused(
      '/v1/fine_tuning/generate',
      'generateFineTuned',
      'Send the request to /v1/image/generate or /v1/video/generate with the model of a route instead',
    ),
  ]
}
