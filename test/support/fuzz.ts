import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { isJsonObject, type Json, type JsonObject } from '../../packages/core/src/json.ts'
import { bodySchemaOf, type Operation, operationsOf, resolver } from './slots.ts'

/** A random request, as sent over the wire. */
export interface MadeUpRequest {
  readonly operation: Operation
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

/** Texts that have broken other programs. */
export const nastyTexts: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '1e999',
  '9007199254740993',
  '../../etc/passwd',
  '..\\..\\windows',
  '%2e%2e%2f',
  '%00',
  "' or 1=1 --",
  '"; drop table files; --',
  '$(id)',
  '`id`',
  '{{7*7}}',
  '%s%s%n',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202e\u2066right to left',
  'e\u0301 and \u00e9',
  'ﬃ ſ İ ı ß',
  'Z̸̡͍a̷l̵g̶o̴',
  '👩‍👩‍👧‍👦 🏳️‍🌈',
  '中文字符 العربية עברית ไทย',
  '𐐷𝒳𝟘',
  '\u2028\u2029',
  'a'.repeat(300),
  '.'.repeat(5_000),
]

/** Requests for every operation of a document: mostly valid for its schemas, sometimes anything else. `known` are existing ids. */
export function requestsOf(document: JsonObject, known: readonly string[]): fc.Arbitrary<MadeUpRequest> {
  const resolve = resolver(document)
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known) },
    { weight: 3, arbitrary: fc.constantFrom(...nastyTexts) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  )
  const junk = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>, fc.double(), fc.bigInt().map(Number))
  const value = (schema: Json, depth: number): fc.Arbitrary<Json> => {
    const at = resolve(schema)
    const proper = properOf(at, depth)
    return fc.oneof({ weight: 12, arbitrary: proper }, { weight: 1, arbitrary: junk as fc.Arbitrary<Json> })
  }
  const properOf = (at: JsonObject, depth: number): fc.Arbitrary<Json> => {
    if (at['const'] !== undefined) return fc.constant(at['const'])
    if (Array.isArray(at['enum'])) return fc.constantFrom(...(at['enum'] as Json[]))
    const branches = (at['anyOf'] ?? at['oneOf']) as Json[] | undefined
    if (branches) return fc.oneof(...branches.map((branch) => value(branch, depth + 1)))
    switch (at['type']) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
      case 'number':
        return numberOf(at)
      case 'string':
        return at['format'] === 'date-time'
          ? fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
          : (text as fc.Arbitrary<Json>)
      case 'array':
        return depth > 6 ? fc.constant([]) : fc.array(value(at['items'] ?? {}, depth + 1), { maxLength: 3 })
      case 'object':
        return objectOf(at, depth)
      default:
        return junk as fc.Arbitrary<Json>
    }
  }
  const objectOf = (at: JsonObject, depth: number): fc.Arbitrary<Json> => {
    const properties = (at['properties'] ?? {}) as JsonObject
    const required = new Set((at['required'] ?? []) as string[])
    if (depth > 6) return fc.constant({})
    const named = Object.entries(properties).map(([name, child]) => {
      const given = value(child, depth + 1)
      const chance = required.has(name) ? 30 : 1
      return fc.oneof(
        { weight: chance, arbitrary: given.map((one) => [[name, one]] as const) },
        { weight: 2, arbitrary: fc.constant([] as const) },
      )
    })
    const others = isJsonObject(at['additionalProperties'])
      ? fc.array(fc.tuple(text, value(at['additionalProperties'], depth + 1)), { maxLength: 2 })
      : fc.constant([] as [string, Json][])
    return fc
      .tuple(fc.tuple(...named), others)
      .map(([own, more]) => Object.fromEntries([...own.flat(), ...more]) as JsonObject)
  }
  const operations = operationsOf(document)
  return fc.constantFrom(...operations).chain((operation) => requestOf(operation, { resolve, value, text }))
}

const numberOf = (at: JsonObject): fc.Arbitrary<Json> => {
  const low = Number(at['minimum'] ?? at['exclusiveMinimum'] ?? -10)
  const high = Math.min(Number(at['maximum'] ?? at['exclusiveMaximum'] ?? 1_000), low + 1_000)
  const integer = fc.integer({ min: Math.ceil(low), max: Math.max(Math.ceil(low), Math.floor(high)) })
  return at['type'] === 'integer' ? integer : fc.oneof(integer, fc.double({ min: low, max: high, noNaN: true }))
}

