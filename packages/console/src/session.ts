import { signal } from './state.ts'
import type { SignInState } from './wire.ts'

const place = 'skillrun-key'
const workspacePlace = 'skillrun-workspace'

/** The key, kept for this tab alone and gone with it; null until one was given. */
export const key = signal<string | null>(sessionStorage.getItem(place))

/** Why the key is asked for again; empty when there is nothing to say. */
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

/** How people sign in here, and who is signed in in this browser; undefined until the server answered. */
export const signIn = signal<SignInState | undefined>(undefined)

/** The workspace that this tab works in, by its id; null: the user's first. A key has one of its own. */
export const chosenWorkspace = (): string | null => sessionStorage.getItem(workspacePlace)

/** Works in another workspace from now on: nothing on the page is of the earlier one. */
export function chooseWorkspace(id: string): void {
  sessionStorage.setItem(workspacePlace, id)
  location.assign('/')
}

/** Shows the sign-in page, because the session is over. */
export function forgetSession(problem = ''): void {
  const state = signIn.get()
  keyProblem.set(problem)
  if (state?.user) signIn.set({ ...state, user: null, csrf_token: null })
}
