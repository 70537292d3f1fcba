import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type JsonSchema } from '@skillrun/core/json.ts'
import { z } from 'zod'

/** Changes with the built-in schemas. */
export const hubVersion = '20261123'

/** A kind of document or medium with a built-in schema. */
export interface HubDomain {
  readonly domain: string
  readonly name: string
  readonly description: string
  readonly supported_inputs: readonly string[]
  readonly tags: readonly string[]
  /** The prompt for a model; null: the schema is enough, also for the embedded engine. */
  readonly prompt: string | null
  readonly schema: JsonSchema
}

const shippedDomains = z.record(
  z.string(),
  z.object({
    description: z.string(),
    prompt: z.string().nullable(),
    supported_inputs: z.array(z.string()),
    tags: z.array(z.string()),
    json_schema: z.custom<JsonSchema & { readonly title: string }>(isJsonObject),
  }),
)

/** Read at first use, because a start does not need them. */
let shipped: Promise<ReadonlyMap<string, HubDomain>> | undefined

async function readShipped(): Promise<ReadonlyMap<string, HubDomain>> {
  const { default: domains } = await import('./domains.json', { with: { type: 'json' } })
  return new Map(
    Object.entries(shippedDomains.parse(domains)).map(([domain, { json_schema: schema, ...rest }]) => [
      domain,
      { domain, name: schema.title, ...rest, schema },
    ]),
  )
}

const byName = (): Promise<ReadonlyMap<string, HubDomain>> => (shipped ??= readShipped())

export const listDomains = async (): Promise<readonly HubDomain[]> => [...(await byName()).values()]
export const findDomain = async (domain: string): Promise<HubDomain | undefined> => (await byName()).get(domain)

/** Throws Fault `missing` for an unknown domain. */
export async function loadDomain(domain: string): Promise<HubDomain> {
  const found = await findDomain(domain)
  if (found) return found
  throw new Fault(
    'missing',
    'unknown_domain',
    `There is no domain ${JSON.stringify(domain)}; GET /v1/hub/domains lists them. For other documents send config.json_schema without a domain`,
  )
}

export const schemaResponse = z
  .object({
    domain: z.string(),
    description: z.string(),
    schema_version: z.string(),
    schema_hash: z.string().describe('SHA-256 of the schema as canonical JSON (RFC 8785)'),
    gql_stmt: z.string().describe('Always empty: GraphQL selections are not supported'),
    json_schema: z.looseObject({}),
    json_sample: z.null(),
  })
  .meta({ id: 'SchemaResponse' })
export type SchemaResponse = z.infer<typeof schemaResponse>

/** A schema in the format of the closed service. */
export const schemaResponseOf = async (
  domain: string,
  { title, ...schema }: JsonSchema & { title?: unknown; description?: unknown },
): Promise<SchemaResponse> => {
  const named = { title: typeof title === 'string' ? title : 'Document', ...schema }
  return {
    domain,
    description: typeof schema.description === 'string' ? schema.description : '',
    schema_version: hubVersion,
    schema_hash: await canonicalSha256(named),
    gql_stmt: '',
    json_schema: named as Record<string, unknown>,
    json_sample: null,
  }
}
