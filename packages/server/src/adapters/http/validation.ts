import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { z } from 'zod'

/** One entry of a 422 body, the closed service's `HTTPValidationError`. */
export interface ValidationDetail {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
  readonly input?: unknown
  readonly ctx?: Readonly<Record<string, Json>>
}

/** A request that fails validation; answered with 422 and these details. */
export class ValidationFailure extends Error {
  override name = 'ValidationFailure'
  readonly details: readonly ValidationDetail[]

  constructor(details: readonly ValidationDetail[]) {
    super('the request is not valid')
    this.details = details
  }
}

/**
 * The code and sentence of an error that sending the request again cannot avoid: it is not valid, or a Fault is not retryable. Undefined for
 * other errors.
 */
export function refusalIn(error: unknown): { readonly code: string; readonly message: string } | undefined {
  if (error instanceof ValidationFailure) return { code: 'invalid', message: error.details[0]?.msg ?? error.message }
  return error instanceof Fault && !error.retryable ? { code: error.code, message: error.message } : undefined
}

/** Rejects a value for a rule that a schema cannot express, such as a lookup or a rule over two fields. */
export function invalid(
  loc: readonly (string | number)[],
  msg: string,
  more: { type?: string; input?: unknown; ctx?: Record<string, Json> } = {},
): ValidationFailure {
  return new ValidationFailure([
    {
      loc,
      msg,
      type: more.type ?? 'value_error',
      ...(more.input === undefined || isSecret(loc) ? {} : { input: echoed(more.input) }),
      ...(more.ctx ? { ctx: more.ctx } : {}),
    },
  ])
}

/** Rejects text that PostgreSQL cannot store unchanged. `locOf` is only called for rejected text. */
export function refuseText(text: string, locOf: () => readonly (string | number)[]): void {
  if (text.includes('\u0000'))
    throw invalid(locOf(), 'Text should not contain the NUL character', { type: 'string_nul' })
  if (!text.isWellFormed())
    throw invalid(locOf(), 'Text should be well-formed Unicode, without unpaired surrogates', {
      type: 'string_unicode',
    })
}

/** Parses a part of a request. Throws a ValidationFailure whose locations begin with `part`. */
export function parsePart<T>(schema: z.ZodType<T>, value: unknown, part: 'body' | 'query' | 'path'): T {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw new ValidationFailure(result.error.issues.slice(0, detailsMax).map((issue) => detailOf(issue as Issue, [part])))
}

/** More errors would only make the reply as large as the request. */
const detailsMax = 50
/** The longest text of a rejected input that a reply repeats. */
const echoedCharactersMax = 500
/** Headers whose values never appear in replies. */
const secretHeaders: ReadonlySet<unknown> = new Set(['authorization', 'proxy-authorization', 'cookie'])

const isSecret = ([part, name]: readonly (string | number)[]): boolean => part === 'header' && secretHeaders.has(name)

interface Issue {
  readonly code: string
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly input?: unknown
  readonly expected?: string
  readonly origin?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly inclusive?: boolean
  readonly format?: string
  readonly pattern?: string
  readonly values?: readonly unknown[]
  readonly errors?: readonly (readonly Issue[])[]
  readonly discriminator?: string
  readonly options?: readonly unknown[]
  readonly keys?: readonly string[]
  /** Of a rule of our own: see `unsupported` in schemas.ts. */
  readonly params?: { readonly code?: string }
}

const typeNames: Record<string, string> = {
  string: 'string',
  number: 'number',
  int: 'integer',
  boolean: 'boolean',
  object: 'object',
  record: 'object',
  array: 'array',
  date: 'datetime',
}

