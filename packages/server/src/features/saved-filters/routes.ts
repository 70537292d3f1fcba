import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId, newId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import { type Route, route } from '../../adapters/http/route.ts'
import { limits } from '../../core/limits.ts'
import {
  countFilters,
  deleteFilter,
  insertFilter,
  listFilters,
  lockFilters,
  replaceFilter,
  type SavedFilter,
} from './store.ts'
import { filterRequest, savedFilter, storedQuery } from './wire.ts'

const byId = z.object({ filter_id: z.string() })
const path = '/v1/agent/executions/filters'

/** Saved filters of the list of executions. Register them before `/v1/agent/executions/{id}`. */
export function savedFilterRoutes({ clock }: { readonly clock: Clock }): Route[] {
  return [listRoute(), createRoute(clock), replaceRoute(clock), deleteRoute()]
}

function listRoute(): Route {
  return route({
    method: 'get',
    path,
    operation: 'listSavedFilters',
    tag: 'executions',
    scope: 'read',
    summary: 'List the saved filters of this workspace, by name',
    reply: { status: 200, description: 'The filters', schema: z.array(savedFilter) },
    handle: async ({ db, caller }) => ({ json: (await listFilters(db, caller.workspaceId)).map(filterOf) }),
  })
}

function createRoute(clock: Clock): Route {
  return route({
    method: 'post',
    path,
    operation: 'createSavedFilter',
    tag: 'executions',
    scope: 'review',
    summary: 'Save a filter of the list of executions under a name, for everyone in the workspace',
    body: filterRequest,
    reply: { status: 201, description: 'The filter', schema: savedFilter },
    failures: [409, 413],
    handle: async ({ db, caller: { workspaceId, keyId }, body }) => {
      const now = clock.now()
      const filter = { workspaceId, keyId, id: newId(now), name: body.name, query: storedQuery(body.query), now }
      const saved = await db.transaction(async (tx) => {
        await lockFilters(tx, workspaceId)
        const inserted = await insertFilter(tx, filter)
        if (inserted && (await countFilters(tx, workspaceId)) > limits.savedFiltersMax)
          throw new Fault(
            'too_large',
            'too_many_filters',
            `This workspace has ${limits.savedFiltersMax} saved filters; delete one first`,
          )
        return inserted
      })
      if (!saved) throw taken(body.name)
      return { json: filterOf(saved) }
    },
  })
}

function replaceRoute(clock: Clock): Route {
  return route({
    method: 'put',
    path: `${path}/{filter_id}`,
    operation: 'replaceSavedFilter',
    tag: 'executions',
    scope: 'review',
    summary: 'Replace the name and the query of a saved filter',
    params: byId,
    body: filterRequest,
    reply: { status: 200, description: 'The filter', schema: savedFilter },
    failures: [404, 409],
    handle: async ({ db, caller: { workspaceId, keyId }, params, body }) => {
      const id = idOf(params.filter_id)
      const filter = { workspaceId, keyId, id, name: body.name, query: storedQuery(body.query), now: clock.now() }
      const saved = await db.transaction(async (tx) => {
        await lockFilters(tx, workspaceId)
        return replaceFilter(tx, filter)
      })
      if (saved) return { json: filterOf(saved) }
      if ((await listFilters(db, workspaceId)).some((one) => one.id === id)) throw taken(body.name)
      throw unknownFilter()
    },
  })
}

function deleteRoute(): Route {
  return route({
    method: 'delete',
    path: `${path}/{filter_id}`,
    operation: 'deleteSavedFilter',
    tag: 'executions',
    scope: 'review',
    summary: 'Delete a saved filter',
    params: byId,
    reply: { status: 200, description: 'The deleted filter', schema: savedFilter },
    failures: [404],
    handle: async ({ db, caller: { workspaceId }, params }) => {
      const deleted = await deleteFilter(db, { workspaceId, id: idOf(params.filter_id) })
      if (!deleted) throw unknownFilter()
      return { json: filterOf(deleted) }
    },
  })
}

const unknownFilter = () => new Fault('missing', 'unknown_filter', 'This workspace has no saved filter with this id')

const taken = (name: string) =>
  new Fault(
    'conflict',
    'filter_name_taken',
    `This workspace has another filter named ${JSON.stringify(name)}; choose another name, or replace that filter`,
  )

function idOf(text: string): string {
  const id = text.toLowerCase()
  if (!isId(id)) throw unknownFilter()
  return id
}

const filterOf = ({ id, name, query, savedBy, createdAt, updatedAt }: SavedFilter) => ({
  ...{ id, name, query, saved_by: savedBy },
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})
