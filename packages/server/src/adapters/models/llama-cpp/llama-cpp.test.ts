import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import { findOptional, optionalPackages } from '@skillrun/core/optional-packages.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Model, ModelRequest } from '../model.ts'
import { keepsTheModelsPromises } from '../testing/conformance.ts'
import type { Behaviour } from '../testing/mock-provider.ts'
import type { Stage } from '../testing/stage.ts'
import type { ScriptedReply, Wire } from '../testing/wires.ts'
import { createChildEngine } from './child-engine.ts'
import type { ChatTurn, Engine, Generated, Prompt } from './engine.ts'
import { requireLlama } from './find-llama.ts'
import { openLlamaCpp } from './llama-cpp.ts'
import { toyGguf } from './testing/toy-gguf.ts'

/** Reads an engine's prompt like a provider's request. */
const promptReader: Pick<Wire, 'name' | 'resultsIn' | 'toolsIn' | 'reportsReasoning'> = {
  name: 'a local engine',
  reportsReasoning: true,
  resultsIn: (body) =>
    (body['history'] as readonly ChatTurn[]).flatMap((said) =>
      said.type === 'model'
        ? said.response.flatMap((one) => (typeof one === 'string' ? [] : [JSON.stringify(one.result)]))
        : [],
    ),
  toolsIn: (body) => Object.keys((body['functions'] ?? {}) as JsonObject),
}

/** An engine with a scripted behaviour per prompt, and the model that uses it. */
function scriptedStage(behaviours: readonly Behaviour[]): Stage {
  const requests: Stage['provider']['requests'][number][] = []
  const engine: Engine = {
    async generate(prompt, signal, onText) {
      const body = JSON.parse(JSON.stringify(prompt satisfies Prompt)) as JsonObject
      const behaviour = behaviours[requests.push({ path: '', headers: {}, body }) - 1]
      if (behaviour && 'hang' in behaviour) await until(signal)
      if (behaviour && 'cut' in behaviour) {
        say(behaviour.cut.text?.slice(0, 10) ?? '', onText)
        if (behaviour.after === 'silence') await until(signal)
      }
      if (!behaviour || !('say' in behaviour)) throw new Fault('upstream', 'provider_failed', 'The model broke off')
      return generated(behaviour.say, onText)
    },
  }
  return {
    provider: { requests },
    model: openLlamaCpp({ name: 'local/mock-1', engine }),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

function generated(
  { text = '', toolCalls = [], finish, usage }: ScriptedReply,
  onText: (piece: string) => void,
): Generated {
  say(text, onText)
  return {
    text,
    calls: toolCalls.map(({ name, input }) => ({ name, params: input as JsonObject })),
    ended: finish === 'length' ? 'length' : 'stop',
    inputTokens: usage?.inputTokens ?? 0,
    cachedTokens: usage?.cachedInputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    thoughtTokens: usage?.reasoningTokens ?? 0,
  }
}

const say = (text: string, onText: (piece: string) => void): void => {
  for (const piece of text.match(/\s*\S+\s*/g) ?? []) onText(piece)
}

function until(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

keepsTheModelsPromises({ local: promptReader, stage: scriptedStage })

const llama = findOptional(optionalPackages.llama)?.href
if (llama === undefined)
  console.log(
    'Tests of a GGUF model are skipped: the optional package node-llama-cpp is not installed (see skillrun doctor).',
  )
const never = new AbortController().signal
const request: ModelRequest = {
  system: 'You read.',
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'What is the total?' }] }],
  tools: [],
  schema: null,
  outputTokensMax: 20,
  wallMs: 60_000,
}

test('an image is refused with a message: the engine takes text only', async () => {
  await using stage = scriptedStage([{ say: { text: 'x' } }])
  const picture = { kind: 'image', bytes: new Uint8Array([1]), mediaType: 'image/png' } as const
  const asked = stage.model.reply({ ...request, messages: [{ role: 'user', parts: [picture] }] }, never)
  await expect(asked).rejects.toMatchObject({ code: 'provider_refused', message: expect.stringContaining('image/png') })
})

test('calls take turns, and cancelling one lets the next continue', async () => {
  await using stage = scriptedStage([{ hang: true }, { say: { text: 'second' } }])
  const leaving = new AbortController()
  const first = stage.model.reply(request, leaving.signal).catch((error: unknown) => error)
  const second = stage.model.reply(request, never)
  await expect.poll(() => stage.provider.requests.length).toBe(1)
  leaving.abort('enough')
  expect(await first).toBe('enough')
  expect((await second).text).toBe('second')
})

