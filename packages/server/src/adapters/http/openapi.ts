import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { invalidStatusOf, speaksAnthropic, speaksMcp, speaksOpenAi } from './failure-form.ts'
import { bugSentence } from './faults.ts'
import type { Route } from './route.ts'
import { shownInPlaceOf } from './schemas.ts'

/** The general description of the API, in Markdown. */
const apiDescription = `Runs agents with skills over any media and answers with an execution record.

**Requests.** JSON bodies are UTF-8 without \`Content-Encoding\`: a compressed body is answered 415 with \`Accept-Encoding: identity\`. Unknown fields of a body and unknown query parameters are ignored, so that clients that send more than this server knows keep working. The reply's header \`X-Ignored-Fields\` lists them, each percent-encoded, with the most similar known name: \`query.statuss;nearest=query.status, body.note\`. Check it when a filter seems to have no effect. An explicit \`null\` means that the field is absent.

**Numbers.** A number that a 64-bit float cannot represent exactly, such as an integer beyond 2^53, is rejected (422 \`number_inexact\`): send it as a string. Answers contain no rounded integers either: a field that may hold longer numbers should be a string in the schema.

**Schemas.** A schema has to name the fields of the answer. A schema that every object matches, such as \`{"type": "object"}\` alone, is rejected (422 \`json_schema\`). For free text leave the schema out; for any JSON object use \`response_format: {"type": "json_object"}\` in a chat.

**Names and versions.** Agents and skills are referred to as \`<name>:<version>\`. A name has no colon. Versions count 1, 2, 3 … for each name; \`latest\`, in upper or lower case, or no version means the newest. Each create of a skill makes a version, also with identical content: such versions have the same \`bundle_sha256\` and, if created on the same day, the same version string, which then means the newer one.

**Callers.** Programs show a key as \`Authorization: Bearer <key>\`. The console of a signed-in user sends a session cookie, and with every request the \`csrf_token\` of \`GET /v1/sign-in\` as \`X-CSRF-Token\`; \`X-Skillrun-Workspace\` names one of the user's workspaces by its id. A cookie beside a key is ignored.

**Rate limits.** Every reply to a request with a valid key has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, including a 404 for an unknown id. An unknown path (404) and a method that a path does not have (405) are answered before the key is checked: they do not count and have no such headers.`

/** Date and number; raised when the interface changes. */
const interfaceVersion = '2026-11-22.0'

const failureWords: Record<number, string> = {
  400: 'The request cannot be processed',
  401: 'The key is missing or not valid, the session is over, or the password is not right',
  402: 'The budget is exhausted',
  403: 'The key or role lacks the scope of this route, or the request is from a foreign page',
  404: 'No such id or name in this workspace',
  408: 'The body arrived too slowly or incompletely',
  409: 'The current state does not allow this',
  410: 'It was used already, or its time is over',
  413: 'The body is larger than the limit',
  415: 'The content type or Content-Encoding is not supported',
  416: 'The range is outside the content',
  422: 'The request is not valid',
  429: 'Too many requests; Retry-After says when to retry',
  500: bugSentence,
  503: 'Temporarily unavailable; Retry-After says when to retry',
}

const detailSchema: JsonObject = {
  type: 'object',
  properties: {
    detail: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
          msg: { type: 'string' },
          type: { type: 'string' },
          input: {},
          ctx: { type: 'object' },
        },
        required: ['loc', 'msg', 'type'],
      },
    },
  },
  required: ['detail'],
}
const openAiFailureSchema: JsonObject = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        code: { type: ['string', 'null'] },
        param: { type: ['string', 'null'] },
      },
      required: ['message', 'type', 'code', 'param'],
    },
  },
  required: ['error'],
}
const anthropicFailureSchema: JsonObject = {
  type: 'object',
  properties: {
    type: { const: 'error' },
    error: {
      type: 'object',
      properties: {
        type: { type: 'string' },
        message: { type: 'string' },
        code: { type: ['string', 'null'] },
        details: { type: ['object', 'null'], properties: { error_code: { type: 'string' } } },
      },
      required: ['type', 'message', 'code', 'details'],
    },
  },
  required: ['type', 'error'],
}
const mcpFailureSchema: JsonObject = {
  type: 'object',
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: 'null' },
    error: {
      type: 'object',
      properties: { code: { type: 'integer' }, message: { type: 'string' }, data: { type: 'object' } },
      required: ['code', 'message', 'data'],
    },
  },
  required: ['jsonrpc', 'id', 'error'],
}
const failureSchema: JsonObject = { type: 'object', properties: { detail: { type: 'string' } }, required: ['detail'] }

/** An OpenAPI document. */
export interface OpenApi extends JsonObject {
  readonly openapi: string
}

