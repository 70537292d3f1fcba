import { type LabelKey, seenWordings } from './lexicon.ts'
import type { Locale } from './locale.ts'
import { isKeptOut } from './locales-kept-out.ts'
import { wideWordings } from './wide.ts'

/** All wordings of a label that the train part may print: none that the kept-out part has for itself. */
export function trainWordings(locale: Locale, key: LabelKey): string[] {
  const labels = { ...locale.lexicon.labels, ...locale.labels }
  return seenWordings(labels[key], wideWordings(locale, key)).filter((wording) => !isKeptOut(locale, key, wording))
}
