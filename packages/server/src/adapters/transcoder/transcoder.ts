import { Fault } from '@skillrun/core/fault.ts'
import type { MediaFacts } from '@skillrun/reader/media/timed/media-facts.ts'

/** One frame of a video as PNG. */
export interface Frame {
  readonly atSeconds: number
  readonly png: Uint8Array
}

/**
 * Reads video and audio files. The bytes are untrusted, so every call runs in its own process with limits of time, memory
 * and output, without network, and sees no other file.
 *
 * All throw Fault `needs_ffmpeg` (unsupported) where this machine has no transcoder; `unreadable_media` (invalid) for a file
 * that it cannot read; `input_too_costly` (too_large) for an exceeded limit; `signal.reason` on abort.
 */
export interface Transcoder {
  probe(path: string, signal: AbortSignal): Promise<MediaFacts>
  /**
   * The frame at each time, or the next one after it with its own time; each frame once, at most `width` pixels wide. Times
   * after the last frame are left out.
   */
  frames(path: string, request: { atSeconds: readonly number[]; width: number }, signal: AbortSignal): Promise<Frame[]>
  /** Times of cuts in seconds, found among key frames only. */
  scenes(path: string, signal: AbortSignal): Promise<number[]>
  /** The first subtitle track as SubRip text. */
  subtitles(path: string, signal: AbortSignal): Promise<string>
  /** The audio of a span as MP3 for speech recognition: mono, 16 kHz. */
  speech(path: string, span: Span, signal: AbortSignal): Promise<Uint8Array>
  /** A span of a video as MP4, or of audio as MP3, re-encoded so that it starts and ends exactly. */
  trim(path: string, request: { span: Span; as: 'mp4' | 'mp3' }, signal: AbortSignal): Promise<Uint8Array>
}

export interface Span {
  readonly fromSeconds: number
  readonly toSeconds: number
}

/** A transcoder that rejects every call, for a machine without ffmpeg. */
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
    'Video and audio need ffmpeg, which this server does not have: install it (`apt-get install ffmpeg`) and check with `skillrun doctor`',
  )
