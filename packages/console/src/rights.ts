import { call } from './api.ts'
import { takeDraft } from './reviews/draft.ts'
import { signal, useSignal } from './state.ts'
import type { Me } from './wire.ts'

/** What the console offers only with it. */
export type Scope = 'execute' | 'review' | 'skills:write' | 'admin'

/** The scopes of the key or user; undefined until the server has reported them. */
const scopes = signal<readonly string[] | undefined>(undefined)

/**
 * Asks what this key or user may do, after a sign-in; `signal`: until they sign out. Without an answer everything is offered, and the server
 * refuses.
 */
export async function loadRights(signal: AbortSignal): Promise<void> {
  scopes.set(undefined)
  const me = await call<Me>('/v1/me', { signal }).catch(() => undefined)
  // What comes late is about somebody else.
  if (signal.aborted) return
  scopes.set(me?.scopes)
  if (me) takeDraft(personOf(me))
}

/** A key is its holder's, whose name it has: a new one of the same name is the same person. */
const personOf = ({ kind, id, name, workspace }: Me): string =>
  kind === 'key' && name !== '' ? `${workspace.id} ${name}` : id

/** Whether to offer an action that needs this scope. */
export function useMay(): (scope: Scope) => boolean {
  const known = useSignal(scopes)
  return (scope) => known === undefined || known.includes('admin') || known.includes(scope)
}
