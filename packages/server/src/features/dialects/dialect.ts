/** Another provider's API on what this server stores. */
export interface Dialect {
  readonly tag: 'openai' | 'anthropic'
  /** What its operations are named after. */
  readonly name: 'OpenAi' | 'Anthropic'
  /** The path of the list. */
  readonly base: string
}
