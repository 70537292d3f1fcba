/**
 * A model that makes pictures from words. `draw` makes one call and throws as `Model.reply` does; no sentence holds a key or
 * an address.
 */
export interface Illustrator {
  /** `openai/gpt-image-1`. */
  readonly name: string
  draw(
    wish: { readonly prompt: string; readonly size: `${number}x${number}` | undefined; readonly wallMs: number },
    signal: AbortSignal,
  ): Promise<Uint8Array>
}
