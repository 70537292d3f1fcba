import { chatOf } from '@skillrun/client/chat.ts'
import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { type Asking, type Http, makeHttp } from '@skillrun/client/http.ts'
import type { ChatCompletionRequest } from '@skillrun/client/openapi.ts'
import { uploadFile } from '@skillrun/client/upload.ts'
import { forgetDraft } from './reviews/draft.ts'
import { clearDraft } from './run/draft.ts'
import { chosenWorkspace, forgetKey, forgetSession, key, keyProblem, signIn } from './session.ts'
import type { SignInState, StoredFile } from './wire.ts'

/** Screens refresh themselves, so requests are not retried. Uses the key, or the cookie of a signed-in user. */
function httpWith(text: string | null): Http {
  const how = { url: location.origin, retries: 'never' } as const
  if (text !== null) return makeHttp({ ...how, key: text })
  const { csrf_token: token, user } = signIn.get() ?? {}
  const workspace = user ? user.workspace.id : chosenWorkspace()
  const headers = {
    ...(token ? { 'X-CSRF-Token': token } : {}),
    ...(workspace ? { 'X-Skillrun-Workspace': workspace } : {}),
  }
  return makeHttp({ ...how, headers, cookies: true })
}

/** Runs work with the key of this tab, or the session of this browser; forgets credentials that the server rejects. */
async function withKey<T>(work: (http: Http) => Promise<T>): Promise<T> {
  const used = key.get()
  const token = signIn.get()?.csrf_token
  try {
    return await work(httpWith(used))
  } catch (error) {
    const isRejected = error instanceof SkillrunFailure && error.status === 401
    if (isRejected && used !== null && key.get() === used) forgetKey(error.message)
    if (isRejected && used === null && token && signIn.get()?.csrf_token === token) forgetSession(error.message)
    throw error
  }
}

/** Asks who is signed in, and how people sign in. */
export async function loadSignIn(): Promise<void> {
  signIn.set(await httpWith(null).json<SignInState>('/v1/sign-in'))
}

/** Calls a sign-in route, which returns the signed-in user. */
export async function changeSignIn(path: string, body: object): Promise<void> {
  const state = await httpWith(null).json<SignInState>(path, { method: 'POST', body })
  keyProblem.set('')
  signIn.set(state)
}

/** Signs out: forgets the key of this tab, or ends the session of this browser, or all sessions of the user. */
export async function leave({ everywhere = false } = {}): Promise<void> {
  // The next person must not see it.
  clearDraft()
  forgetDraft()
  if (key.get() !== null) forgetKey()
  else await changeSignIn('/v1/sign-out', { everywhere }).catch((error: unknown) => forgetSession(stillOpen(error)))
}

/** What to say to somebody whose sign-out failed; nothing if the session had ended before. */
const stillOpen = (error: unknown): string =>
  error instanceof SkillrunFailure && error.status === 401
    ? ''
    : `You are still signed in: reload this page, and sign out again. ${wordsOf(error)}`

/** Calls a route. Throws SkillrunFailure. */
export const callRaw = (path: string, asking?: Asking): Promise<Response> => withKey((http) => http.send(path, asking))

/** Calls a route and reads its JSON. Throws SkillrunFailure. */
export const call = <T>(path: string, asking?: Asking): Promise<T> => withKey((http) => http.json<T>(path, asking))

/** Whether the server accepts this key; otherwise throws SkillrunFailure with the reason. */
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

/** The error message for people. */
export function wordsOf(error: unknown): string {
  if (isAway(error)) return 'The server does not respond. It may be restarting; try again in a moment.'
  return error instanceof Error ? error.message : 'An unexpected error occurred on this page.'
}

/** Whether the server did not respond at all. */
export const isAway = (error: unknown): boolean =>
  error instanceof SkillrunFailure && error.status === 0 && error.code !== 'upload_cut'

/** The chunks of a chat completion as they arrive. Throws SkillrunFailure. */
export const chatChunks = <T>(request: ChatCompletionRequest, signal: AbortSignal): AsyncGenerator<T> =>
  chatOf(httpWith(key.get())).stream<T>(request, { signal })
