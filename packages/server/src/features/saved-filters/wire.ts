import { z } from 'zod'
import { actor, filterQuery } from '../executions/executions.ts'

const nameCharactersMax = 100

const name = z
  .string()
  .trim()
  .min(1, 'The name must not be blank')
  .max(nameCharactersMax)
  .describe('Unique in the workspace')

/** A query in stored form: times as text. */
const query = filterQuery
  .extend({ created_after: z.iso.datetime().optional(), created_before: z.iso.datetime().optional() })
  .describe('Query of GET /v1/agent/executions, without skip, limit and cursor')
export type FilterQuery = z.infer<typeof query>

export const savedFilter = z
  .object({
    id: z.string(),
    name,
    query,
    saved_by: actor.describe('Who saved it last'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'SavedFilter' })

/** Body of POST /v1/agent/executions/filters, and of PUT with an id. */
export const filterRequest = z
  .strictObject({
    name,
    query: filterQuery
      .refine((given) => Object.keys(given).length > 0, 'Give at least one field, such as {"status": "failed"}')
      .describe('Same fields as the query of GET /v1/agent/executions, without skip, limit and cursor'),
  })
  .meta({ id: 'SavedFilterRequest' })

/** A request's query in stored form. */
export const storedQuery = (given: z.infer<typeof filterQuery>): FilterQuery => ({
  ...given,
  created_after: given.created_after?.toISOString(),
  created_before: given.created_before?.toISOString(),
})
