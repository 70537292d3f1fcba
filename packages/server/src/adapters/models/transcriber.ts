/** Transcribed speech; `parts` have times in seconds and are empty when the provider gives none. */
export interface Transcript {
  readonly text: string
  readonly parts: readonly { readonly fromSeconds: number; readonly toSeconds: number; readonly text: string }[]
}

/**
 * A speech-to-text model. `transcribe` makes one call and throws as `Model.reply` does; messages contain neither keys nor
 * addresses.
 */
export interface Transcriber {
  /** `openai/whisper-1`. */
  readonly name: string
  transcribe(
    speech: { readonly bytes: Uint8Array; readonly mediaType: string; readonly wallMs: number },
    signal: AbortSignal,
  ): Promise<Transcript>
}
