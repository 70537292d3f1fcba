import { expect, test } from 'vitest'
import { z } from 'zod'
import { route } from './route.ts'

const shown = {
  method: 'get',
  path: '/v1/things',
  operation: 'listThings',
  summary: 'Things',
  tag: 'things',
  scope: 'read',
  reply: { status: 200, description: 'Things', schema: z.object({ ids: z.array(z.string()) }) },
} as const

const request = {} as never

test('a handler may return read-only values that match its reply schema, or a failure', async () => {
  const ids: readonly string[] = ['one']
  const good = route({ ...shown, handle: async () => ({ json: { ids } }) })
  expect(await good.handle(request)).toEqual({ json: { ids } })
  const failing = route({ ...shown, handle: async () => ({ status: 404, json: { detail: 'There are none' } }) })
  expect(await failing.handle(request)).toMatchObject({ status: 404 })
})

test('a reply that does not match its schema does not compile', async () => {
  // @ts-expect-error: numbers are no ids
  const wrong = route({ ...shown, handle: async () => ({ json: { ids: [1] } }) })
  expect(await wrong.handle(request)).toEqual({ json: { ids: [1] } })
  // @ts-expect-error: there are no ids
  const missing = route({ ...shown, handle: async () => ({ json: {} }) })
  expect(await missing.handle(request)).toEqual({ json: {} })
})
