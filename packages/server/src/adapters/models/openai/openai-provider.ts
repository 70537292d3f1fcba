import { createOpenAI, type OpenAIProvider } from '@ai-sdk/openai'
import { providerFetch } from '../provider-fetch.ts'
import type { ProviderSettings } from '../provider-settings.ts'

/** The AI SDK's client of OpenAI, or of a server that speaks like it. */
export const openAiProvider = ({ apiKey = '', baseUrl }: ProviderSettings): OpenAIProvider =>
  createOpenAI({ fetch: providerFetch, apiKey, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) })
