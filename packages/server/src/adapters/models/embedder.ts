/** Vectors of texts, in their order. `tokens`: the provider's count; undefined when it gives none. */
interface EmbeddedTexts {
  readonly vectors: readonly (readonly number[])[]
  readonly tokens: number | undefined
}

/** An embedding model. `embed` makes one call and throws as `Model.reply` does; messages contain neither keys nor addresses. */
export interface Embedder {
  /** `openai/text-embedding-3-small`. */
  readonly name: string
  /** Texts of one call. */
  readonly textsMax: number
  embed(
    asked: { readonly texts: readonly string[]; readonly dimensions: number | null; readonly wallMs: number },
    signal: AbortSignal,
  ): Promise<EmbeddedTexts>
}
