import { assert } from '@skillrun/core/assert.ts'
import type { Route } from './route.ts'

/** Workspaces whose routes are kept made: about 100 KB each, and a fraction of a millisecond to make again. */
const workspacesKeptMax = 100

/** The route of the same place as it serves one workspace. */
export type RouteWithin = (place: number, workspaceId: string) => Route

/** Makes the routes of a workspace when it first calls and keeps those of the workspaces that called last. */
export function keepRoutesWithin(
  routes: readonly Route[],
  routesWithin: ((workspaceId: string) => readonly Route[]) | undefined,
): RouteWithin {
  const kept = new Map<string, readonly Route[]>()
  return (place, workspaceId) => {
    const theirs = kept.get(workspaceId) ?? routesWithin?.(workspaceId) ?? routes
    kept.delete(workspaceId)
    kept.set(workspaceId, theirs)
    if (kept.size > workspacesKeptMax) kept.delete(kept.keys().next().value ?? '')
    const route = theirs[place]
    assert(route?.operation === routes[place]?.operation, 'the routes of a workspace are in the order of all routes')
    return route as Route
  }
}
