import { signal } from './state.ts'

const place = 'skillrun-key'

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
