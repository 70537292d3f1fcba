/** A reply of a server with its JSON parsed. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a story looks at whatever the wire says.
  readonly json: any
}

/** Who calls which server; without a key when it is null. */
export interface Caller {
  readonly url: string
  readonly key: string | null
}

/** Calls a route; a `body` is sent as JSON, and what comes back is parsed when it is JSON. */
export async function callServer(
  { url, key }: Caller,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const sent: Record<string, string> = { ...(key === null ? {} : { Authorization: `Bearer ${key}` }), ...headers }
  if (body !== undefined) sent['Content-Type'] ??= 'application/json'
  const response = await fetch(url + path, {
    method,
    headers: sent,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return answerOf(response)
}

/** Uploads bytes as a file. */
export async function uploadTo({ url, key }: Caller, bytes: Uint8Array | string, filename: string): Promise<Answer> {
  const body = new FormData()
  body.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), filename)
  return answerOf(await fetch(`${url}/v1/files`, { method: 'POST', headers: { Authorization: `Bearer ${key}` }, body }))
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = /^application\/([\w.-]+\+)?json(;|$)/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : text }
}
