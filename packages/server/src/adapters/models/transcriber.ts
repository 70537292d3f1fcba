/** What was said, with the seconds of each part where the provider tells them. */
export interface Transcript {
  readonly text: string
  readonly parts: readonly { readonly fromSeconds: number; readonly toSeconds: number; readonly text: string }[]
}

/**
 * A model that writes down what is said. `transcribe` makes one call and throws as `Model.reply` does; no sentence holds a
 * key or an address.
 */
export interface Transcriber {
  /** `openai/whisper-1`. */
  readonly name: string
  transcribe(
    speech: { readonly bytes: Uint8Array; readonly mediaType: string; readonly wallMs: number },
    signal: AbortSignal,
  ): Promise<Transcript>
}
