import type { JsonObject } from '@skillrun/core/json.ts'
import { describe, expect, test } from 'vitest'
import { failuresAreTold, timesAreKept } from './failures.ts'
import type { Behaviour } from './mock-provider.ts'
import {
  type LocalTrial,
  question,
  request,
  type ServedTrial,
  servedStage,
  type Trial,
  tools,
  total,
  trialKey,
  type WithProvider,
  type WithReply,
} from './stage.ts'
import type { Wire } from './wires.ts'

/** Declares the tests of an adapter: every promise of `Model` over the provider's wire format, with and without streaming. */
export function keepsTheModelsPromises(trial: Trial): void {
  const wire = 'wire' in trial ? trial.wire : trial.local
  const served = 'wire' in trial ? trial.wire : undefined
  const thought = 'wire' in trial ? trial.thought : undefined
  for (const streamed of [false, true]) {
    const withProvider: WithProvider = async (behaviours, use) => {
      await using stage = 'wire' in trial ? await servedStage(trial, behaviours) : trial.stage(behaviours)
      const { provider, model } = stage
      const heard: string[] = []
      await use({
        provider,
        model,
        heard,
        ask: (asked = {}, signal = new AbortController().signal) =>
          model.reply(
            { ...request, ...asked },
            signal,
            ...(streamed ? [(piece: string) => void heard.push(piece)] : []),
          ),
      })
    }
    const says: WithReply = (saying, use) => withProvider([{ say: saying }], use)

    describe(`a model over ${wire.name}${streamed ? ', streamed,' : ''}`, () => {
      answersAreRead({ says, withProvider }, wire, served)
      timesAreKept(withProvider)
      if (served) {
        bytesAreShown(says)
        failuresAreTold(withProvider, served)
      }
      if (thought) thoughtsGoBack(withProvider, thought)
      if (streamed) piecesAreHeard(withProvider, served !== undefined)
    })
  }
}

function answersAreRead(
  { says, withProvider }: { says: WithReply; withProvider: WithProvider },
  wire: LocalTrial['local'],
  served: Wire | undefined,
): void {
  test('answers with text, its usage, its id and the model that spoke', () =>
    says(
      { text: '144', usage: { inputTokens: 1_000, cachedInputTokens: 800, outputTokens: 60, reasoningTokens: 40 } },
      async ({ ask, provider }) => {
        const reply = await ask()
        expect(reply).toMatchObject({ text: '144', toolCalls: [], finish: 'stop' })
        expect(reply.model).toMatch(/^mock-1/)
        expect(reply.usage).toEqual({
          inputTokens: 1_000,
          cachedInputTokens: 800,
          outputTokens: 60,
          reasoningTokens: wire.reportsReasoning ? 40 : 0,
        })
        if (served) {
          expect(reply.id).toMatch(/1$/)
          expect(String(provider.requests[0]?.headers[served.keyHeader])).toContain(trialKey)
        }
        expect(JSON.stringify(provider.requests[0]?.body)).toContain('You read documents.')
      },
    ))

  test('asks for one tool, and for several at once', () =>
    withProvider(
      [
        { say: { toolCalls: [{ name: 'document_read', input: { page: 2 } }] } },
        {
          say: {
            toolCalls: [
              { name: 'document_read', input: { page: 0 } },
              { name: 'calculate', input: { formula: '1 + 1' } },
            ],
          },
        },
      ],
      async ({ ask, provider }) => {
        const one = await ask({ tools })
        expect(one.finish).toBe('tool-calls')
        expect(one.toolCalls).toMatchObject([{ name: 'document_read', input: { page: 2 } }])
        const two = await ask({ tools })
        expect(two.toolCalls.map(({ name, input }) => ({ name, input }))).toEqual([
          { name: 'document_read', input: { page: 0 } },
          { name: 'calculate', input: { formula: '1 + 1' } },
        ])
        expect(new Set(two.toolCalls.map((call) => call.id)).size).toBe(2)
        expect(wire.toolsIn(provider.requests[0]?.body ?? {})).toEqual(['document_read', 'calculate'])
      },
    ))

  test('gets the results of its tools, and which of them failed', () =>
    withProvider(
      [
        {
          say: {
            toolCalls: [
              { name: 'document_read', input: { page: 0 } },
              { name: 'calculate', input: { formula: '?' } },
            ],
          },
        },
        { say: { text: '144' } },
      ],
      async ({ ask, provider }) => {
        const first = await ask({ tools })
        const [read, calculated] = first.toolCalls
        const results = [
          { id: read?.id ?? '', name: 'document_read', output: { text: 'Total 144.00' }, failed: false },
          { id: calculated?.id ?? '', name: 'calculate', output: { error: 'no formula' }, failed: true },
        ]
        const reply = await ask({
          tools,
          // What was recorded is what goes back: a transcript lives as JSON.
          messages: JSON.parse(JSON.stringify([question, { role: 'assistant', ...first }, { role: 'tool', results }])),
        })
        expect(reply.text).toBe('144')
        const sent = wire.resultsIn(provider.requests[1]?.body ?? {})
        expect(sent).toHaveLength(2)
        expect(sent[0]).toContain('Total 144.00')
        expect(sent[1]).toContain('no formula')
      },
    ))

  test('takes a transcript that another model began', () =>
    says({ text: '144' }, async ({ ask, provider }) => {
      const call = { id: 'call_other_1', name: 'document_read', input: { page: 0 } }
      const continuation = { model: 'another/model', parts: [{ type: 'reasoning', text: 'secret of another' }] }
      const results = [{ id: call.id, name: call.name, output: { text: 'Total 144.00' }, failed: false }]
      await ask({
        tools,
        messages: [
          question,
          { role: 'assistant', text: '', toolCalls: [call], continuation },
          { role: 'tool', results },
        ],
      })
      const body = JSON.stringify(provider.requests[0]?.body)
      expect(body).toContain('Total 144.00')
      expect(body).not.toContain('secret of another')
    }))

  test('gets the schema of the answer', () =>
    says({ text: '{"total":144}' }, async ({ ask, provider }) => {
      const reply = await ask({ schema: total })
      expect(JSON.parse(reply.text)).toEqual({ total: 144 })
      expect(JSON.stringify(provider.requests[0]?.body)).toContain('"total"')
    }))

  test.each(served ? (['refusal', 'length'] as const) : (['length'] as const))(
    'reports when it ended by %s',
    (finish) =>
      says({ text: 'I', finish }, async ({ ask }) => {
        expect((await ask()).finish).toBe(finish)
      }),
  )
}

