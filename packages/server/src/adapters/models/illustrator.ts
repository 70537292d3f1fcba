/**
 * A model that generates images. `draw` makes one call and throws as `Model.reply` does; messages contain neither keys nor
 * addresses.
 */
export interface Illustrator {
  /** `openai/gpt-image-1`. */
  readonly name: string
  draw(
    request: { readonly prompt: string; readonly size: `${number}x${number}` | undefined; readonly wallMs: number },
    signal: AbortSignal,
  ): Promise<Uint8Array>
}