/** The OpenAPI 3.1 document of these routes, generated from the schemas that validate requests. */
export function openApiOf(routes: readonly Route[]): OpenApi {
  const schemas: Record<string, Json> = {
    HTTPValidationError: detailSchema,
    Failure: failureSchema,
    OpenAIFailure: openAiFailureSchema,
    AnthropicFailure: anthropicFailureSchema,
    McpFailure: mcpFailureSchema,
  }
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    if (route.hidden) continue
    const operations = paths[route.path] ?? {}
    operations[route.method] = operationOf(route, schemas)
    paths[route.path] = operations
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Skillrun',
      version: interfaceVersion,
      description: apiDescription,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths: paths as JsonObject,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, schemas },
  }
}

function operationOf(route: Route, schemas: Record<string, Json>): JsonObject {
  const responses: Record<string, Json> = {}
  const { schema, contentType } = route.reply
  const content = {
    ...(schema ? { 'application/json': { schema: schemaOf(schema, 'output', schemas) } } : {}),
    ...(contentType || !schema ? { [contentType ?? 'application/octet-stream']: {} } : {}),
  }
  responses[route.reply.status] = { description: route.reply.description, content }
  for (const other of route.otherReplies ?? []) {
    responses[other.status] = {
      description: other.description,
      ...(other.contentType ? { content: { [other.contentType]: {} } } : {}),
    }
  }
  const always = route.scope === 'public' ? [500] : [401, 403, 429, 500, 503]
  const invalid = invalidStatusOf(route.path)
  const body = route.body ? [408, 413, 415, invalid] : []
  const parts = route.params || route.query ? [invalid] : []
  for (const status of [...new Set([...always, ...body, ...parts, ...(route.failures ?? [])])].sort()) {
    const name = failureSchemaOf(route.path, status)
    responses[status] = {
      description: failureWords[status] ?? '',
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    }
  }
  return {
    operationId: route.operation,
    summary: route.summary,
    tags: [route.tag],
    ...(route.scope === 'public' ? { security: [] } : {}),
    ...parametersOf(route, schemas),
    ...bodyOf(route, schemas),
    responses,
  }
}

function failureSchemaOf(path: string, status: number): string {
  if (speaksOpenAi(path)) return 'OpenAIFailure'
  if (speaksAnthropic(path)) return 'AnthropicFailure'
  if (speaksMcp(path)) return 'McpFailure'
  return status === 422 ? 'HTTPValidationError' : 'Failure'
}

function parametersOf(route: Route, schemas: Record<string, Json>): JsonObject {
  const parameters: Json[] = []
  for (const place of ['path', 'query'] as const) {
    const schema = place === 'path' ? route.params : route.query
    if (!schema) continue
    const object = schemaOf(schema, 'input', schemas)
    const required = Array.isArray(object['required']) ? object['required'] : []
    for (const [name, property] of Object.entries(isJsonObject(object['properties']) ? object['properties'] : {})) {
      const description =
        isJsonObject(property) && typeof property['description'] === 'string'
          ? { description: property['description'] }
          : {}
      parameters.push({
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        schema: property,
        ...description,
      })
    }
  }
  return parameters.length ? { parameters } : {}
}

function bodyOf(route: Route, schemas: Record<string, Json>): JsonObject {
  if (!route.body) return {}
  if (route.body === 'stream') {
    const schema = {
      type: 'object',
      properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      required: ['file'],
    }
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  }
  return {
    requestBody: {
      required: !route.body.safeParse(undefined).success,
      content: { 'application/json': { schema: schemaOf(route.body, 'input', schemas) } },
    },
  }
}

/** Converts a zod schema to JSON Schema. Schemas named by `.meta({ id })` go to the document's components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Json>): JsonObject {
  const made: unknown = z.toJSONSchema(z.object({ it: schema }), {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      const shown = shownInPlaceOf(zodSchema)
      if (!shown) return
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[key]
      Object.assign(jsonSchema, schemaOf(shown, io, schemas))
    },
  })
  const wrapped = JSON.parse(JSON.stringify(made)) as JsonObject
  const hoist = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(hoist)
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value).filter(
      ([key]) =>
        key !== 'id' || typeof value['id'] !== 'string' || !('type' in value || 'anyOf' in value || 'oneOf' in value),
    )
    return Object.fromEntries(
      entries.map(([key, item]) => [
        key,
        key === '$ref' && typeof item === 'string' ? item.replace('#/$defs/', '#/components/schemas/') : hoist(item),
      ]),
    )
  }
  for (const [name, definition] of Object.entries(isJsonObject(wrapped['$defs']) ? wrapped['$defs'] : {}))
    schemas[name] = hoist(definition)
  const properties = wrapped['properties']
  return hoist(isJsonObject(properties) ? (properties['it'] ?? {}) : {}) as JsonObject
}
