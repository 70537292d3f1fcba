import { signal } from './state.ts'
import type { SignInState } from './wire.ts'

const place = 'skillrun-key'
const workspacePlace = 'skillrun-workspace'

/** The key of this tab, forgotten when it closes; null until given. */
export const key = signal<string | null>(sessionStorage.getItem(place))

/** Why the key is requested again; empty if there is no reason to show. */
export const keyProblem = signal('')

export function keepKey(text: string): void {
  sessionStorage.setItem(place, text)
  keyProblem.set('')
  key.set(text)
}

export function forgetKey(problem = ''): void {
  sessionStorage.removeItem(place)
  keyProblem.set(problem)
  key.set(null)
}

/** Sign-in methods, and the user signed in in this browser; undefined until the server answered. */
export const signIn = signal<SignInState | undefined>(undefined)

/** The id of the workspace of this tab; null: the user's first. A key has exactly one. */
export const chosenWorkspace = (): string | null => sessionStorage.getItem(workspacePlace)

/** Switches to another workspace and clears everything of the previous one. */
export function chooseWorkspace(id: string): void {
  sessionStorage.setItem(workspacePlace, id)
  location.assign('/')
}

/** Shows the sign-in page, because the session has ended. */
export function forgetSession(problem = ''): void {
  const state = signIn.get()
  keyProblem.set(problem)
  if (state?.user) signIn.set({ ...state, user: null, csrf_token: null })
}
