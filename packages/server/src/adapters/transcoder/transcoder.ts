import { Fault } from '@skillrun/core/fault.ts'
import type { MediaFacts } from '@skillrun/reader/media/timed/media-facts.ts'

/** One picture of a video. */
export interface Frame {
  readonly atSeconds: number
  readonly png: Uint8Array
}

/**
 * Takes files of sound and moving pictures apart: hostile bytes, so every call is a process of its own with bounds on time,
 * memory and output, without network, and sees no other file.
 *
 * All throw: Fault `needs_ffmpeg` (unsupported) where this machine has no transcoder; `unreadable_media` (invalid) for a file
 * that it cannot read; `input_too_costly` (too_large) beyond a bound; `signal.reason` on abort.
 */
export interface Transcoder {
  probe(path: string, signal: AbortSignal): Promise<MediaFacts>
  /**
   * The picture at each time or the next one after it, with its own time, each once; at most `width` pixels wide. A time behind
   * the last picture is left out.
   */
  frames(path: string, wish: { atSeconds: readonly number[]; width: number }, signal: AbortSignal): Promise<Frame[]>
  /** Seconds at which the picture changes as at a cut, looked for among key frames alone. */
  scenes(path: string, signal: AbortSignal): Promise<number[]>
  /** The first track of subtitles as SubRip text. */
  subtitles(path: string, signal: AbortSignal): Promise<string>
  /** The sound between two times as MP3 for speech: mono, 16 kHz. */
  speech(path: string, span: Span, signal: AbortSignal): Promise<Uint8Array>
  /** A stretch of a film as MP4, or of sound as MP3, made anew so that it begins and ends where it should. */
  trim(path: string, wish: { span: Span; as: 'mp4' | 'mp3' }, signal: AbortSignal): Promise<Uint8Array>
}

export interface Span {
  readonly fromSeconds: number
  readonly toSeconds: number
}

/** The transcoder of a machine that has none. */
export const noTranscoder: Transcoder = {
  probe: async () => Promise.reject(needsFfmpeg()),
  frames: async () => Promise.reject(needsFfmpeg()),
  scenes: async () => Promise.reject(needsFfmpeg()),
  subtitles: async () => Promise.reject(needsFfmpeg()),
  speech: async () => Promise.reject(needsFfmpeg()),
  trim: async () => Promise.reject(needsFfmpeg()),
}

/** The Fault of a machine without a transcoder. */
export const needsFfmpeg = (): Fault =>
  new Fault(
    'unsupported',
    'needs_ffmpeg',
    'Video and audio need ffmpeg, which this server does not have: install it (apt-get install ffmpeg), and `skillrun doctor` finds it',
  )