interface Makers {
  readonly resolve: (schema: Json) => JsonObject
  readonly value: (schema: Json, depth: number) => fc.Arbitrary<Json>
  readonly text: fc.Arbitrary<string>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Json
}

function requestOf(operation: Operation, { value, text }: Makers): fc.Arbitrary<MadeUpRequest> {
  const parameters = (operation.operation['parameters'] ?? []) as unknown as Parameter[]
  const textOf = (one: Parameter) =>
    fc.oneof(
      {
        weight: 5,
        arbitrary: value(one.schema, 0).map((given) =>
          typeof given === 'object' ? JSON.stringify(given) : String(given),
        ),
      },
      { weight: 1, arbitrary: text },
    )
  const given = parameters.map((one) =>
    textOf(one).chain((chosen) =>
      one.in === 'path' ? fc.constant(chosen) : fc.oneof(fc.constant(chosen), fc.constant(undefined)),
    ),
  )
  const schema = bodySchemaOf(operation.operation)
  const json = schema === undefined ? fc.constant(undefined) : value(schema, 0).map((body) => JSON.stringify(body))
  const broken = json.chain((whole) =>
    whole === undefined
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 15, arbitrary: fc.constant(whole) },
          { weight: 1, arbitrary: fc.nat(whole.length).map((at) => whole.slice(0, at)) },
        ),
  )
  const extra = fc.oneof(
    { weight: 5, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>>(
        { 'Idempotency-Key': 'one of the fuzz' },
        { 'X-Client-Id': 'python-sdk-1.0' },
        { 'X-Response-Shape': 'object' },
        { Range: 'bytes=0-3' },
        { Range: 'bytes=9999999999999999999-' },
        { 'If-None-Match': '*' },
        { 'Last-Event-ID': '999999999-999999999' },
        { 'Content-Type': 'text/plain' },
        { 'X-Forwarded-Proto': 'https' },
      ),
    },
  )
  return fc.tuple(fc.tuple(...given), broken, extra).map(([values, body, headers]) => ({
    operation,
    path: addressOf(operation.path, parameters, values),
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body,
  }))
}

function addressOf(path: string, parameters: readonly Parameter[], values: readonly (string | undefined)[]): string {
  const encoded = (value: string) => encodeURIComponent(value.toWellFormed())
  let address = path
  const query: string[] = []
  for (const [at, { name, in: place }] of parameters.entries()) {
    const value = values[at]
    // An empty or dotted segment would be another route.
    if (place === 'path')
      address = address.replace(`{${name}}`, () => encoded(value && !/^\.{0,2}$/.test(value) ? value : 'x'))
    else if (value !== undefined) query.push(`${name}=${encoded(value)}`)
  }
  return query.length ? `${address}?${query.join('&')}` : address
}

/** What is wrong with a reply, by the document; undefined when it matches. */
export type ReplyJudge = (
  operation: Operation,
  reply: { status: number; contentType: string; json: unknown },
) => string | undefined

/** Judges replies by the document: the status must be described, and JSON must match its schema. */
export function judgeBy(document: JsonObject): ReplyJudge {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema(document as object, 'document')
  return ({ path, method, operation }, { status, contentType, json }) => {
    if (status >= 500) return `answered ${status}`
    const responses = operation['responses'] as JsonObject
    const described = responses[String(status)] as JsonObject | undefined
    if (described === undefined)
      return `answered ${status}, which is not described: ${JSON.stringify(json)?.slice(0, 200)}`
    const content = described['content'] as JsonObject | undefined
    const types = Object.keys(content ?? {})
    if (!contentType.startsWith('application/json')) {
      const isDescribed = content === undefined || types.some((type) => type !== 'application/json')
      return isDescribed ? undefined : `answered ${status} as ${contentType || 'nothing'}, not ${types.join(', ')}`
    }
    const media = content?.['application/json'] as JsonObject | undefined
    if (media?.['schema'] === undefined)
      return types.length ? undefined : `answered ${status} with JSON that is not described`
    const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
    const pointer = `document#/paths/${escaped}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
    const validate = ajv.getSchema(pointer) ?? ajv.compile({ $ref: pointer })
    if (validate(json)) return undefined
    const [error] = validate.errors ?? []
    return `answered ${status} with JSON that is not as described: ${error?.instancePath} ${error?.message}: ${JSON.stringify(json)?.slice(0, 300)}`
  }
}
