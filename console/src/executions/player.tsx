/** Whether a browser may play what has this type. */
export const isPlayable = (mediaType: string): boolean => /^(audio|video)(\/|$)/.test(mediaType)

/** Sound or film, fetched in ranges as it is played. */
export function Player({ mediaType, url, name }: { mediaType: string; url: string; name: string }) {
  if (mediaType.startsWith('video'))
    return (
      // biome-ignore lint/a11y/useMediaCaption: what was given has no captions of its own.
      <video class="player" controls preload="metadata" src={url} aria-label={`Film ${name}`} />
    )
  return (
    // biome-ignore lint/a11y/useMediaCaption: what was given has no captions of its own.
    <audio class="player" controls preload="metadata" src={url} aria-label={`Sound ${name}`} />
  )
}
