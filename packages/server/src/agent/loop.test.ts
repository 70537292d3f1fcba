import { Fault } from '@skillrun/core/fault.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import { afterAll, describe, expect, test } from 'vitest'
import type { ModelRequest, ToolCall } from '../adapters/models/model.ts'
import { createScriptedModel, type ScriptedModel, type ScriptedTurn } from '../adapters/models/scripted/scripted.ts'
import { createInlineProcessPool } from '../adapters/process-pool/inline/inline-process-pool.ts'
import { judgeAnswer } from './judge-answer.ts'
import { type LoopRun, runAgentLoop } from './loop.ts'
import { jsonIn } from './schema/json-in.ts'
import type { Entry } from './transcript.ts'

const processPool = createInlineProcessPool()
afterAll(() => processPool.close())

const schema: JsonSchema = {
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
  additionalProperties: false,
}
const opening: ModelRequest = {
  system: 'You read.',
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'What is the total?' }] }],
  tools: [],
  schema,
  outputTokensMax: 100,
  wallMs: 1_000,
}
const call = (id: string, name = 'look'): ToolCall => ({ id, name, input: { page: 1 } })

/** A run over a transcript that is serialised as JSON, as in the database. */
function runOf(
  model: ScriptedModel,
  settings: Partial<LoopRun> & { log?: string[] } = {},
): LoopRun & { transcript: Entry[] } {
  const transcript: Entry[] = [...(settings.transcript ?? [])]
  const signal = new AbortController().signal
  return {
    model,
    opening,
    contextTokens: 100_000,
    turnsMax: 20,
    signal,
    append: async (entry) => {
      transcript.push(JSON.parse(JSON.stringify(entry)))
    },
    call: async ({ id, name }) => ({ id, name, output: { found: id }, failed: false }),
    judge: (turn) => judgeAnswer({ processPool, schema }, turn, signal),
    ...settings,
    transcript,
  }
}

