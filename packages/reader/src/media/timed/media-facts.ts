/** What a file of sound or moving pictures says of itself. */
export interface MediaFacts {
  /** The container in the transcoder's words: `mov,mp4,m4a,3gp,3g2,mj2`, `mp3`. */
  readonly container: string
  /** Null where the file does not say. */
  readonly durationSeconds: number | null
  /** Null where there is none; a cover of a song is none. */
  readonly video: {
    readonly codec: string
    readonly width: number
    readonly height: number
    readonly framesPerSecond: number | null
  } | null
  readonly audio: { readonly codec: string; readonly channels: number; readonly sampleRate: number } | null
  /** Tracks of subtitles that are text. */
  readonly subtitleTracks: number
  /** Title, artist and the like, as they stand in the file. */
  readonly tags: Readonly<Record<string, string>>
}
