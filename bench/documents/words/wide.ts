import type { LabelKey, Labels } from './lexicon.ts'
import type { Locale } from './locale.ts'

/** More wordings by language, only for the train part. */
const wide: Readonly<Record<string, Partial<Labels>>> = {}

/** More wordings of a label, or undefined; none where the country has a wording of its own. */
export function wideWordings(locale: Locale, key: LabelKey): string | undefined {
  return locale.labels?.[key] === undefined ? wide[locale.id.slice(0, 2)]?.[key] : undefined
}
