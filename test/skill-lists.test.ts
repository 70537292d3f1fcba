import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

let now = new Date('2026-11-21T12:00:00Z')
const names = ['b', 'a', 'B', 'ä', '10', '9', 'a b', 'c']

/** The expected skills, oldest first. */
const made: { id: string; name: string; created_at: string; updated_at: string }[] = []

const service = await opened(openTestService({ clock: { now: () => now, monotonicMs: () => performance.now() } }))
beforeAll(async () => {
  for (let n = 0; n < 24; n++) {
    // Several at one moment, to get ties in every order.
    if (n % 4 === 0) now = new Date(now.getTime() + 1000)
    const body = { prompt: `Prompt ${n}`, name: names[n % names.length], is_public: n % 3 === 0 }
    made.push((await service.call('POST', '/v1/skills/create', { body })).json)
  }
  await service.call('POST', '/v1/skills/create', {
    body: { prompt: 'Theirs', name: 'theirs', is_public: false },
    key: await service.stranger(),
  })
})

const list = async (query: string) => (await service.call('GET', `/v1/skills${query}`)).json as typeof made

const orders = ['created_at', 'updated_at', 'name'] as const
type Order = (typeof orders)[number]

/** The expected list: everything sorted, ties by id, then cut. */
function expected(of: { order: Order; descending: boolean; grouped: boolean }): string[] {
  const latest = new Map(made.map((one) => [one.name, one.id]))
  const all = of.grouped ? made.filter((one) => latest.get(one.name) === one.id) : made
  const sorted = all.toSorted((a, b) => {
    const [one, other] = [a[of.order], b[of.order]]
    const byKey = Buffer.compare(Buffer.from(one), Buffer.from(other))
    return byKey || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
  })
  return (of.descending ? sorted.reverse() : sorted).map((one) => one.id)
}

describe('the list of skills', () => {
  test('is in the requested order on every page, with a stable order of ties', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...orders),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 30 }),
        async (order, descending, grouped, limit, offset) => {
          const query = `?order_by=${order}&descending=${descending}&grouped=${grouped}&limit=${limit}&offset=${offset}`
          const ids = (await list(query)).map((one) => one.id)
          expect(ids, query).toEqual(expected({ order, descending, grouped }).slice(offset, offset + limit))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('is newest first, at most fifty, and of all versions by default', async () => {
    const plain = await list('')
    expect(plain.map((one) => one.id)).toEqual(expected({ order: 'created_at', descending: true, grouped: false }))
    expect(Object.keys(plain[0] ?? {})).toEqual([
      'id',
      'name',
      'description',
      'skill_version',
      'skill_uri',
      'is_public',
      'created_at',
      'updated_at',
    ])
  })

  test('takes booleans as clients write them', async () => {
    for (const yes of ['true', 'True', '1']) expect(await list(`?grouped=${yes}`)).toHaveLength(names.length)
    for (const no of ['false', 'False', '0']) expect(await list(`?grouped=${no}`)).toHaveLength(made.length)
  })

  test('shows other workspaces the public versions, and grouped the newest public one of each name', async () => {
    const key = await service.stranger()
    const theirs = async (query: string) =>
      ((await service.call('GET', `/v1/skills${query}`, { key })).json as typeof made).map((one) => one.id)
    const isPublic = made.filter((_, n) => n % 3 === 0)
    const newest = new Map(isPublic.map((one) => [one.name, one.id]))
    const seen = await theirs('?order_by=created_at&descending=false&limit=1000')
    expect(seen.filter((id) => made.some((one) => one.id === id))).toEqual(
      expected({ order: 'created_at', descending: false, grouped: false }).filter((id) =>
        isPublic.some((one) => one.id === id),
      ),
    )
    expect(
      (await theirs('?grouped=true&limit=1000')).filter((id) => made.some((one) => one.id === id)).toSorted(),
    ).toEqual([...newest.values()].toSorted())
  })

  test.each([
    ['limit=0', 'greater_than_equal'],
    ['limit=1001', 'less_than_equal'],
    ['limit=x', 'integer_type'],
    ['offset=-1', 'greater_than_equal'],
    ['offset=1.5', 'integer_type'],
    ['order_by=size', 'enum'],
    ['descending=perhaps', 'value_error'],
    ['grouped=2', 'value_error'],
  ])('%s is 422', async (query, type) => {
    expect(await service.call('GET', `/v1/skills?${query}`)).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['query', query.split('=')[0]], type }] },
    })
  })

  test('is empty beyond its end', async () => {
    expect(await list('?offset=1000000')).toEqual([])
  })
})
