/** The requested sampling of a video: a number of frames per segment of a number of seconds. */
export interface FrameRequest {
  readonly segmentSeconds: number
  readonly perSegment: number
}

/** The number of frames of a video by default, and the maximum on request: a frame takes about a second to read. */
const framesUsual = 12
const framesMax = 60
/** Frames closer than this show the same. */
const apartSeconds = 0.5
/** The very last moment often has no frame. */
const beforeEndSeconds = 0.1

/**
 * The times in seconds of the frames to read. On request, `perSegment` evenly spaced within each segment, from its
 * start. By default the start, the cuts, and as many in between as fit, widest gap first. Ascending, all within the
 * video; `left` counts those beyond the maximum.
 */
export function frameTimes(
  video: { readonly durationSeconds: number; readonly cuts: readonly number[] },
  request: FrameRequest | null,
): { readonly atSeconds: readonly number[]; readonly left: number } {
  const last = Math.max(0, video.durationSeconds - beforeEndSeconds)
  if (request) {
    const segments = Math.max(1, Math.ceil(video.durationSeconds / request.segmentSeconds))
    const all = segments * request.perSegment
    const step = request.segmentSeconds / request.perSegment
    // Compute only the frames that are used: a day in segments of a tenth of a second has a million.
    const made = Array.from({ length: Math.min(all, framesMax) }, (_, index) => rounded(index * step))
    const atSeconds = made.filter((seconds) => seconds <= last)
    const within = Math.min(all, Math.floor(last / step) + 1)
    return { atSeconds, left: Math.max(0, within - framesMax) }
  }
  const times = [0]
  for (const cut of video.cuts) {
    if (times.length >= framesUsual) break
    if (cut <= last && cut - (times.at(-1) ?? 0) >= apartSeconds) times.push(rounded(cut))
  }
  while (times.length < framesUsual) {
    const ends = [...times, last]
    const gaps = times.map((time, index) => (ends[index + 1] ?? last) - time)
    const widest = gaps.indexOf(Math.max(...gaps))
    const gap = gaps[widest] ?? 0
    if (gap < 2 * apartSeconds) break
    times.splice(widest + 1, 0, rounded((times[widest] ?? 0) + gap / 2))
  }
  return { atSeconds: times, left: 0 }
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000
