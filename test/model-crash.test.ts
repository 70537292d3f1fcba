import { expect, test } from 'vitest'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import type { ModelRequest } from '../packages/server/src/adapters/models/model.ts'
import { createScriptedModel, type ScriptedTurn } from '../packages/server/src/adapters/models/scripted/scripted.ts'
import { makeModels } from '../packages/server/src/features/models/models.ts'
import type { EngineParts } from '../packages/server/src/features/runs/parts.ts'
import { ledgerOf, openAcceptingService, pricedModels, pricedUsage as usage } from './support/accepting.ts'
import { invoiceLines, invoiceSchema } from './support/documents.ts'
import { dyingAtEach } from './support/dying.ts'
import { opened } from './support/opened.ts'

const accepting = await opened(openAcceptingService())

/** Two concurrent calls, an invalid answer, the answer: three turns, which depend only on the request. */
function script({ messages }: ModelRequest): ScriptedTurn {
  if (!messages.some((message) => message.role === 'tool'))
    return {
      usage,
      toolCalls: [
        { id: 'a', name: 'document_search', input: { query: 'total' } },
        { id: 'b', name: 'core_calculate', input: { formulas: ['120 + 24'] } },
      ],
    }
  const corrected = messages.filter((message) => message.role === 'user').length > 1
  const total = corrected ? 144 : '144'
  return { usage, text: JSON.stringify({ invoice_number: 'INV-2041', invoice_date: '2026-03-14', total }) }
}

function partsOf(db: Db): { parts: EngineParts; asked: () => number } {
  const model = createScriptedModel(script, 'mine/one')
  return { asked: () => model.requests.length, parts: accepting.partsOf(db, { models: pricedModels(model) }) }
}

test.each([false, true])(
  'a process that dies at any statement of a run with a model (after it: %s) asks no recorded turn again, and every dollar is accounted for',
  async (after) => {
    const { service, accept } = accepting
    const { db } = service.database
    const deaths = await dyingAtEach(
      db,
      async (mortal, at) => {
        const execution = await accept({
          inputs: { invoice: { type: 'text', text: `${invoiceLines.join('\n')}${'\n'.repeat(at)}` } },
          config: { prompt: 'Extract', json_schema: invoiceSchema },
        })
        const begun = partsOf(mortal)
        const check = async () => {
          const steps: { kind: string }[] = (await service.call('GET', `/v1/agent/executions/${execution.id}/steps`))
            .json
          const recorded = steps.filter((step) => step.kind === 'model').length
          const again = partsOf(db)
          await execution.run(again.parts, 1)

          const { json: record } = await service.call('GET', `/v1/agent/executions/${execution.id}`)
          expect(record, `statement ${at}`).toMatchObject({
            status: 'completed',
            response: { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 },
            model_selection: { resolved: 'mine/one' },
            // Three turns of 1000 · 2 + 100 · 12 micro-dollars.
            usage: { steps: 7, standard_cost_dollars: 0.0096, message: null },
          })
          expect(again.asked()).toBe(3 - recorded)
          expect(begun.asked()).toBeLessThanOrEqual(recorded + 1)
          expect(await ledgerOf(db, execution.id)).toEqual({ settled: 9_600, open: 0 })
        }
        return { work: () => execution.run(begun.parts, 0), check }
      },
      { after },
    )
    expect(deaths).toBeGreaterThan(19)
  },
)

test('a process that dies at any statement of a run with a free model repeats no recorded turn, and at most the turn that was last', async () => {
  const { service, accept } = accepting
  const { db } = service.database
  const free = makeModels({ models: { 'mine/one': { input: 0, output: 0 } } }, [
    { name: 'mine', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', fast: 'one' },
  ])
  const begin = (seen: Db) => {
    const model = createScriptedModel(
      ({ messages }) =>
        messages.some((message) => message.role === 'tool')
          ? { usage, text: '{"total":144}' }
          : { usage, toolCalls: [{ id: 'a', name: 'core_calculate', input: { formulas: ['120 + 24'] } }] },
      'mine/one',
    )
    const models = { ...pricedModels(model), route: free.route }
    return { asked: () => model.requests.length, parts: accepting.partsOf(seen, { models }) }
  }
  const deaths = await dyingAtEach(db, async (mortal, at) => {
    const execution = await accept({
      config: {
        prompt: `What is 120 + 24? ${at}`,
        json_schema: { type: 'object', properties: { total: { type: 'number' } } },
      },
    })
    const begun = begin(mortal)
    const check = async () => {
      const steps: { kind: string }[] = (await service.call('GET', `/v1/agent/executions/${execution.id}/steps`)).json
      const recorded = steps.filter((step) => step.kind === 'model').length
      const again = begin(db)
      await execution.run(again.parts, 1)
      const { json: record } = await service.call('GET', `/v1/agent/executions/${execution.id}`)
      expect(record, `statement ${at}`).toMatchObject({
        status: 'completed',
        response: { total: 144 },
        usage: { steps: 3 },
      })
      const { json: all } = await service.call('GET', `/v1/agent/executions/${execution.id}/steps`)
      expect(all.map(({ kind }: { kind: string }) => kind)).toEqual(['model', 'tool', 'model'])
      expect(again.asked()).toBe(2 - recorded)
      expect(begun.asked()).toBeLessThanOrEqual(recorded + 1)
    }
    return { work: () => execution.run(begun.parts, 0), check }
  })
  expect(deaths).toBeGreaterThan(4)
})
