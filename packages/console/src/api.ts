import { forgetKey, key } from './session.ts'
import type { StoredFile } from './wire.ts'

/** The server refused, or did not answer: `message` says so in words for people. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  /** HTTP status; 0 where there was no answer. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const unreachable = 'The server does not respond. It may be restarting; try again in a moment.'

export interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Calls a route with the key. Throws ApiFailure; a key that does not hold is forgotten. */
export async function callRaw(path: string, { method = 'GET', body, signal }: Call = {}): Promise<Response> {
  const used = key.get()
  const headers: Record<string, string> = { Authorization: `Bearer ${used ?? ''}` }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: 'omit',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiFailure(0, unreachable)
  }
  if (response.ok) return response
  const failure = new ApiFailure(response.status, sentenceOf(response.status, await response.text().catch(() => '')))
  if (response.status === 401 && used !== null && key.get() === used) forgetKey(failure.message)
  throw failure
}

/** Calls a route and reads its JSON. */
export async function call<T>(path: string, options: Call = {}): Promise<T> {
  return (await callRaw(path, options)).json() as Promise<T>
}

/** Whether the server takes this key; throws ApiFailure where it does not, with its reason. */
export async function tryKey(text: string): Promise<void> {
  let response: Response
  try {
    response = await fetch('/v1/health', { headers: { Authorization: `Bearer ${text}` }, credentials: 'omit' })
  } catch {
    throw new ApiFailure(0, unreachable)
  }
  if (!response.ok) throw new ApiFailure(response.status, sentenceOf(response.status, await response.text()))
}

interface Detail {
  readonly loc?: readonly (string | number)[]
  readonly msg?: string
}

/** What a failure's body says, as one text. */
function sentenceOf(status: number, text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: string | readonly Detail[] }
    if (typeof detail === 'string') return detail
    if (Array.isArray(detail)) {
      return detail
        .map(({ loc = [], msg = '' }: Detail) => {
          const place = loc.slice(1).join('.')
          return place ? `${place}: ${msg}` : msg
        })
        .join('\n')
    }
  } catch {
    // A proxy in between may answer with a page of its own.
  }
  return `The server returned an error (${status}) without an explanation.`
}

/** An upload under way: XMLHttpRequest, for fetch does not say how far it came. */
export function upload(
  file: File,
  options: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const form = new FormData()
    form.append('file', file, file.name || 'pasted')
    request.open('POST', '/v1/files')
    request.setRequestHeader('Authorization', `Bearer ${key.get() ?? ''}`)
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress(event.loaded / event.total)
    }
    request.onload = () => {
      if (request.status === 201) return resolve(JSON.parse(request.responseText) as StoredFile)
      const sentence = sentenceOf(request.status, request.responseText)
      if (request.status === 401) forgetKey(sentence)
      reject(new ApiFailure(request.status, sentence))
    }
    request.onerror = () =>
      reject(
        new ApiFailure(
          0,
          `The upload of ${file.name} was interrupted. The file may have changed, or the server is not reachable.`,
        ),
      )
    request.onabort = () => reject(new ApiFailure(0, 'The upload was cancelled.'))
    options.signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

/** What went wrong, for people. */
export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'An unexpected error occurred on this page.'
