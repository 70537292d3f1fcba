import type { Config } from '../../packages/server/src/config.ts'

type ConfigFile = NonNullable<Config['file']>
type Facts = NonNullable<ConfigFile['models']>[string]

/** The configuration of a server with one model at `baseUrl`: at 2 and 12 dollars per million tokens, text and tools only. */
export const fileOfSmallModel = (baseUrl: string, more: Facts = {}): ConfigFile => fileOf(baseUrl, 'small', more)

/** The same with a second model of the same facts, which answers where a request says `pro`. */
export const fileOfTwoModels = (baseUrl: string, more: Facts = {}): ConfigFile => fileOf(baseUrl, 'large', more)

function fileOf(baseUrl: string, pro: string, more: Facts): ConfigFile {
  const prices = { input: 2_000_000, cached_input: 200_000, output: 12_000_000 }
  const facts: Facts = {
    ...prices,
    context_tokens: 100_000,
    output_tokens_max: 1_000,
    takes: ['text', 'tools'],
    ...more,
  }
  return {
    providers: { mine: { kind: 'openai-compatible', base_url: baseUrl, fast: 'small', pro } },
    models: { 'mine/small': facts, [`mine/${pro}`]: facts },
  }
}
