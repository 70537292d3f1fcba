// The share of input that a provider's prefix cache serves for twenty questions on one document of 16,000 tokens, each
// in its own execution. The mock counts like OpenAI: the longest known prefix, in steps of 128 tokens from 1,024 on.
// Prints JSON. `node bench/prefix-cache.ts`
import { openCluster } from '../test/support/cluster.ts'
import { type MockRequest, startMockModel } from '../test/support/mock-model.ts'
import { type Call, callerOf, openPlace } from './place.ts'

const questions = 20
const documentTokens = 16_000
const charactersPerToken = 4
const cachedFromTokens = 1_024
const cachedStepTokens = 128

/** A provider's prefix cache: tools first, then the messages in order. */
function makeCache(): (request: MockRequest) => { inputTokens: number; cachedInputTokens: number } {
  const seen: string[] = []
  return ({ body }) => {
    const text = JSON.stringify([body['tools'] ?? [], body['messages']])
    const common = Math.max(0, ...seen.map((one) => commonLength(one, text)))
    seen.push(text)
    const tokens = Math.floor(common / charactersPerToken / cachedStepTokens) * cachedStepTokens
    const inputTokens = Math.ceil(text.length / charactersPerToken)
    return { inputTokens, cachedInputTokens: tokens < cachedFromTokens ? 0 : tokens }
  }
}

function commonLength(left: string, right: string): number {
  const end = Math.min(left.length, right.length)
  let at = 0
  while (at < end && left[at] === right[at]) at += 1
  return at
}

const count = makeCache()
await using place = await openPlace('prefix')
await using model = await startMockModel({
  // One tool call, then the answer.
  script: (request) =>
    request.results.length === 0
      ? {
          toolCalls: [{ name: 'document_search', input: { query: 'total' } }],
          usage: { ...count(request), outputTokens: 20 },
        }
      : { text: 'An answer', usage: { ...count(request), outputTokens: 20 } },
})
const rates = { input: 2_000_000, cached_input: 200_000, output: 12_000_000 }
const SKILLRUN_CONFIG = await place.configured({
  providers: { mock: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'mock-1' } },
  models: { 'mock/mock-1': { ...rates, context_tokens: 200_000, takes: ['text', 'tools'] } },
})
await using cluster = await openCluster(place.database.address, { SKILLRUN_CONFIG })
const [api] = await Promise.all([cluster.start('api'), cluster.start('worker')])
console.log(JSON.stringify(await measure(callerOf(api.url, cluster.key)), null, 2))

async function measure(call: Call): Promise<object> {
  const line = (at: number): string =>
    `Line ${at}: parcel ${at * 7919} went to house ${at % 97} for ${at}.50 euros in all`
  const document = Array.from({ length: 1_200 }, (_, at) => line(at))
    .join('\n')
    .slice(0, documentTokens * charactersPerToken)
  for (let at = 0; at < questions; at += 1)
    await call('POST', '/v1/agent/execute', {
      batch: false,
      model: 'svc-agent-1:fast',
      inputs: { ledger: document },
      config: { prompt: `What went to house ${at}, and what did it cost?` },
    })
  const { total } = await call<{ total: Record<string, number> }>('GET', '/v1/usage')
  const share = (total['cached_input_tokens'] ?? 0) / (total['input_tokens'] ?? 1)
  const firstTurns = model.requests.filter(({ results }) => results.length === 0)
  return {
    questions,
    documentTokens,
    turns: model.requests.length,
    inputTokens: total['input_tokens'],
    cachedShare: Math.round(share * 1_000) / 1_000,
    cachedShareOfFirstTurns: Math.round(shareOf(firstTurns) * 1_000) / 1_000,
    costDollars: total['cost_dollars'],
  }
}

/** The share when every execution takes only one turn. */
function shareOf(requests: readonly MockRequest[]): number {
  const again = makeCache()
  const sums = requests
    .map(again)
    .reduce((sum, one) => ({ all: sum.all + one.inputTokens, cached: sum.cached + one.cachedInputTokens }), {
      all: 0,
      cached: 0,
    })
  return sums.cached / sums.all
}
