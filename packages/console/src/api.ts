import { chatOf } from '@skillrun/client/chat.ts'
import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { type Asking, type Http, makeHttp } from '@skillrun/client/http.ts'
import type { ChatCompletionRequest } from '@skillrun/client/openapi.ts'
import { uploadFile } from '@skillrun/client/upload.ts'
import { forgetKey, key } from './session.ts'
import type { StoredFile } from './wire.ts'

/** Screens ask again by themselves, so a request is sent once. */
const httpWith = (text: string | null): Http =>
  makeHttp({ url: location.origin, key: text ?? undefined, retries: 'never' })

/** Runs work with the key of this tab; a key that the server rejects is forgotten. */
async function withKey<T>(work: (http: Http) => Promise<T>): Promise<T> {
  const used = key.get()
  try {
    return await work(httpWith(used))
  } catch (error) {
    const isRejected = error instanceof SkillrunFailure && error.status === 401
    if (isRejected && used !== null && key.get() === used) forgetKey(error.message)
    throw error
  }
}

/** Calls a route. Throws SkillrunFailure. */
export const callRaw = (path: string, asking?: Asking): Promise<Response> => withKey((http) => http.send(path, asking))

/** Calls a route and reads its JSON. Throws SkillrunFailure. */
export const call = <T>(path: string, asking?: Asking): Promise<T> => withKey((http) => http.json<T>(path, asking))

/** Whether the server takes this key; throws SkillrunFailure where it does not, with its reason. */
export async function tryKey(text: string): Promise<void> {
  await httpWith(text).send('/v1/health')
}

export const upload = (
  file: File,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<StoredFile> =>
  withKey((http) =>
    uploadFile(http, file, {
      filename: file.name || 'pasted',
      onProgress: (sent, total) => onProgress(sent / total),
      signal,
    }),
  )

/** What went wrong, for people. */
export function wordsOf(error: unknown): string {
  if (isAway(error)) return 'The server does not respond. It may be restarting; try again in a moment.'
  return error instanceof Error ? error.message : 'An unexpected error occurred on this page.'
}

/** Whether the server did not respond at all. */
export const isAway = (error: unknown): boolean =>
  error instanceof SkillrunFailure && error.status === 0 && error.code !== 'upload_cut'

/** The chunks of a chat completion as they come. Throws SkillrunFailure. */
export const chatChunks = <T>(request: ChatCompletionRequest, signal: AbortSignal): AsyncGenerator<T> =>
  chatOf(httpWith(key.get())).stream<T>(request, { signal })
