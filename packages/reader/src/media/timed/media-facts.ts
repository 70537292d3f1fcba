/** Metadata of an audio or video file. */
export interface MediaFacts {
  /** The container as ffprobe names it: `mov,mp4,m4a,3gp,3g2,mj2`, `mp3`. */
  readonly container: string
  /** Null when the file does not state it. */
  readonly durationSeconds: number | null
  /** Null without a video stream; cover art does not count. */
  readonly video: {
    readonly codec: string
    readonly width: number
    readonly height: number
    readonly framesPerSecond: number | null
  } | null
  readonly audio: { readonly codec: string; readonly channels: number; readonly sampleRate: number } | null
  /** The number of text subtitle tracks. */
  readonly subtitleTracks: number
  /** Title, artist and other tags, as in the file. */
  readonly tags: Readonly<Record<string, string>>
}
