import type { SpokenPart } from './assemble.ts'

/** Parses the cues of a SubRip file, without style tags and empty cues. */
export function parseSubtitles(srt: string): SpokenPart[] {
  const cue = /(\d+):(\d\d):(\d\d)[,.](\d{3})\s*-->\s*(\d+):(\d\d):(\d\d)[,.](\d{3})[^\n]*\n([\s\S]*?)(?=\n\s*\n|\s*$)/g
  return [...srt.replaceAll('\r', '').matchAll(cue)].flatMap((match) => {
    const [, ...numbers] = match.slice(0, 9).map(Number)
    const seconds = (at: number): number =>
      (numbers[at] ?? 0) * 3600 + (numbers[at + 1] ?? 0) * 60 + (numbers[at + 2] ?? 0) + (numbers[at + 3] ?? 0) / 1000
    const text = (match[9] ?? '')
      .replaceAll(/<[^>]*>|\{\\[^}]*\}/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
    return text === '' ? [] : [{ fromSeconds: seconds(0), toSeconds: seconds(4), text }]
  })
}
