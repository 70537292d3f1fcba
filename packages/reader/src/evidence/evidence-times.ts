import type { Page, ReadDocument, Word } from '../media/document.ts'
import type { Evidence, EvidenceMap } from './evidence.ts'

/**
 * Evidence from video or audio with its seconds: the time of the frame, or the range from the first to the last word in
 * the box. Other evidence is unchanged.
 */
export function withTimes(
  evidence: EvidenceMap,
  documents: readonly { readonly input: string; readonly document: ReadDocument }[],
): EvidenceMap {
  const pages = new Map<string, Page>()
  for (const { input, document } of documents)
    for (const page of document.pages) if (isTimed(page)) pages.set(`${input} ${page.index}`, page)
  if (pages.size === 0) return evidence
  return Object.fromEntries(
    Object.entries(evidence).map(([pointer, one]) => {
      const page = pages.get(`${one.input} ${one.page}`)
      const seconds = page && secondsOf(page, one)
      return [pointer, seconds ? { ...one, seconds } : one]
    }),
  )
}

const isTimed = (page: Page): boolean =>
  page.atSeconds !== undefined || page.words.some((word) => word.seconds !== undefined)

function secondsOf({ atSeconds, words }: Page, { bbox }: Evidence): Evidence['seconds'] {
  if (atSeconds !== undefined) return [atSeconds, atSeconds]
  if (!bbox) return undefined
  const [x, y, width, height] = bbox
  const isWithin = ({ box: [left, top, w, h] }: Word): boolean => {
    const [across, down] = [left + w / 2, top + h / 2]
    return across >= x && across <= x + width && down >= y && down <= y + height
  }
  const said = words.flatMap((word) => (word.seconds && isWithin(word) ? [word.seconds] : []))
  if (said.length === 0) return undefined
  return [Math.min(...said.map(([from]) => from)), Math.max(...said.map(([, to]) => to))]
}
