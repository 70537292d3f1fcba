/** What an adapter needs to know of its provider. */
export interface ProviderSettings {
  /** The name in front of the model's, as the configuration has it: `openai`. */
  readonly name: string
  /** The model as the provider calls it. */
  readonly model: string
  /** Undefined: the provider's own address. */
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
}
