import type { Config } from '../../packages/server/src/config.ts'

/** The configuration of a server with one model at `baseUrl`: at 2 and 12 dollars per million tokens, text and tools only. */
export function fileOfSmallModel(baseUrl: string): Config['file'] {
  const facts = { input: 2_000_000, cached_input: 200_000, output: 12_000_000, context_tokens: 100_000 }
  return {
    providers: { mine: { kind: 'openai-compatible', base_url: baseUrl, fast: 'small', pro: 'small' } },
    models: { 'mine/small': { ...facts, output_tokens_max: 1_000, takes: ['text', 'tools'] } },
  }
}
