import { expect, test } from 'vitest'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import type { Model } from '../packages/server/src/adapters/models/model.ts'
import { createScriptedModel } from '../packages/server/src/adapters/models/scripted/scripted.ts'
import { makeModels } from '../packages/server/src/features/models/models.ts'
import type { EngineParts } from '../packages/server/src/features/runs/parts.ts'
import { ledgerOf, openAcceptingService, pricedModels, pricedUsage as usage } from './support/accepting.ts'
import { dyingAtEach } from './support/dying.ts'
import { opened } from './support/opened.ts'

const accepting = await opened(openAcceptingService())

const schema = {
  type: 'object',
  properties: { mood: { type: ['string', 'null'] }, rating: { type: ['integer', 'null'] } },
  required: ['mood', 'rating'],
}

const { route } = makeModels(
  {
    models: {
      'mine/small': { input: 200_000, output: 1_000_000 },
      'mine/large': { input: 2_000_000, output: 12_000_000 },
    },
  },
  [{ name: 'mine', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', fast: 'small', pro: 'large' }],
)
/** 1,000 tokens of input and 100 of output of both models. */
const [smallMicros, largeMicros] = [300, 3_200]

function partsOf(db: Db): { parts: EngineParts; asked: () => readonly number[] } {
  const answering = (name: string, text: string) => createScriptedModel(() => ({ usage, text }), name)
  const small = answering('mine/small', '{"mood": "calm", "rating": 3}')
  const large = answering('mine/large', '{"mood": "calm", "rating": 4}')
  const open = async ({ name }: { readonly name: string }): Promise<Model> => (name === small.name ? small : large)
  const models = { ...pricedModels(large), route, open }
  return { asked: () => [small.requests.length, large.requests.length], parts: accepting.partsOf(db, { models }) }
}

test('a process that dies at any statement of a run on the cheapest path asks no rung again, bills each once, and learns once', async () => {
  const { service, accept } = accepting
  const { db } = service.database
  const deaths = await dyingAtEach(db, async (mortal, at) => {
    const execution = await accept({
      inputs: { note: { type: 'text', text: 'Nobody was there.' } },
      config: { json_schema: schema, path: 'cheapest', prompt: `Read note ${at}` },
    })
    const check = async () => {
      const recorded = await db.query<{ name: string }>(
        `select name from steps where execution_id = $1 and kind = 'model' and name <> 'embedded'`,
        [execution.id],
      )
      const count = (name: string) => recorded.filter((step) => step.name === name).length
      const again = partsOf(db)
      await execution.run(again.parts, 1)

      const { json: record } = await service.call('GET', `/v1/agent/executions/${execution.id}`)
      expect(record, `statement ${at}: ${JSON.stringify(record.error)}`).toMatchObject({
        status: 'completed',
        response: { mood: 'calm', rating: 4 },
        path: {
          fields: { '/mood': 'mine/large', '/rating': 'mine/large' },
          engines: { 'mine/small': { calls: 1 }, 'mine/large': { calls: 1 } },
        },
      })
      expect(again.asked()).toEqual([1 - count('mine/small'), 1 - count('mine/large')])
      expect(await ledgerOf(db, execution.id)).toEqual({ settled: smallMicros + largeMicros, open: 0 })
      const learned = await db.query<{
        checks: number
        standings: { model: Record<string, { k: number; n: number }> }
      }>(`select checks, standings from paths join executions on path->>'key' = key_sha256 where id = $1`, [
        execution.id,
      ])
      expect(learned).toMatchObject([
        { checks: 1, standings: { model: { '/mood': { k: 0, n: 1 }, '/rating': { k: 1, n: 1 } } } },
      ])
    }
    return { work: () => execution.run(partsOf(mortal).parts, 0), check }
  })
  expect(deaths).toBeGreaterThan(14)
})
