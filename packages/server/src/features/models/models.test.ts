import { describe, expect, test } from 'vitest'
import { ValidationFailure } from '../../adapters/http/validation.ts'
import { noModelToAsk } from '../../tools/model-ask/model-ask.ts'
import { countProperties } from './choose-level.ts'
import { costOf, type Engine, makeModels } from './models.ts'
import { providersOf, type Settings } from './providers.ts'

const schemaOf = (count: number) => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string' }])),
})
const small = { pages: 1, images: 0, toolsNamed: 0, schema: schemaOf(3) }
const modelsOf = (env: Record<string, string>, settings: Settings = {}) =>
  makeModels(settings, providersOf(settings, env))
const engine = (models: ReturnType<typeof modelsOf>, identifier: string, facts = small): Engine =>
  models.route(identifier).choose(facts).engine

const refusal = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof ValidationFailure) return JSON.stringify(error.details)
    return (error as Error).message
  }
  throw new Error('it was accepted')
}

describe('routes', () => {
  test('without a provider both levels go to the embedded engine, and a variant says which key to set', () => {
    const models = modelsOf({})
    expect(new Set(models.routes.map((route) => route.engine))).toEqual(new Set(['embedded']))
    expect(models.routes).toHaveLength(8)
    expect(refusal(() => models.route('svc-agent-2:gpt-5.5'))).toContain('OPENAI_API_KEY')
    expect(refusal(() => models.route('svc-agent-2:opus-5'))).toContain('ANTHROPIC_API_KEY')
    expect(refusal(() => models.route('svc-agent-2:kimi-2.6'))).toContain('SKILLRUN_CONFIG')
    expect(refusal(() => models.route('gpt-17'))).toContain('svc-agent-1:auto')
  })

  test('a key serves the levels and its own variants', () => {
    const models = modelsOf({ ANTHROPIC_API_KEY: 'x' })
    expect(engine(models, 'svc-agent-1:fast').name).toBe('anthropic/claude-haiku-5-5')
    expect(engine(models, 'svc-agent-2:pro').name).toBe('anthropic/claude-sonnet-5-5')
    expect(engine(models, 'svc-agent-2:opus-5').name).toBe('anthropic/claude-opus-5')
    expect(refusal(() => models.route('svc-agent-2:gpt-5.5'))).toContain('OPENAI_API_KEY')
  })

  test('a GGUF file serves the levels under its own name, after the keys and free of charge', () => {
    const models = modelsOf({ SKILLRUN_GGUF: 'weights/Qwen3-4B.gguf' })
    expect(engine(models, 'svc-agent-2:pro')).toMatchObject({
      name: 'local/Qwen3-4B',
      provider: { kind: 'llama-cpp', file: expect.stringMatching(/^\/.*weights\/Qwen3-4B\.gguf$/) },
      facts: { contextTokens: 8_192, takesImages: false, callsTools: true, rates: { input: 0, output: 0 } },
    })
    expect(engine(modelsOf({ SKILLRUN_GGUF: 'a.gguf', OPENAI_API_KEY: 'o' }), 'svc-agent-1').name).toMatch(/^openai\//)
    const own = { mine: { kind: 'llama-cpp', file: '/a/b.gguf' } } as const
    const bigger = { 'mine/b': { context_tokens: 32_000 } }
    expect(engine(modelsOf({}, { providers: own, models: bigger }), 'svc-agent-1')).toMatchObject({
      name: 'mine/b',
      facts: { contextTokens: 32_000 },
    })
    expect(refusal(() => modelsOf({}, { providers: { mine: { kind: 'llama-cpp' } } }))).toContain('GGUF file')
    const stray = { kind: 'openai-compatible', base_url: 'http://127.0.0.1:1/v1', file: 'a.gguf' } as const
    expect(refusal(() => modelsOf({}, { providers: { mine: stray } }))).toContain(
      'file is only allowed for the kind llama-cpp',
    )
  })

  test('of several keys the first in the shipped order serves; a configured provider precedes all keys', () => {
    const env = { GOOGLE_GENERATIVE_AI_API_KEY: 'g', OPENAI_API_KEY: 'o' }
    expect(engine(modelsOf(env), 'svc-agent-1').name).toBe('openai/gpt-5.6-luna')
    const own = { kind: 'openai-compatible', base_url: 'http://127.0.0.1:8000/v1', fast: 'org/qwen' } as const
    const models = modelsOf(env, { providers: { mine: own } })
    expect(engine(models, 'svc-agent-1:pro').name).toBe('mine/org/qwen')
    expect(engine(models, 'svc-agent-2:gpt-5.5').name).toBe('openai/gpt-5.5')
  })

  test('routes of the configuration name an engine for any identifier', () => {
    const models = modelsOf(
      { OPENAI_API_KEY: 'o' },
      { routes: { 'svc-agent-1:fast': 'embedded', 'svc-agent-2:kimi-2.6': 'openai/gpt-5.5' } },
    )
    expect(engine(models, 'svc-agent-1:fast').name).toBe('embedded')
    expect(models.route('svc-agent-1:auto').engine).toBe('embedded or openai/gpt-5.6-terra')
    expect(engine(models, 'svc-agent-2:kimi-2.6').name).toBe('openai/gpt-5.5')
  })

  test('an alias is replaced by its target', () => {
    expect(modelsOf({}).route('vlmrun-orion-1:lite').model).toBe('svc-agent-1:fast')
    expect(modelsOf({}).route('vlmrun-orion-2:auto').model).toBe('svc-agent-2:auto')
  })

  test('an unknown identifier is refused with the known ones, aliases of the configuration and where to add some', () => {
    const models = makeModels({ aliases: { 'our-model': 'svc-agent-1:pro' } }, [])
    const said = refusal(() => models.route('gpt-4o'))
    for (const word of ["'svc-agent-1:auto'", "'our-model'", 'aliases in SKILLRUN_CONFIG']) expect(said).toContain(word)
  })

  test.each([
    ['a route to nobody', {}, { routes: { 'svc-agent-1:fast': 'nobody/x' } }, 'nobody'],
    ['a route of no identifier', {}, { routes: { 'svc-agent-3': 'embedded' } }, 'svc-agent-3'],
    ['a paid model without prices', { OPENAI_API_KEY: 'o' }, { routes: { 'svc-agent-1': 'openai/new' } }, 'prices'],
    ['a server without its address', {}, { providers: { mine: { kind: 'openai-compatible' as const } } }, 'base_url'],
    ['a key that is not there', {}, { providers: { mine: { kind: 'openai' as const, key: 'MY_KEY' } } }, 'MY_KEY'],
    ['an invalid address', { OPENAI_BASE_URL: 'localhost' }, {}, 'OPENAI_BASE_URL'],
  ])('%s is refused with a message', (_what, env, settings: Settings, word) => {
    expect(refusal(() => modelsOf(env as Record<string, string>, settings))).toContain(word)
  })
})

describe(':auto', () => {
  const models = modelsOf({ OPENAI_API_KEY: 'o' })

  test.each([
    [{ pages: 8, images: 4, toolsNamed: 2, schema: schemaOf(40) }, 'openai/gpt-5.6-luna', 'chose fast'],
    [{ ...small, pages: 9 }, 'openai/gpt-5.6-terra', '9 pages (pro from 9)'],
    [{ ...small, images: 5 }, 'openai/gpt-5.6-terra', '5 images (pro from 5)'],
    [{ ...small, toolsNamed: 3 }, 'openai/gpt-5.6-terra', '3 named tools (pro from 3)'],
    [{ ...small, schema: schemaOf(41) }, 'openai/gpt-5.6-terra', '41 schema properties (pro from 41)'],
  ])('of %o is %s with the reason', (facts, name, why) => {
    for (const identifier of ['svc-agent-1', 'svc-agent-2:auto']) {
      const chosen = models.route(identifier).choose(facts)
      expect(chosen.engine.name).toBe(name)
      expect(chosen.because).toContain(why)
    }
  })

  test('has the embedded engine fill schemas, and no more, beside a language model', () => {
    const mixed = modelsOf({ OPENAI_API_KEY: 'o' }, { routes: { 'svc-agent-1:fast': 'embedded' } }).route('svc-agent-1')
    expect(mixed.choose(small).engine.name).toBe('embedded')
    expect(mixed.choose({ ...small, schema: null }).engine.name).toBe('openai/gpt-5.6-terra')
  })

  test('is no choice when one engine serves both levels', () => {
    expect(modelsOf({}).route('svc-agent-1:auto').choose(small)).toMatchObject({ because: null })
  })

  test('images go to the level whose model takes them, for no other reason', () => {
    const mine = { kind: 'openai-compatible', base_url: 'http://127.0.0.1:9', fast: 'small', pro: 'large' } as const
    const sees: NonNullable<Settings['models']>[string] = { takes: ['text', 'image', 'tools'] }
    const ofTwo = (known: Settings['models']) => modelsOf({}, { providers: { mine }, models: known })
    const seeing = ofTwo({ 'mine/large': sees })
    const auto = seeing.route('svc-agent-1:auto')
    expect(auto.choose({ ...small, images: 1 })).toMatchObject({
      engine: { name: 'mine/large' },
      because: ':auto chose pro: 1 images, and mine/small does not accept images',
    })
    expect(auto.choose(small).engine.name).toBe('mine/small')
    expect(engine(seeing, 'svc-agent-1:fast', { ...small, images: 1 }).name).toBe('mine/small')
    expect(engine(ofTwo({ 'mine/small': sees }), 'svc-agent-1', { ...small, images: 9 }).name).toBe('mine/small')
    expect(engine(ofTwo({}), 'svc-agent-1', { ...small, images: 1 }).name).toBe('mine/small')
  })

  test('counts the properties of a schema at all depths', () => {
    const item = { type: 'object', properties: { a: {}, b: {} } }
    expect(countProperties({ type: 'object', properties: { x: {}, items: { type: 'array', items: item } } })).toBe(4)
    expect(countProperties(null)).toBe(0)
  })
})

describe('the cost of a turn', () => {
  const rates = { input: 2_000_000, cachedInput: 200_000, output: 12_000_000 }
  const usage = { inputTokens: 1_000, cachedInputTokens: 800, outputTokens: 60, reasoningTokens: 40 }

  test('is tokens times rates, cached ones at their own rate, to the micro-dollar', () => {
    expect(costOf(usage, rates)).toBe(200 * 2 + 160 + 60 * 12)
  })

  test('counts cache writes at their own rate, else as input', () => {
    const written = { ...usage, cacheWrittenTokens: 100 }
    expect(costOf(written, { ...rates, cacheWrite: 2_500_000 })).toBe(100 * 2 + 250 + 160 + 60 * 12)
    expect(costOf(written, rates)).toBe(costOf(usage, rates))
  })

  test('is rounded half up', () => {
    const one = { ...usage, inputTokens: 1, cachedInputTokens: 0, outputTokens: 0 }
    expect(costOf(one, { ...rates, input: 499_999 })).toBe(0)
    expect(costOf(one, { ...rates, input: 500_000 })).toBe(1)
  })
})

test('a question without a model names variables that configure a provider', () => {
  const named = noModelToAsk().message.match(/[A-Z_]+_API_KEY/g) ?? []
  expect(named.length).toBeGreaterThan(0)
  for (const name of named) expect(modelsOf({ [name]: 'a-key' }).route('svc-agent-1').engine, name).not.toBe('embedded')
})
