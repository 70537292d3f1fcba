import { expect, test } from 'vitest'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import type { ModelRequest } from '../packages/server/src/adapters/models/model.ts'
import { createScriptedModel, type ScriptedTurn } from '../packages/server/src/adapters/models/scripted/scripted.ts'
import { createInlineProcessPool } from '../packages/server/src/adapters/process-pool/inline/inline-process-pool.ts'
import type { EngineParts } from '../packages/server/src/features/runs/parts.ts'
import { ledgerOf, openAcceptingService, pricedModels, pricedUsage as usage } from './support/accepting.ts'
import { invoiceLines, invoiceSchema } from './support/documents.ts'
import { dyingAtEach } from './support/dying.ts'
import { opened } from './support/opened.ts'

const accepting = await opened(openAcceptingService())

const written = (body: string): string =>
  `\`\`\`ts\nexport default async function run(tools: any, inputs: any) {\n${body}\n}\n\`\`\``
const search = (query: string): string => `tools.document.search({ input: 'invoice', query: '${query}' })`

/**
 * A program that fails after a call, then one with concurrent calls and questions, two of the calls identical. Depends
 * only on the request.
 */
function script({ system, messages }: ModelRequest): ScriptedTurn {
  if (system.includes('one question asked by a program')) return { usage, text: '{"answer": true}' }
  const isSecond = messages.filter((message) => message.role === 'user').length > 1
  const first = `console.log(await ${search('total')})\nthrow new Error('not yet')`
  const second = `const found = await Promise.all([${search('Invoice No')}, ${search('total')}, ${search('total')}])
const told = await Promise.all(['a', 'b', 'c'].map((question) => tools.model.ask({ question, type: 'boolean' })))
if (!told.every(({ answer }) => answer)) throw new Error('not all')
const { values } = await tools.core.calculate({ formulas: ['100 + ' + (found.length + 41)] })
return { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: Number(values[0]) }`
  return { usage, text: written(isSecond ? second : first) }
}

/** The dependencies of a run, with counters for model calls and document searches. */
function partsOf(db: Db): { parts: EngineParts; asked: () => number; searched: () => number } {
  const model = createScriptedModel(script, 'mine/one')
  const processPool = createInlineProcessPool()
  let searches = 0
  return {
    asked: () => model.requests.length,
    searched: () => searches,
    parts: accepting.partsOf(db, {
      models: pricedModels(model),
      processPool: {
        ...processPool,
        run: (job, input, terms) => {
          if (job.module.href.includes('document-search')) searches += 1
          return processPool.run(job, input, terms)
        },
      },
    }),
  }
}

/** The committed cost of an execution. */
async function committedOf(id: string): Promise<unknown> {
  const [row] = await accepting.service.database.db.query('select committed_micros from executions where id = $1', [id])
  return Number(row?.['committed_micros'])
}

test('a process that dies at any statement of a run with programs makes no recorded turn and no recorded call again', async () => {
  const { service, accept } = accepting
  const { db } = service.database
  const deaths = await dyingAtEach(db, async (mortal, at) => {
    const execution = await accept({
      inputs: { invoice: { type: 'text', text: `${invoiceLines.join('\n')}${'\n'.repeat(at)}` } },
      config: { prompt: 'Extract', json_schema: invoiceSchema },
      model: 'svc-agent-2:fast',
    })
    const { id } = execution
    const check = async () => {
      const { json } = await service.call('GET', `/v1/agent/executions/${id}/steps`)
      const steps: { kind: string; name: string }[] = json
      const turns = steps.filter((step) => step.kind === 'model').length
      const questions = steps.filter((step) => step.name === 'model.ask').length
      const searches = steps.filter((step) => step.name === 'document.search').length
      const again = partsOf(db)
      await execution.run(again.parts, 1)

      const { json: record } = await service.call('GET', `/v1/agent/executions/${id}`)
      expect(record, `statement ${at}`).toMatchObject({
        status: 'completed',
        response: { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 },
        // One input read, two turns, two programs, four searches, three questions, one calculation.
        usage: { steps: 13, standard_cost_dollars: 0.016 },
      })
      expect(again.asked()).toBe(5 - turns - questions)
      expect(await ledgerOf(db, id), `statement ${at}`).toEqual({ open: 0, settled: 16_000 })
      expect(await committedOf(id)).toBe(16_000)
      expect(again.searched()).toBe(4 - searches)
    }
    return { work: () => execution.run(partsOf(mortal).parts, 0), check }
  })
  expect(deaths).toBeGreaterThan(15)
}, 300_000) // Some sixty runs, each cut off and taken up again.