function bytesAreShown(says: WithReply): void {
  test('gets images as bytes, with the schema of the answer', () =>
    says({ text: '{"total":144}' }, async ({ ask, provider }) => {
      const bytes = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 1, 2, 3])
      const reply = await ask({
        schema: total,
        messages: [{ role: 'user', parts: [{ kind: 'image', bytes, mediaType: 'image/png' }] }],
      })
      expect(JSON.parse(reply.text)).toEqual({ total: 144 })
      const body = JSON.stringify(provider.requests[0]?.body)
      expect(body).toContain(Buffer.from(bytes).toString('base64'))
      expect(body).toContain('"total"')
    }))

  test('gets a PDF as bytes', () =>
    says({ text: 'x' }, async ({ ask, provider }) => {
      const bytes = Buffer.from('%PDF-1.7 the whole of it')
      const file = { kind: 'file' as const, bytes, mediaType: 'application/pdf', filename: 'a.pdf', tokens: 9 }
      await ask({ messages: [{ role: 'user', parts: [file, { kind: 'text', text: '?' }] }] })
      const body = JSON.stringify(provider.requests[0]?.body)
      expect(body).toContain(bytes.toString('base64'))
      expect(body).toContain('application/pdf')
    }))
}

function thoughtsGoBack(withProvider: WithProvider, thought: NonNullable<ServedTrial['thought']>): void {
  test('gets its reasoning back unchanged, out of a transcript stored as JSON', () =>
    withProvider([{ answer: thought.body as JsonObject }, { say: { text: '144' } }], async ({ ask, provider }) => {
      const first = await ask({ tools })
      const [call] = first.toolCalls
      expect(call).toMatchObject({ name: 'document_read', input: { page: 0 } })
      const results = [{ id: call?.id ?? '', name: 'document_read', output: { text: 'Total' }, failed: false }]
      const said = [question, { role: 'assistant', ...first }, { role: 'tool', results }]
      expect((await ask({ tools, messages: JSON.parse(JSON.stringify(said)) })).text).toBe('144')
      expect(JSON.stringify(provider.requests[1]?.body)).toContain(thought.kept)
    }))
}

function piecesAreHeard(withProvider: WithProvider, isServed: boolean): void {
  const text = 'The total of this invoice is 144.00 euros, thank you.'

  test('is streamed in deltas, which together are its text', () =>
    withProvider([{ say: { text } }], async ({ ask, heard }) => {
      expect((await ask()).text).toBe(text)
      expect(heard.length).toBeGreaterThan(4)
      expect(heard.join('')).toBe(text)
    }))

  test('streams no text where it only calls a tool', () =>
    withProvider(
      [{ say: { toolCalls: [{ name: 'calculate', input: { formula: '1 + 1' } }] } }],
      async ({ ask, heard }) => {
        expect((await ask({ tools })).toolCalls).toMatchObject([{ name: 'calculate', input: { formula: '1 + 1' } }])
        expect(heard).toEqual([])
      },
    ))

  const brokenEvents: [string, Behaviour][] = [
    ['ends too early as if that were all', { cut: { text }, after: 'end' }],
    [
      'turns into something else',
      { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: 'data: {{{\n\n' },
    ],
    ['holds nothing', { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: '' }],
  ]
  const breaksOff: [string, Behaviour] = ['breaks off', { cut: { text } }]
  test.each(isServed ? [breaksOff, ...brokenEvents] : [breaksOff])(
    'reports a stream that %s as a retryable failure',
    (_what, behaviour) =>
      withProvider([behaviour], async ({ ask, heard }) => {
        const failure = await ask().catch((error: unknown) => error)
        expect(failure).toMatchObject({ kind: 'upstream', code: 'provider_failed', retryable: true })
        expect(text.startsWith(heard.join(''))).toBe(true)
      }),
  )

  test('stops in the middle with the reason of its caller', () =>
    withProvider([{ cut: { text }, after: 'silence' }], async ({ ask, heard }) => {
      const stopped = new AbortController()
      const reason = new Error('the client is gone')
      const asked = ask({}, stopped.signal).catch((error: unknown) => error)
      await expect.poll(() => heard.length).toBeGreaterThan(0)
      stopped.abort(reason)
      expect(await asked).toBe(reason)
    }))
}
