import type { AgentExecutionResponse } from './openapi.ts'

/** One error in a request. */
export interface FailureDetail {
  /** Its path: `['body', 'config', 'json_schema']`. */
  readonly loc: readonly (string | number)[]
  /** The field in dotted form: `config.json_schema`; empty for the request as a whole. */
  readonly path: string
  readonly message: string
  readonly type: string
}

/**
 * The server refused a request or did not answer. `message` is the server's message, prefixed with the path of the field if there is one.
 */
export class SkillrunFailure extends Error {
  override name = 'SkillrunFailure'
  /** HTTP status; 0 without a complete reply. */
  readonly status: number
  readonly details: readonly FailureDetail[]
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /**
   * Why there was no reply, if the platform says: `ECONNREFUSED` and the like; `no_reply` after `replyMsMax`, `bad_reply` for invalid JSON.
   */
  readonly code: string | undefined

  constructor(
    message: string,
    said: {
      status: number
      details?: readonly FailureDetail[]
      requestId?: string | undefined
      retryAfterMs?: number | undefined
      code?: string | undefined
      cause?: unknown
    },
  ) {
    super(message, said.cause === undefined ? {} : { cause: said.cause })
    this.status = said.status
    this.details = said.details ?? []
    this.requestId = said.requestId
    this.retryAfterMs = said.retryAfterMs
    this.code = said.code
  }
}

/** An execution failed or was paused. Thrown by `run`; `runSettled` returns the record instead. */
export class ExecutionNotCompleted extends Error {
  override name = 'ExecutionNotCompleted'
  /** The complete record, including partial results. */
  readonly execution: AgentExecutionResponse
  /** `error.code` of the record, such as `needs_model` or `timeout`; `paused` for a paused execution. */
  readonly code: string
  /** Whether the same request may succeed later. A paused execution is resumed, not run again. */
  readonly retryable: boolean

  constructor(execution: AgentExecutionResponse) {
    const { id, status, error, usage } = execution
    const reason = error ? `${error.message} (${error.code})` : (usage.message ?? '')
    super(`Execution ${id} ${status === 'paused' ? 'was paused' : status}${reason ? `: ${reason}` : ''}`)
    this.execution = execution
    this.code = error?.code ?? status
    this.retryable = error?.retryable ?? false
  }
}

/** The failure in a reply with a status outside 200–299. */
export async function failureOf(reply: Response, base: string): Promise<SkillrunFailure> {
  const { status, headers } = reply
  if (status >= 300 && status < 400)
    return new SkillrunFailure(`${base} redirects to ${headers.get('location')}`, { status })
  const text = await reply.text().catch(() => '')
  return failureFrom(status, text, (name) => headers.get(name))
}

/** The same from the parts of a reply, for XMLHttpRequest. */
export function failureFrom(status: number, text: string, header: (name: string) => string | null): SkillrunFailure {
  const { sentence, details } = readBody(text)
  const seconds = Number(header('retry-after') ?? Number.NaN)
  return new SkillrunFailure(sentence ?? `The server returned ${status} without an explanation`, {
    status,
    details,
    requestId: header('x-request-id') ?? undefined,
    ...(Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: seconds * 1000 } : {}),
  })
}

function readBody(text: string): { sentence: string | undefined; details: readonly FailureDetail[] } {
  let body: { detail?: unknown; error?: { message?: unknown } } | null = null
  try {
    body = JSON.parse(text)
  } catch {
    // A proxy in between may answer with an HTML page.
  }
  // The chat routes use OpenAI's error format.
  const detail = body?.detail ?? body?.error?.message
  if (typeof detail === 'string') return { sentence: detail, details: [] }
  if (!Array.isArray(detail) || detail.length === 0) return { sentence: undefined, details: [] }
  const details = detail.map(detailOf)
  return {
    sentence: details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('\n'),
    details,
  }
}

/** First steps of a location; the rest is the field's path. */
const places = ['body', 'query', 'path', 'header']

function detailOf(value: unknown): FailureDetail {
  const { loc, msg, type } = (value ?? {}) as { loc?: unknown; msg?: unknown; type?: unknown }
  const steps = (Array.isArray(loc) ? loc : []) as (string | number)[]
  const inside = places.includes(String(steps[0])) ? steps.slice(1) : steps
  return { loc: steps, path: inside.join('.'), message: String(msg ?? 'not valid'), type: String(type ?? '') }
}
