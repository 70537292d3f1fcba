import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import { modelOver } from '../language-model.ts'
import type { Model } from '../model.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import { openAiProvider } from './openai-provider.ts'

/**
 * An OpenAI model through the Responses API or, with `chat`, Chat Completions, which other servers offer too. The
 * provider is asked to store nothing.
 */
export function openOpenAi(settings: ProviderSettings & { readonly interface?: 'responses' | 'chat' }): Model {
  const provider = openAiProvider(settings)
  const speaksChat = settings.interface === 'chat'
  return modelOver({
    settings,
    languageModel: speaksChat ? provider.chat(settings.model) : provider.responses(settings.model),
    optionsOf: ({ schema, cacheKey, tier }) => ({
      openai: {
        strictJsonSchema: schema !== null && isStrict(schema),
        ...(speaksChat ? {} : { store: false }),
        ...(cacheKey === undefined ? {} : { promptCacheKey: cacheKey }),
        ...(tier === undefined ? {} : { serviceTier: tier }),
      },
    }),
    imageOptions: (imageDetail) => ({ openai: { imageDetail } }),
  })
}

/**
 * Whether OpenAI accepts a schema in strict mode: every object closed, every property required ("Structured Outputs",
 * supported schemas). Other schemas are sent as guidance.
 */
export function isStrict(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (!isJsonObject(schema)) return true
  const properties = schema['properties']
  if (isJsonObject(properties)) {
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    if (schema['additionalProperties'] !== false) return false
    if (!Object.keys(properties).every((name) => required.includes(name))) return false
  } else if (schema['type'] === 'object') return false
  if (refusedKeywords.some((keyword) => keyword in schema)) return false
  const inner = isJsonObject(properties) ? Object.values(properties) : []
  const rest = Object.entries(schema).flatMap(([key, value]) => (nestingKeywords.has(key) ? [value] : []))
  const definitions = isJsonObject(schema['$defs']) ? Object.values(schema['$defs']) : []
  return [...inner, ...rest, ...definitions].every(isStrict)
}

const nestingKeywords: ReadonlySet<string> = new Set(['items', 'anyOf'])
const refusedKeywords = ['allOf', 'oneOf', 'not', 'if', 'patternProperties', 'prefixItems', 'dependentRequired']
