import type { Ref } from 'preact'

/** Whether a browser may play what has this type. */
export const isPlayable = (mediaType: string): boolean => /^(audio|video)(\/|$)/.test(mediaType)

interface PlayerProps {
  readonly mediaType: string
  readonly url: string
  readonly name: string
  readonly place?: Ref<HTMLMediaElement>
  /** Told how many seconds it has. */
  readonly onLength?: (seconds: number) => void
  /** Told at which second it is. */
  readonly onTime?: (seconds: number) => void
  /** Told when the browser cannot play it. */
  readonly onFail?: () => void
}

/** Sound or film, fetched in ranges as it is played. */
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
