import { describe, expect, test } from 'vitest'
import { Fault } from '../../../kit/fault.ts'
import type { JsonObject } from '../../../kit/json.ts'
import type { Message, Model, ModelRequest } from '../model.ts'
import { ProviderLimited } from '../model.ts'
import { type Behaviour, type MockProvider, startMockProvider } from './mock-provider.ts'
import type { Saying, Wire } from './wires.ts'

/** A provider that meets its n-th request as it is told, and a model opened towards it. */
export interface Stage extends AsyncDisposable {
  readonly provider: Pick<MockProvider, 'requests'>
  readonly model: Model
}

/** An adapter on trial: the wire it speaks, and how it is opened towards a provider at `url`. */
export type Trial = ServedTrial | LocalTrial

/** An engine without a server: it has no key, no status and no address, and what it is asked is read as it stands. */
interface LocalTrial {
  readonly local: Pick<Wire, 'name' | 'resultsIn' | 'toolsIn' | 'reportsReasoning'>
  stage(behaviours: readonly Behaviour[]): Stage
}

interface ServedTrial {
  readonly wire: Wire
  /** An answer with a thought that the provider wants back, as it comes over the wire, and what must go back of it. */
  readonly thought?: { readonly body: object; readonly kept: string }
  open(url: string): Model
}

/** The key that each adapter on trial is given. */
export const trialKey = 'trial-key-0123456789abcdef'

const total = {
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
  additionalProperties: false,
}
const tools = [
  {
    name: 'document_read',
    description: 'Reads pages',
    input: { type: 'object', properties: { page: { type: 'integer' } } },
  },
  {
    name: 'calculate',
    description: 'Calculates',
    input: { type: 'object', properties: { formula: { type: 'string' } } },
  },
]
const question: Message = { role: 'user', parts: [{ kind: 'text', text: 'What is the total?' }] }
const request: ModelRequest = {
  system: 'You read documents.',
  messages: [question],
  tools: [],
  schema: null,
  outputTokensMax: 500,
  wallMs: 5_000,
}

/** Declares the trials of one adapter: every promise of `Model`, over the provider's own wire, at once and streamed. */
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
    const says: Says = (saying, use) => withProvider([{ say: saying }], use)

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

