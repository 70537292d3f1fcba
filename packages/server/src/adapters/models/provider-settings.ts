/** The configuration of a provider and one of its models. */
export interface ProviderSettings {
  /** The provider's name in the configuration, as in `openai/gpt-5.5`. */
  readonly name: string
  /** The provider's name of the model. */
  readonly model: string
  /** Undefined: the provider's default address. */
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
}
