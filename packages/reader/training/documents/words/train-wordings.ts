import { type LabelKey, seenWordings } from './lexicon.ts'
import type { Locale } from './locale.ts'
import { releasedWordsOf } from './locales-released.ts'
import { wideWordings } from './wide.ts'

/** All wordings of a label that the train part may print. */
export function trainWordings(locale: Locale, key: LabelKey): string[] {
  const labels = { ...locale.lexicon.labels, ...locale.labels }
  const released = locale.labels?.[key] === undefined ? releasedWordsOf(locale).labels[key] : undefined
  return [...new Set([...seenWordings(labels[key], wideWordings(locale, key)), ...(released?.split('|') ?? [])])]
}