describe('a model file', () => {
  let folder = ''
  let place = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillrun-gguf-'))
    place = join(folder, 'toy.gguf')
    await writeFile(place, toyGguf())
    await writeFile(join(folder, 'note.gguf'), 'no weights')
    await writeFile(join(folder, 'cut.gguf'), toyGguf().subarray(0, 900))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('that is absent, or something else, gives a message of one sentence', () => {
    expect(() => requireLlama(join(folder, 'none.gguf'))).toThrow(/none\.gguf" cannot be read; set it to the path/)
    expect(() => requireLlama(join(folder, 'note.gguf'))).toThrow(/is not a GGUF file/)
  })

  test.skipIf(llama !== undefined)('says how to get the package when it is not installed', () => {
    expect(() => requireLlama(place)).toThrow(
      /needs the optional package node-llama-cpp: run "npm install .*omit=optional/,
    )
  })

  describe.skipIf(llama === undefined)('in llama.cpp itself, with random weights', () => {
    const open = (file: string, contextTokens = 4_096): Model =>
      openLlamaCpp({
        name: 'local/toy',
        engine: createChildEngine({ name: 'local/toy', module: llama ?? '', file, contextTokens, threads: 1 }),
      })

    test('generates up to its limit, token by token, and reuses its cached prefix', async () => {
      const model = open(place)
      const heard: string[] = []
      const first = await model.reply(request, never, (piece) => heard.push(piece))
      expect(first).toMatchObject({ finish: 'length', model: 'toy', usage: { cachedInputTokens: 0, outputTokens: 20 } })
      expect(first.usage.inputTokens).toBeGreaterThan(20)
      expect(heard.join('')).toBe(first.text)
      const second = await model.reply(request, never)
      expect(second.text).toBe(first.text)
      expect(second.usage.cachedInputTokens).toBeGreaterThan(first.usage.inputTokens / 2)
    })

    test('answers within a schema, whatever its weights prefer', async () => {
      const properties = { ok: { type: 'boolean' }, kind: { enum: ['a', 'b'] } }
      const schema = { type: 'object', properties, required: ['ok', 'kind'], additionalProperties: false }
      const { text, finish } = await open(place).reply({ ...request, schema, outputTokensMax: 400 }, never)
      expect(finish).toBe('stop')
      expect(JSON.parse(text)).toEqual({ ok: expect.any(Boolean), kind: expect.stringMatching(/^[ab]$/) })
    })

    test('refuses more than its context, instead of dropping a part', async () => {
      const long = { role: 'user', parts: [{ kind: 'text', text: 'word '.repeat(2_000) }] } as const
      const refused = await open(place, 1_024)
        .reply({ ...request, messages: [long] }, never)
        .catch((error) => error)
      expect(refused).toBeInstanceOf(Fault)
      expect(refused).toMatchObject({ code: 'provider_refused', message: expect.stringContaining('1024 tokens') })
    })

    test('stops when cancelled, and answers the next call', async () => {
      const model = open(place)
      const leaving = new AbortController()
      const endless = model.reply({ ...request, outputTokensMax: 4_000 }, leaving.signal, () => leaving.abort('enough'))
      await expect(endless).rejects.toBe('enough')
      expect((await model.reply(request, never)).finish).toBe('length')
    })

    test('that died is a temporary failure, and is restarted', async () => {
      const engine = createChildEngine({
        name: 'local/toy',
        module: llama ?? '',
        file: place,
        contextTokens: 4_096,
        threads: 1,
      })
      const model = openLlamaCpp({ name: 'local/toy', engine })
      const endless = model.reply({ ...request, outputTokensMax: 4_000 }, never, () => engine.close())
      await expect(endless).rejects.toMatchObject({ code: 'provider_failed', retryable: true })
      expect((await model.reply(request, never)).finish).toBe('length')
      engine.close()
    })

    test('reports that a damaged file could not be loaded', async () => {
      const failure = await open(join(folder, 'cut.gguf'))
        .reply(request, never)
        .catch((error) => error)
      expect(failure).toMatchObject({
        code: 'provider_failed',
        message: expect.stringContaining('could not be loaded'),
      })
    })
  })
})
