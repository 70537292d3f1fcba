import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeAdmission } from './admission.ts'

/** An in-memory queue with real turn order, and the admission in front of it, with a stopped clock. */
function shop(bounds = { perTier: 1_000, perWorkspace: 1_000 }) {
  const waiting: { workspaceId: string; turn: number; order: number }[] = []
  let nowMs = 0
  const inOrder = () => waiting.toSorted((left, right) => left.turn - right.turn || left.order - right.order)
  const admission = makeAdmission(
    {
      clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs },
      queue: { waiting: async () => waiting.length, firstTurn: async () => inOrder()[0]?.turn ?? 0 },
      db: {
        query: async <Row extends object>(_text: string, params?: readonly unknown[]) =>
          [{ count: waiting.filter((one) => one.workspaceId === params?.[0]).length }] as Row[],
      },
    },
    bounds,
  )
  let order = 0
  return {
    async submit(workspaceId: string): Promise<void> {
      const turn = await admission.admit({ tier: 'flex', workspaceId })
      order += 1
      waiting.push({ workspaceId, turn, order })
    },
    serve(): string | undefined {
      const first = inOrder()[0]
      if (first) waiting.splice(waiting.indexOf(first), 1)
      return first?.workspaceId
    },
    /** Refreshes the counts. */
    later: () => {
      nowMs += 1_000
    },
  }
}

const served = (one: ReturnType<typeof shop>): string[] => {
  const all: string[] = []
  for (let next = one.serve(); next !== undefined; next = one.serve()) all.push(next)
  return all
}

test('a workspace that comes after a flood of another waits behind one of its jobs, then they alternate', async () => {
  const queue = shop()
  for (let count = 0; count < 100; count += 1) await queue.submit('flood')
  queue.later()
  for (let count = 0; count < 3; count += 1) await queue.submit('late')
  expect(served(queue).slice(0, 7)).toEqual(['flood', 'late', 'flood', 'late', 'flood', 'late', 'flood'])
})

test('with fresh counts, none is served twice while another waits unserved', async () => {
  const others = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(others, async (script) => {
      const queue = shop()
      for (let count = 0; count < 100; count += 1) await queue.submit('steady')
      const order: string[] = []
      for (const workspace of script) {
        queue.later()
        await queue.submit(workspace)
        order.push(queue.serve() ?? '')
      }
      // Each of the three others goes at most once between two turns of the one that always waits.
      const between = order.join(' ').split('steady')
      for (const gap of between) {
        const names = gap.trim().split(' ').filter(Boolean)
        expect(names.length).toBe(new Set(names).size)
      }
    }),
  )
})

test('the limits are exact, and refused executions are not counted', async () => {
  const queue = shop({ perTier: 3, perWorkspace: 2 })
  await queue.submit('a')
  await queue.submit('a')
  await expect(queue.submit('a')).rejects.toMatchObject({ code: 'workspace_full', kind: 'limited' })
  await queue.submit('b')
  await expect(queue.submit('c')).rejects.toMatchObject({ code: 'queue_full', kind: 'unavailable' })
  queue.serve()
  await expect(queue.submit('c')).rejects.toMatchObject({ code: 'queue_full' })
  queue.later()
  await queue.submit('c')
})
