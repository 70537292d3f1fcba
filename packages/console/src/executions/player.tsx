import type { Ref } from 'preact'

/** Whether a browser may be able to play this type. */
export const isPlayable = (mediaType: string): boolean => /^(audio|video)(\/|$)/.test(mediaType)

interface PlayerProps {
  readonly mediaType: string
  readonly url: string
  readonly name: string
  readonly place?: Ref<HTMLMediaElement>
  /** Called with the duration in seconds. */
  readonly onLength?: (seconds: number) => void
  /** Called with the current position in seconds. */
  readonly onTime?: (seconds: number) => void
  /** Called when the browser cannot play it. */
  readonly onFail?: () => void
}

/** Audio or video, fetched in ranges during playback. */
export function Player({ mediaType, url, name, place, onLength, onTime, onFail }: PlayerProps) {
  const heard = {
    controls: true,
    preload: 'metadata',
    src: url,
    onDurationChange: (event: Event) => onLength?.((event.currentTarget as HTMLMediaElement).duration),
    onTimeUpdate: (event: Event) => onTime?.((event.currentTarget as HTMLMediaElement).currentTime),
    onError: () => onFail?.(),
  } as const
  if (mediaType.startsWith('video'))
    return (
      <video class="player" aria-label={`Video ${name}`} ref={(place ?? null) as Ref<HTMLVideoElement>} {...heard} />
    )
  return <audio class="player" aria-label={`Audio ${name}`} ref={(place ?? null) as Ref<HTMLAudioElement>} {...heard} />
}