async function servedStage({ wire, open }: ServedTrial, behaviours: readonly Behaviour[]): Promise<Stage> {
  const provider = await startMockProvider(wire, behaviours)
  return { provider, model: open(provider.url), [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() }
}

interface At {
  readonly provider: Stage['provider']
  readonly model: Model
  /** The pieces of all answers so far, where they are streamed. */
  readonly heard: readonly string[]
  ask(asked?: Partial<ModelRequest>, signal?: AbortSignal): ReturnType<Model['reply']>
}
type WithProvider = (behaviours: readonly Behaviour[], use: (at: At) => Promise<void>) => Promise<void>
type Says = (saying: Saying, use: (at: At) => Promise<void>) => Promise<void>

function answersAreRead(
  { says, withProvider }: { says: Says; withProvider: WithProvider },
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

  test('is told what its tools answered, and that one failed', () =>
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

  test('is told the schema of the answer', () =>
    says({ text: '{"total":144}' }, async ({ ask, provider }) => {
      const reply = await ask({ schema: total })
      expect(JSON.parse(reply.text)).toEqual({ total: 144 })
      expect(JSON.stringify(provider.requests[0]?.body)).toContain('"total"')
    }))

  test.each(served ? (['refusal', 'length'] as const) : (['length'] as const))('says when it ended by %s', (finish) =>
    says({ text: 'I', finish }, async ({ ask }) => {
      expect((await ask()).finish).toBe(finish)
    }),
  )
}

function bytesAreShown(says: Says): void {
  test('is shown pictures as bytes, and told the schema of the answer', () =>
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

  test('is given a PDF as it is', () =>
    says({ text: 'x' }, async ({ ask, provider }) => {
      const bytes = Buffer.from('%PDF-1.7 the whole of it')
      const file = { kind: 'file' as const, bytes, mediaType: 'application/pdf', filename: 'a.pdf', tokens: 9 }
      await ask({ messages: [{ role: 'user', parts: [file, { kind: 'text', text: '?' }] }] })
      const body = JSON.stringify(provider.requests[0]?.body)
      expect(body).toContain(bytes.toString('base64'))
      expect(body).toContain('application/pdf')
    }))
}

function timesAreKept(withProvider: WithProvider): void {
  test('gives up when the time of a call is over', () =>
    withProvider([{ hang: true }], async ({ ask }) => {
      const failure = await ask({ wallMs: 60 }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(Fault)
      expect(failure).toMatchObject({ kind: 'timeout', code: 'provider_timeout', retryable: true })
    }))

  test('stops with the reason of its caller', () =>
    withProvider([{ hang: true }], async ({ ask, provider }) => {
      const stopped = new AbortController()
      const asked = ask({}, stopped.signal).catch((error: unknown) => error)
      await expect.poll(() => provider.requests.length).toBe(1)
      const reason = new Error('the run is over')
      stopped.abort(reason)
      expect(await asked).toBe(reason)
    }))
}

function failuresAreTold(withProvider: WithProvider, wire: Wire): void {
  const failing = async (behaviour: Behaviour, asked: Partial<ModelRequest> = {}): Promise<Fault> => {
    let failure: unknown
    await withProvider([behaviour], async ({ ask }) => {
      failure = await ask(asked).catch((error: unknown) => error)
    })
    expect(failure).toBeInstanceOf(Fault)
    expect((failure as Fault).message).not.toContain(trialKey)
    return failure as Fault
  }

  test('says when to come back', async () => {
    const limited = await failing({ status: 429, headers: { 'Retry-After': '7' } })
    expect(limited).toBeInstanceOf(ProviderLimited)
    expect(limited).toMatchObject({ kind: 'limited', code: 'provider_limited', afterMs: 7_000, retryable: true })
    const dated = { 'Retry-After': 'Sat, 21 Nov 2026 12:00:05 GMT', Date: 'Sat, 21 Nov 2026 12:00:00 GMT' }
    expect(await failing({ status: 429, headers: dated })).toMatchObject({ afterMs: 5_000 })
    expect(await failing({ status: 429 })).toMatchObject({ afterMs: null })
  })

  test.each([
    ['a failure of the provider', { status: 500 }],
    ['an overloaded provider', { status: 529 }],
    ['an error page', { status: 502, body: '<html>Bad gateway</html>' }],
    ['an answer that is no JSON', { status: 200, body: 'not { json' }],
    ['an answer of another shape', { status: 200, body: '{"hello":"world"}' }],
    ['an empty answer', { status: 200, body: '' }],
    ['an answer that breaks off', { cut: { text: 'The total is 144' } }],
    ['a redirect', { status: 302, headers: { Location: 'http://127.0.0.1:9/elsewhere' } }],
  ] satisfies [string, Behaviour][])('takes %s for a failure that may pass', async (_what, behaviour) => {
    expect(await failing(behaviour)).toMatchObject({ kind: 'upstream', code: 'provider_failed', retryable: true })
  })

  test('takes a refused key or request for a failure that stays, in words of our own', async () => {
    const body = JSON.stringify(wire.error(`Incorrect API key provided: ${trialKey}`))
    for (const status of [401, 403]) {
      const refused = await failing({ status, body })
      expect(refused).toMatchObject({ kind: 'invalid', code: 'provider_refused', retryable: false })
      expect(refused.message).toMatch(/key/)
    }
    const bad = await failing({ status: 400, body: JSON.stringify(wire.error(`Unknown field x (key ${trialKey})`)) })
    expect(bad).toMatchObject({ kind: 'invalid', code: 'provider_refused', retryable: false })
    expect(bad.message).toMatch(/refused the request \(400[^)]*\)$/)
    expect(bad.message).not.toContain('Unknown')
    const coded = { error: { message: 'The salary of Ms Kestrel', type: 'invalid_request_error', code: 'Ms Kestrel' } }
    const told = await failing({ status: 400, body: JSON.stringify(coded) })
    expect(told.message).toMatch(/refused the request \(400, invalid_request_error\)$/)
  })

  test('is unreachable in words when nobody listens', async () => {
    let model: Model | undefined
    await withProvider([], async (at) => {
      model = at.model
    })
    const failure = await model?.reply(request, new AbortController().signal).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'provider_failed', retryable: true })
  })
}

function thoughtsGoBack(withProvider: WithProvider, thought: NonNullable<ServedTrial['thought']>): void {
  test('gives a thought back to its provider unchanged, out of a transcript that lives as JSON', () =>
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

  test('is heard piece by piece, and the pieces are its text', () =>
    withProvider([{ say: { text } }], async ({ ask, heard }) => {
      expect((await ask()).text).toBe(text)
      expect(heard.length).toBeGreaterThan(4)
      expect(heard.join('')).toBe(text)
    }))

  test('says nothing aloud where it only calls a tool', () =>
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
    'takes a stream that %s for a failure that may pass',
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
