import { call } from './api.ts'
import { takeDraft } from './reviews/draft.ts'
import { signal, useSignal } from './state.ts'
import type { Me } from './wire.ts'

/** What the console offers only with it. */
export type Scope = 'execute' | 'review' | 'skills:write' | 'admin'

/** The scopes of the key or user; undefined until the server has reported them. */
const scopes = signal<readonly string[] | undefined>(undefined)

/** Asks what this key or user may do, after a sign-in. Without an answer everything is offered, and the server refuses. */
export async function loadRights(): Promise<void> {
  scopes.set(undefined)
  const me = await call<Me>('/v1/me').catch(() => undefined)
  scopes.set(me?.scopes)
  if (me) takeDraft(me.id)
}

/** Whether to offer an action that needs this scope. */
export function useMay(): (scope: Scope) => boolean {
  const known = useSignal(scopes)
  return (scope) => known === undefined || known.includes('admin') || known.includes(scope)
}