describe('the loop', () => {
  test('a valid answer ends it', async () => {
    const run = runOf(createScriptedModel([{ text: '{"total":144}' }]))
    expect(await runAgentLoop(run)).toEqual({ ended: 'answered', answer: { total: 144 } })
    expect(run.transcript).toHaveLength(1)
  })

  test('calls of one turn run concurrently, and their results are returned in the order of the calls', async () => {
    const model = createScriptedModel([{ toolCalls: [call('a'), call('b'), call('c')] }, { text: '{"total":1}' }])
    const begun: string[] = []
    const all = Promise.withResolvers<void>()
    const run = runOf(model, {
      call: async ({ id, name }) => {
        begun.push(id)
        if (begun.length === 3) all.resolve()
        await all.promise
        if (id === 'a') await new Promise((resolve) => setImmediate(resolve))
        return { id, name, output: id, failed: false }
      },
    })
    await runAgentLoop(run)
    expect(run.transcript.map((entry) => (entry.role === 'tool' ? entry.result.id : entry.role))).toEqual([
      'assistant',
      'b',
      'c',
      'a',
      'assistant',
    ])
    const sent = model.requests[1]?.messages.at(-1)
    expect(sent?.role === 'tool' && sent.results.map((result) => result.id)).toEqual(['a', 'b', 'c'])
  })

  test("a violation is returned with the validator's messages, twice at most, and the last answer is kept", async () => {
    const turns: ScriptedTurn[] = [
      { text: '{"total":"1"}' },
      { text: 'no json' },
      { text: '{"total":"3"}' },
      { text: '{"total":4}' },
    ]
    const model = createScriptedModel(turns)
    const ending = await runAgentLoop(runOf(model))
    expect(ending).toMatchObject({ ended: 'violated', answer: { total: '3' }, problems: [{ pointer: '/total' }] })
    expect(model.requests).toHaveLength(3)
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('/total: must be number')
    expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain('is not valid JSON')
  })

  test('a corrected answer counts', async () => {
    const run = runOf(createScriptedModel([{ text: '{"total":"1"}' }, { text: '```json\n{"total":1}\n```' }]))
    expect(await runAgentLoop(run)).toEqual({ ended: 'answered', answer: { total: 1 } })
  })

  test('a truncated or empty answer does not count; a refusal ends it', async () => {
    const cut = runOf(
      createScriptedModel([{ text: '{"total":1}', finish: 'length' }, { text: '' }, { text: '{"total":2}' }]),
    )
    expect(await runAgentLoop(cut)).toEqual({ ended: 'answered', answer: { total: 2 } })
    const refused = runOf(createScriptedModel([{ text: 'I will not', finish: 'refusal' }]))
    expect(await runAgentLoop(refused)).toEqual({ ended: 'refused', answer: 'I will not' })
  })

  test('it continues from any point of its transcript to the same end, and repeats no recorded call', async () => {
    const script = (request: ModelRequest): ScriptedTurn => {
      const results = request.messages.filter((message) => message.role === 'tool').length
      if (results === 0) return { toolCalls: [call('a'), call('b')] }
      if (results === 1) return { toolCalls: [call('c')] }
      const corrected = request.messages.filter((message) => message.role === 'user').length > 1
      return { text: corrected ? '{"total":144}' : '{"total":"144"}' }
    }
    const whole = runOf(createScriptedModel(script))
    const end = await runAgentLoop(whole)
    expect(end).toEqual({ ended: 'answered', answer: { total: 144 } })
    expect(whole.transcript).toHaveLength(8)
    for (let stopped = 0; stopped <= whole.transcript.length; stopped += 1) {
      const model = createScriptedModel(script)
      const called: string[] = []
      const again = runOf(model, {
        transcript: whole.transcript.slice(0, stopped),
        call: async ({ id, name }) => {
          called.push(id)
          return { id, name, output: { found: id }, failed: false }
        },
      })
      expect(await runAgentLoop(again)).toEqual(end)
      expect(again.transcript.map((entry) => entry.role)).toEqual(whole.transcript.map((entry) => entry.role))
      const recorded = whole.transcript.slice(0, stopped)
      expect(model.requests).toHaveLength(4 - recorded.filter((entry) => entry.role === 'assistant').length)
      expect(called).toHaveLength(3 - recorded.filter((entry) => entry.role === 'tool').length)
    }
  })

  test('a model that never ends runs out of turns', async () => {
    const model = createScriptedModel((_request, turn) => ({ toolCalls: [call(`c${turn}`)] }))
    expect(await runAgentLoop(runOf(model, { turnsMax: 64 }))).toEqual({ ended: 'out-of-turns' })
    expect(model.requests).toHaveLength(64)
  })

  test('an invalid answer in the last turn is kept with its problems, and no correction is recorded', async () => {
    const run = runOf(createScriptedModel([{ toolCalls: [call('a')] }, { text: '{"total":"1"}' }]), { turnsMax: 2 })
    expect(await runAgentLoop(run)).toMatchObject({
      ended: 'violated',
      answer: { total: '1' },
      problems: [{ pointer: '/total' }],
    })
    expect(run.transcript.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant'])
  })

  test('what cannot be recorded is not used', async () => {
    const over = new Error('the lease is lost')
    const model = createScriptedModel([{ toolCalls: [call('a')] }, { text: '{"total":1}' }])
    const called: string[] = []
    const run = runOf(model, {
      append: () => Promise.reject(over),
      call: async ({ id, name }) => {
        called.push(id)
        return { id, name, output: null, failed: false }
      },
    })
    await expect(runAgentLoop(run)).rejects.toBe(over)
    expect(called).toEqual([])
  })

  test('a failure of the model goes to the caller', async () => {
    const down = new Fault('upstream', 'provider_failed', 'down')
    await expect(runAgentLoop(runOf(createScriptedModel([down])))).rejects.toBe(down)
  })
})

describe('JSON extracted from a text', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['  [1]\n', [1]],
    ['12', 12],
    ['Here it is:\n```json\n{"a":1}\n```\nDone.', { a: 1 }],
    ['The answer is {"a":{"b":[1]}}.', { a: { b: [1] } }],
    ['nothing', undefined],
    ['{"a":', undefined],
    [`${'['.repeat(200)}${']'.repeat(200)}`, expect.any(Array)],
    [`${'['.repeat(6000)}${']'.repeat(6000)}`, undefined],
  ])('of %.60s', (text, value) => {
    expect(jsonIn(text)).toEqual(value)
  })
})