function detailOf(issue: Issue, prefix: readonly (string | number)[]): ValidationDetail {
  const loc = [...prefix, ...issue.path.map((step) => (typeof step === 'number' ? step : shortened(String(step))))]
  const input = echoed(issue.input)
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return { loc, msg: 'Field required', type: 'missing', input: null }
      const name = typeNames[issue.expected ?? ''] ?? issue.expected ?? 'value'
      return { loc, msg: `Input should be a valid ${name}`, type: `${name}_type`, input }
    }
    case 'too_small':
    case 'too_big':
      return boundDetail(issue, loc, input)
    case 'invalid_value': {
      const expected = (issue.values ?? []).map((value) => JSON.stringify(value)).join(', ')
      const msg = ownWords(issue) ?? `Input should be one of ${expected}`
      return { loc, msg, type: 'enum', input, ctx: { expected } }
    }
    case 'invalid_union': {
      if (issue.discriminator) {
        const expected = (issue.options ?? []).map((option) => JSON.stringify(option)).join(', ')
        return {
          loc,
          msg: `Input tag '${issue.discriminator}' should be one of ${expected}`,
          type: 'union_tag_invalid',
          input,
          ctx: { discriminator: issue.discriminator, expected_tags: expected },
        }
      }
      const nearest = nearestBranch(issue.errors ?? [])
      if (nearest) return detailOf(nearest, loc)
      return { loc, msg: issue.message, type: 'value_error', input }
    }
    case 'invalid_format':
      return {
        loc,
        msg:
          ownWords(issue) ??
          `Input should ${issue.format === 'regex' ? `match ${issue.pattern}` : `be a valid ${issue.format}`}`,
        type: `${issue.format}_format`,
        input,
        ctx: { format: issue.format ?? '' },
      }
    case 'unrecognized_keys': {
      const name = shortened(issue.keys?.[0] ?? '')
      return { loc: [...loc, name], msg: `Unknown parameter: ${JSON.stringify(name)}`, type: 'unknown_parameter' }
    }
    default:
      return { loc, msg: issue.message, type: issue.params?.code ?? 'value_error', input }
  }
}

/** A custom message of the schema; undefined when the message is the library's default. */
const ownWords = ({ message }: Issue): string | undefined => (message.startsWith('Invalid ') ? undefined : message)

/** Nouns for the length of a value, singular and plural. */
const countedNouns: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  object: ['name', 'names'],
}

function boundDetail(issue: Issue, loc: readonly (string | number)[], input: unknown): ValidationDetail {
  const low = issue.code === 'too_small'
  const bound = Number(low ? issue.minimum : issue.maximum)
  const nouns = countedNouns[issue.origin ?? '']
  if (nouns) {
    const msg = `Input should have at ${low ? 'least' : 'most'} ${bound} ${nouns[bound === 1 ? 0 : 1]}`
    return {
      loc,
      msg,
      type: `${issue.origin}_too_${low ? 'short' : 'long'}`,
      input,
      ctx: { [low ? 'min_length' : 'max_length']: bound },
    }
  }
  const inclusive = issue.inclusive !== false
  const words = `${low ? 'greater' : 'less'} than ${inclusive ? 'or equal to ' : ''}`
  return {
    loc,
    msg: `Input should be ${words}${bound}`,
    type: `${low ? 'greater' : 'less'}_than${inclusive ? '_equal' : ''}`,
    input,
    ctx: { [`${low ? 'g' : 'l'}${inclusive ? 'e' : 't'}`]: bound },
  }
}

/** Of the branches of a union, the first issue with the deepest path: it describes best what the caller meant. */
function nearestBranch(branches: readonly (readonly Issue[])[]): Issue | undefined {
  let nearest: Issue | undefined
  for (const branch of branches) {
    const first = branch[0]
    if (first && (!nearest || first.path.length > nearest.path.length)) nearest = first
  }
  return nearest
}

const shortened = (text: string): string =>
  text.length > echoedCharactersMax ? `${text.slice(0, echoedCharactersMax)}…` : text

/** A rejected input, shortened: the reply must not be as large as a 16 MB request. */
function echoed(input: unknown): unknown {
  if (input === undefined) return null
  if (typeof input === 'string') return shortened(input)
  if (typeof input === 'bigint' || typeof input === 'symbol' || typeof input === 'function') return String(input)
  if (typeof input !== 'object' || input === null) return input
  const text = beginningOf(input)
  return text.length > echoedCharactersMax ? shortened(text) : input
}

/** The JSON of a value, or a prefix just beyond the limit, without visiting the rest of a large value. */
function beginningOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, echoedCharactersMax + 1))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const isArray = Array.isArray(value)
  let text = isArray ? '[' : '{'
  for (const key in value) {
    if (text.length > 1) text += ','
    if (!isArray) text += `${beginningOf(key)}:`
    text += beginningOf(value[key as keyof typeof value])
    if (text.length > echoedCharactersMax) return text
  }
  return text + (isArray ? ']' : '}')
}
